import * as z from "zod";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { type Api, wholeAddress } from "./api.ts";
import type { FacebookOptions } from "./options.ts";
import { postIdIn } from "./post-id.ts";
import { photosIn } from "./staged.ts";

const id = z.union([z.string(), z.number()]).transform(String);

/** https://developers.facebook.com/docs/page-stories-api (2026-09) */
const storySchema = z.object({
  post_id: id,
  media_id: id.nullish(),
  creation_time: id,
  url: z.string().nullish(),
});

type Story = z.infer<typeof storySchema>;

const fields = "post_id,media_id,status,creation_time,media_type,url";

async function readStories(
  context: NetworkContext,
  { since, api }: { since: number; api: Api },
): Promise<{ items: Story[]; isWhole: boolean }> {
  const from = String(Math.floor(since / 1000));
  const url = api.endpoint([context.profile.external_id, "stories"], { fields, since: from, limit: "50" });
  return readGraphPages(context, { name: "Facebook", url, schema: storySchema });
}

/** The story that shows this photo or video; null: none does, or not yet. */
export async function storyOf(
  context: NetworkContext,
  { mediaId, since, api }: { mediaId: string; since: number; api: Api },
): Promise<IdentifiedPart | null> {
  const { items } = await readStories(context, { since, api });
  const found = items.find(({ media_id }) => media_id === mediaId);
  return found === undefined ? null : partOf(found, context);
}

/** A story says nothing; it is known by the photo that it shows. */
export async function findStory(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult> {
  const { items, isWhole } = await readStories(context, { since: input.since, api });
  const [photo] = photosIn(input.staged);
  const posts = items.map(
    (story): ListedPost => ({
      published: partOf(story, context),
      created_at: timeOf(story),
      texts: [""],
      parent: null,
      isSameKind: true,
      origin: story.media_id == null || photo === undefined ? null : story.media_id === photo ? "ours" : "foreign",
    }),
  );
  return { parent: null, lists: [{ posts, isWhole, showsSuch: true, name: "stories" }] };
}

function partOf({ post_id, url }: Story, { profile }: NetworkContext): IdentifiedPart {
  return { id: postIdIn(profile.external_id, post_id), url: url == null ? null : wholeAddress(url), ref: null };
}

/** Seconds, or as the other lists write it. */
function timeOf({ creation_time }: Story): number {
  return /^\d+$/.test(creation_time) ? Number(creation_time) * 1000 : Date.parse(creation_time);
}
