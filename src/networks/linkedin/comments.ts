import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Acceptance } from "../contract/acceptance.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";
import type { AccountList, LocateInput, SeenPost, Sighting } from "../contract/sighting.ts";
import { type Api, readAnswer } from "./api.ts";
import type { LinkedinOptions } from "./options.ts";

export function commentWith(text: string): Part<LinkedinOptions> {
  return { role: "comment", text, media: [], link: null, title: null, post_type: "post", options: {} };
}

/** Its text is no markup. https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api (2026-08) */
export function commentRequest({ profile, part, first }: CommitInput<LinkedinOptions>, api: Api): CommitRequest {
  if (first === null) throw new PublishingError("internal_error", "There is no post to comment on.");
  const json = { actor: profile.external_id, object: first.id, message: { text: part.text } };
  return { method: "POST", ...api.rest(["socialActions", first.id, "comments"]), body: { json } };
}

/** A comment's number is unique under what it stands under, which LinkedIn may call otherwise than it was called. Same source. */
const commentSchema = z
  .object({
    id: z.union([z.string(), z.number()]).nullish(),
    object: z.string().nullish(),
    $URN: z.string().nullish(),
    commentUrn: z.string().nullish(),
    actor: z.string().nullish(),
    message: z.object({ text: z.string().nullish() }).nullish(),
    created: z.object({ time: z.number().nullish() }).nullish(),
    parentComment: z.string().nullish(),
  })
  .transform(({ id, object, $URN, commentUrn, ...comment }) => {
    const made = id == null || object == null ? null : `urn:li:comment:(${object},${id})`;
    return { ...comment, urn: commentUrn ?? $URN ?? made };
  });

export function acceptedComment({ body }: NetworkResponse): Acceptance | null {
  const urn = commentSchema.safeParse(body).data?.urn ?? null;
  return urn === null ? null : { live: { id: urn, url: null, ref: null } };
}

/** Same source. */
const pageSize = 100;
/** Nobody says in which order they come, so the list is read to its end, or counts as incomplete. */
const maxPages = 40;

const pageSchema = z.object({ elements: z.array(commentSchema) });

/** Looks for a comment under the post, among the account's own. */
export async function findComments(
  context: NetworkContext,
  input: LocateInput<LinkedinOptions>,
  api: Api,
): Promise<Sighting> {
  const { first } = input;
  if (first === null) return { cannot_tell: "The post that the comment belongs to is not known." };
  const list: AccountList = { posts: [], isWhole: false, showsSuch: true, name: "comments" };
  const posts: SeenPost[] = [];
  for (let page = 0; page < maxPages && !list.isWhole; page++) {
    const parameters = { start: String(page * pageSize), count: String(pageSize) };
    const { url, headers } = api.rest(["socialActions", first.id, "comments"], parameters);
    const { elements } = readAnswer(pageSchema, await context.request({ method: "GET", url, headers }));
    for (const { urn, actor, message, created, parentComment } of elements) {
      if (urn === null || (actor != null && actor !== context.profile.external_id)) continue;
      posts.push({
        published: { id: urn, url: null, ref: null },
        created_at: created?.time ?? input.since,
        texts: [message?.text ?? ""],
        parent: parentComment ?? first.id,
        isSameKind: true,
        mark: null,
      });
    }
    list.isWhole = elements.length < pageSize;
  }
  return { parent: first.id, lists: [{ ...list, posts }] };
}
