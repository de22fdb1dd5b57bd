import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext } from "../contract/request.ts";
import type { TokenInfo } from "../shared/google/login.ts";
import { readList } from "./api.ts";
import type { Known } from "./known.ts";

/** https://developers.google.com/youtube/v3/docs/channels (2026-09) */
const channelSchema = z.object({
  id: z.string().min(1),
  snippet: z.object({
    title: z.string(),
    customUrl: z.string().nullish(),
    country: z.string().nullish(),
    thumbnails: z.record(z.string(), z.object({ url: z.string().nullish() })).nullish(),
  }),
  contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string().nullish() }).nullish() }).nullish(),
  status: z.object({ longUploadsStatus: z.string().nullish() }).nullish(),
});

export type Channel = z.infer<typeof channelSchema>;

/** The one channel of a login. Null: it has none. */
export async function readChannel(context: Pick<LoginContext, "request">): Promise<Channel | null> {
  const parameters = { part: "snippet,contentDetails,status", mine: "true" };
  const { items } = await readList(context, { method: "channels", parameters, schema: channelSchema });
  return items[0] ?? null;
}

/** `disallowed`: no phone number is verified; `eligible`: verifying one would lift the limit. Same source. */
const shortOnly: ReadonlySet<string> = new Set(["disallowed", "eligible"]);

export function toIdentity(
  { id, snippet, contentDetails, status }: Channel,
  { scopes, app }: Pick<TokenInfo, "scopes" | "app">,
): Identity {
  const known: Known = {
    scopes,
    uploads: contentDetails?.relatedPlaylists?.uploads ?? null,
    takes_long_videos: !shortOnly.has(status?.longUploadsStatus ?? ""),
    country: snippet.country ?? null,
  };
  return {
    external_id: id,
    name: snippet.title,
    handle: snippet.customUrl ?? null,
    avatar_url: pictureOf(snippet),
    url: `https://www.youtube.com/channel/${id}`,
    scopes,
    ...(app === null ? {} : { app }),
    limits: {},
    host: null,
    account_facts: known,
  };
}

function pictureOf({ thumbnails }: Channel["snippet"]): string | null {
  return thumbnails?.high?.url ?? thumbnails?.default?.url ?? null;
}
