import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { OptionChoice, OptionChoices } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { endpoint, getAnswer } from "./api.ts";
import { lackOf } from "./rules.ts";

/** https://github.com/fbsamples/threads_api (2025-12) */
const placesSchema = z.object({
  data: z.array(
    z.object({
      id: graphId,
      name: z.string().nullish(),
      address: z.string().nullish(),
      city: z.string().nullish(),
      country: z.string().nullish(),
    }),
  ),
});

export const choices: OptionChoices = { location_id: { search: findPlaces } };

/** Searches places. Without words the list is empty: Threads has no list of the account's own places. */
async function findPlaces(context: NetworkContext, words: string | null): Promise<OptionChoice[]> {
  const lack = lackOf(context.profile, "location_id");
  if (lack !== null) throw new PublishingError("unsupported", lack);
  if (words === null) return [];
  const url = endpoint(["location_search"], { q: words, fields: "id,name,address,city,country" });
  const { data } = await getAnswer(placesSchema, context, url);
  return data.map(({ id, name, address, city, country }) => ({
    value: id,
    name: [name, address, city, country].filter(Boolean).join(", ") || id,
  }));
}
