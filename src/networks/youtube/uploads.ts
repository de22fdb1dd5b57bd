import * as z from "zod";
import type { AccountList, AccountLists, ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { PublishedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import type { ReadList } from "../shared/pages.ts";
import { permalink, readList } from "./api.ts";
import { readKnown } from "./known.ts";
import type { YoutubeOptions } from "./options.ts";
import { shownAs } from "./text.ts";

/** https://developers.google.com/youtube/v3/docs/playlistItems (2026-09) */
const itemSchema = z.object({
  snippet: z.object({
    title: z.string().nullish(),
    description: z.string().nullish(),
    publishedAt: z.string(),
    resourceId: z.object({ videoId: z.string().min(1) }),
  }),
  status: z.object({ privacyStatus: z.string().nullish() }).nullish(),
});

type Item = z.infer<typeof itemSchema>;

/** Same source. */
const pageSize = 50;
/** Five hundred videos since the request: beyond that the look is given up as incomplete. */
const maxPages = 10;

/** The playlist of all that the channel has uploaded, read back to `since`. */
export async function sightUploads(context: NetworkContext, input: LookInput<YoutubeOptions>): Promise<LookResult> {
  const { uploads } = readKnown(input.profile);
  if (uploads === null)
    return { cannot_tell: "The upload no longer exists, and YouTube does not list the channel's uploads." };
  const { items, isWhole } = await readUploads(context, { uploads, since: input.since, pages: maxPages });
  const privacy = input.part.options.privacy_status;
  const list: AccountList = {
    posts: items.map(toSeen),
    isWhole,
    showsSuch: privacy === "public" || items.some(({ status }) => status?.privacyStatus === privacy),
    name: listName(privacy),
  };
  return { parent: null, lists: [list] };
}

/** That an owner's list holds what is not public is documented nowhere: it must have shown one. */
export const lists: AccountLists<YoutubeOptions> = {
  names: ({ part }) =>
    part.role !== undefined || part.options.privacy_status === "public" ? [] : [listName(part.options.privacy_status)],

  async showing(context, { id }: PublishedPart, { part, profile }) {
    const { uploads } = readKnown(profile);
    if (uploads === null) return [];
    const { items } = await readUploads(context, { uploads, since: context.now(), pages: 1 });
    const isShown = items.some(({ snippet }) => snippet.resourceId.videoId === id);
    return isShown ? [listName(part.options.privacy_status)] : [];
  },
};

function listName(privacy: string): string {
  return `uploads ${privacy}`;
}

/** The order is documented nowhere: only a page that is older as a whole ends it. */
function readUploads(
  context: NetworkContext,
  { uploads, since, pages: maxPages }: { uploads: string; since: number; pages: number },
): Promise<ReadList<Item>> {
  const parameters = { part: "snippet,status", playlistId: uploads, maxResults: String(pageSize) };
  const list = { method: "playlistItems", parameters, schema: itemSchema };
  return readList(context, list, { maxPages, isPast: (item) => timeOf(item) < since });
}

function timeOf({ snippet }: Item): number {
  return Date.parse(snippet.publishedAt);
}

function toSeen(item: Item): ListedPost {
  const { title, description, resourceId } = item.snippet;
  const { videoId } = resourceId;
  return {
    published: { id: videoId, url: permalink(videoId), ref: null },
    created_at: timeOf(item),
    texts: [shownAs(title ?? "", description ?? "")],
    isSameKind: true,
    origin: null,
  };
}
