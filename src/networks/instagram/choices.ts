import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { OptionChoice, OptionChoices } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { type Api, getAnswer, readAnswer } from "./api.ts";
import { readKnown } from "./known.ts";

/** https://developers.facebook.com/docs/instagram-platform/content-publishing/audio-api (2026-06) */
const listSchema = z.object({
  audio: z
    .array(
      z.object({
        audio_id: graphId,
        title: z.string().nullish(),
        display_artist: z.string().nullish(),
        ig_username: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** @param api the Graph API in the version that the host has chosen */
export function createChoices(api: Api): OptionChoices {
  return {
    "audio_configuration.audio_id": { search: (context, words) => findMusic(context, api, words) },
    "product_tags.product_id": { search: (context, words) => findProducts(context, api, words) },
  };
}

function assertFacebookLogin({ profile }: NetworkContext, what: string): void {
  if (readKnown(profile).flavour === "facebook") return;
  const message = `Instagram Login gives no access to ${what}: connect the account with Facebook Login.`;
  throw new PublishingError("unsupported", message);
}

/** Without words, Instagram shows what is popular. Same source. */
async function findMusic(context: NetworkContext, api: Api, words: string | null): Promise<OptionChoice[]> {
  assertFacebookLogin(context, "music");
  const search: Record<string, string> = words === null ? {} : { search_query: words };
  const asked = { audio_type: "music", user_id: context.profile.external_id, ...search };
  const url = api.endpoint("facebook", ["ig_audio"], asked);
  const { audio } = await getAnswer(listSchema, context, url);
  return (audio ?? []).map(({ audio_id, title, display_artist, ig_username }) => ({
    value: audio_id,
    name: [title, display_artist ?? ig_username].filter(Boolean).join(" – "),
  }));
}

/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user/available_catalogs (2026-04) */
const catalogsSchema = z.object({ data: z.array(z.object({ catalog_id: graphId })) });
/** https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user/catalog_product_search (2026-04) */
const productsSchema = z.object({
  data: z.array(
    z.object({
      product_id: graphId,
      product_name: z.string().nullish(),
      retailer_id: z.union([z.string(), z.number()]).nullish(),
      review_status: z.string().nullish(),
    }),
  ),
});

/** A shop has one catalog as a rule. */
const maxCatalogs = 5;

/** Products that were rejected cannot be tagged; those that are not yet approved show when they are. */
async function findProducts(context: NetworkContext, api: Api, words: string | null): Promise<OptionChoice[]> {
  assertFacebookLogin(context, "products");
  const ask = (edge: string, parameters: Readonly<Record<string, string>>) => {
    const url = api.endpoint("facebook", [context.profile.external_id, edge], parameters);
    return context.request({ method: "GET", url });
  };
  const { data: catalogs } = readAnswer(catalogsSchema, await ask("available_catalogs", {}));
  const choices: OptionChoice[] = [];
  for (const { catalog_id } of catalogs.slice(0, maxCatalogs)) {
    const search: Record<string, string> = words === null ? {} : { q: words };
    const { data } = readAnswer(productsSchema, await ask("catalog_product_search", { catalog_id, ...search }));
    for (const { product_id, product_name, retailer_id, review_status } of data)
      if (review_status !== "rejected")
        choices.push({ value: product_id, name: product_name || String(retailer_id ?? product_id) });
  }
  return choices;
}
