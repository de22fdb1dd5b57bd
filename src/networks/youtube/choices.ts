import * as z from "zod";
import type { OptionChoice, OptionChoices } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readList } from "./api.ts";
import { readKnown } from "./known.ts";

/** https://developers.google.com/youtube/v3/docs/videoCategories/list, /playlists/list (2026-09) */
const schema = z.object({
  id: z.string(),
  snippet: z.object({ title: z.string(), assignable: z.boolean().nullish() }),
});

/** The region for channels without a known country. */
const anyRegion = "US";

async function categories(context: NetworkContext): Promise<OptionChoice[]> {
  const regionCode = readKnown(context.profile).country ?? anyRegion;
  const parameters = { part: "snippet", regionCode };
  const { items } = await readList(context, { method: "videoCategories", parameters, schema });
  return items.filter(({ snippet }) => snippet.assignable !== false).map(toChoice);
}

/** Enough for two hundred and fifty playlists. */
const maxPages = 5;

async function playlists(context: NetworkContext): Promise<OptionChoice[]> {
  const parameters = { part: "snippet", mine: "true", maxResults: "50" };
  const { items } = await readList(context, { method: "playlists", parameters, schema }, { maxPages });
  return items.map(toChoice);
}

function toChoice({ id, snippet }: z.infer<typeof schema>): OptionChoice {
  return { value: id, name: snippet.title };
}

export const choices = { category_id: categories, playlist_id: playlists } satisfies OptionChoices;
