import * as z from "zod";
import type { OptionChoice, OptionChoices } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, readAnswer } from "./api.ts";
import { readKnown } from "./known.ts";

/** https://developers.google.com/youtube/v3/docs/videoCategories/list, /playlists/list (2026-09) */
const listSchema = z.object({
  items: z
    .array(z.object({ id: z.string(), snippet: z.object({ title: z.string(), assignable: z.boolean().nullish() }) }))
    .nullish(),
  nextPageToken: z.string().nullish(),
});

type Listed = z.infer<typeof listSchema>;

/** Where a channel does not say where it is. */
const anyRegion = "US";

async function categories(context: NetworkContext): Promise<OptionChoice[]> {
  const regionCode = readKnown(context.profile).country ?? anyRegion;
  const url = endpoint("videoCategories", { part: "snippet", regionCode });
  const { items } = readAnswer(listSchema, await context.request({ method: "GET", url }));
  return toChoices((items ?? []).filter(({ snippet }) => snippet.assignable !== false));
}

/** Two hundred and fifty. */
const maxPages = 5;

async function playlists(context: NetworkContext): Promise<OptionChoice[]> {
  const found: NonNullable<Listed["items"]> = [];
  let pageToken: string | null = null;
  for (let page = 0; page < maxPages; page++) {
    const more: Record<string, string> = pageToken === null ? {} : { pageToken };
    const url = endpoint("playlists", { part: "snippet", mine: "true", maxResults: "50", ...more });
    const listed: Listed = readAnswer(listSchema, await context.request({ method: "GET", url }));
    found.push(...(listed.items ?? []));
    pageToken = listed.nextPageToken ?? null;
    if (pageToken === null) break;
  }
  return toChoices(found);
}

function toChoices(items: NonNullable<Listed["items"]>): OptionChoice[] {
  return items.map(({ id, snippet }) => ({ value: id, name: snippet.title }));
}

export const choices = { category_id: categories, playlist_id: playlists } satisfies OptionChoices;
