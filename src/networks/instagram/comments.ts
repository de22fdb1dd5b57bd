import * as z from "zod";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { graphId } from "../shared/meta/graph-id.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { type Api, readAnswer } from "./api.ts";
import { readKnown } from "./known.ts";
import type { InstagramOptions } from "./options.ts";

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-comment (2026-09) */
const commentSchema = z.object({
  id: graphId,
  text: z.string().nullish(),
  timestamp: z.string(),
  username: z.string().nullish(),
  replies: z.object({ data: z.array(z.unknown()) }).nullish(),
});

const countSchema = z.object({ comments_count: z.number() });

const fields = "id,text,timestamp,username,replies{id}";
const pageSize = "50";

/**
 * Looks for a comment under the post. Instagram leaves some comments out, all
 * of them under what only adults may see: the list's silence counts when it
 * shows as many as there are.
 */
export async function findComments(
  context: NetworkContext,
  input: LookInput<InstagramOptions>,
  api: Api,
): Promise<LookResult> {
  const { first } = input;
  if (first === null) return { cannot_tell: "The post of this comment is unknown." };
  const { flavour } = readKnown(context.profile);
  // Counted first: what comes in between makes the list longer, not shorter.
  const counted = await context.request({
    method: "GET",
    url: api.endpoint(flavour, [first.id], { fields: "id,comments_count" }),
  });
  const { comments_count } = readAnswer(countSchema, counted);
  const url = api.endpoint(flavour, [first.id, "comments"], { fields, limit: pageSize });
  const { items, isWhole } = await readGraphPages(context, { name: "Instagram", url, schema: commentSchema });
  const shown = items.reduce((sum, { replies }) => sum + 1 + (replies?.data.length ?? 0), 0);
  const ours = items.filter(({ username }) => username == null || username === context.profile.handle);
  const posts = ours.map((comment) => toSeen(comment, first.id));
  return { parent: first.id, lists: [{ posts, isWhole, showsSuch: shown >= comments_count, name: "comments" }] };
}

function toSeen({ id, text, timestamp }: z.infer<typeof commentSchema>, mediaId: string): ListedPost {
  return {
    published: { id, url: null, ref: null },
    created_at: Date.parse(timestamp),
    texts: [text ?? ""],
    parent: mediaId,
    isSameKind: true,
    origin: null,
  };
}
