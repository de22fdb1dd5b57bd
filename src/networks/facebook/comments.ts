import * as z from "zod";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { readGraphPages } from "../shared/meta/pages.ts";
import { type Api, wholeAddress } from "./api.ts";
import { belowPost } from "./errors.ts";
import type { FacebookOptions } from "./options.ts";

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04), Comment */
const commentSchema = z.object({
  id: z.string(),
  message: z.string().nullish(),
  created_time: z.string(),
  permalink_url: z.string().nullish(),
  /** Left out for others than the Page itself, where the token may not know them. */
  from: z.object({ id: z.string() }).nullish(),
});

const parameters = {
  filter: "toplevel",
  order: "reverse_chronological",
  fields: "id,message,created_time,permalink_url,from{id}",
  limit: "50",
};

/** Looks for a comment of the Page's own under the post. */
export async function findComment(
  context: NetworkContext,
  input: LookInput<FacebookOptions>,
  api: Api,
): Promise<LookResult> {
  const { first, since } = input;
  if (first === null) return { cannot_tell: "The post of this comment is unknown." };
  const { items, isWhole } = await readGraphPages(context, {
    name: "Facebook",
    url: api.endpoint([first.id, "comments"], parameters),
    schema: commentSchema,
    operation: belowPost,
    isPast: ({ created_time }) => Date.parse(created_time) < since,
  });
  const ours = items.filter(({ from }) => from == null || from.id === context.profile.external_id);
  const posts = ours.map((comment) => toSeen(comment, first.id));
  return { parent: first.id, lists: [{ posts, isWhole, showsSuch: true, name: "comments" }] };
}

function toSeen(
  { id, message, created_time, permalink_url }: z.infer<typeof commentSchema>,
  parent: string,
): ListedPost {
  return {
    published: { id, url: permalink_url == null ? null : wholeAddress(permalink_url), ref: null },
    created_at: Date.parse(created_time),
    texts: [message ?? ""],
    parent,
    isSameKind: true,
    origin: null,
  };
}
