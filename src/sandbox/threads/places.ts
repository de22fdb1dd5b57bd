import { ok, type SandboxAnswer } from "../exchange.ts";
import { pickFields } from "../parts/fields.ts";
import { graphPage, graphRefusal } from "../parts/graph.ts";
import { assertScope, type Holding } from "./accounts.ts";

/** The ids exceed JavaScript's safe integers. */
const places = [
  { id: "9007199254741301", name: "Harbour Bakery", address: "Kai 7", city: "Hamburg", country: "Germany" },
  { id: "9007199254741303", name: "Old Harbour", address: null, city: "Oslo", country: "Norway" },
];

const placeScope = "threads_location_tagging";

/** https://github.com/fbsamples/threads_api (2025-12) */
export function searchPlaces(holding: Holding, url: URL): SandboxAnswer {
  assertScope(holding, placeScope);
  const words = url.searchParams.get("q") ?? "";
  if (words === "") throw graphRefusal(100, "(#100) The parameter q is required");
  const fields = (url.searchParams.get("fields") ?? "id,name").split(",");
  const data = places
    .filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
    .map((place) => pickFields({ ...place, address: place.address ?? undefined }, fields));
  return ok(graphPage(data, url));
}

/** @throws Refusal if there is no such place, or the token may not name places */
export function assertPlace(holding: Holding, id: string): void {
  assertScope(holding, placeScope);
  if (!places.some((place) => place.id === id)) throw graphRefusal(100, "(#100) Invalid parameter: location_id");
}
