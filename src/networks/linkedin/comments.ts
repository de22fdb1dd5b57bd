import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Acceptance } from "../contract/acceptance.ts";
import type { CommitInput, CommitRequest } from "../contract/commit.ts";
import type { ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext, NetworkResponse } from "../contract/request.ts";
import { readPages } from "../shared/pages.ts";
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
  input: LookInput<LinkedinOptions>,
  api: Api,
): Promise<LookResult> {
  const { first } = input;
  if (first === null) return { cannot_tell: "The post of this comment is unknown." };
  const readPage = async (from: number | null) => {
    const start = from ?? 0;
    const parameters = { start: String(start), count: String(pageSize) };
    const request = { method: "GET", ...api.rest(["socialActions", first.id, "comments"], parameters) } as const;
    const { elements: items } = readAnswer(pageSchema, await context.request(request));
    return { items, next: items.length < pageSize ? null : start + pageSize };
  };
  const { items, isWhole } = await readPages(readPage, { maxPages });
  const posts = items.flatMap(({ urn, actor, message, created, parentComment }): ListedPost[] => {
    if (urn === null || (actor != null && actor !== context.profile.external_id)) return [];
    return [
      {
        published: { id: urn, url: null, ref: null },
        created_at: created?.time ?? input.since,
        texts: [message?.text ?? ""],
        parent: parentComment ?? first.id,
        isSameKind: true,
        origin: null,
      },
    ];
  });
  return { parent: first.id, lists: [{ posts, isWhole, showsSuch: true, name: "comments" }] };
}
