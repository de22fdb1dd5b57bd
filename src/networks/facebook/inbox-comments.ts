import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { Attachment, InboxContext, MessageFact, Person, Poll, Thread } from "../contract/inbox.ts";
import { cursorAfter, pagingSchema } from "../shared/meta/pages.ts";
import { disorderMs } from "../shared/walk.ts";
import { type Api, readAnswer, wholeAddress } from "./api.ts";
import { keyOf } from "./inbox-ids.ts";

/** Left out for others than the Page itself, where the token may not know them. */
const authorSchema = z.object({ id: z.string(), name: z.string().nullish() }).nullish();

const parentSchema = z.object({ id: z.string(), from: authorSchema, permalink_url: z.string().nullish() });

/** https://github.com/facebook/facebook-business-sdk-codegen (2026-04), Comment */
export const commentSchema = z.object({
  id: z.string(),
  message: z.string().nullish(),
  created_time: z.string(),
  from: authorSchema,
  parent: parentSchema.nullish(),
  permalink_url: z.string().nullish(),
  attachment: z
    .object({
      type: z.string().nullish(),
      url: z.string().nullish(),
      media: z.object({ image: z.object({ src: z.string().nullish() }).nullish() }).nullish(),
    })
    .nullish(),
});

export type Comment = z.infer<typeof commentSchema>;

const commentFields =
  "id,message,created_time,from{id,name},parent{id,from{id,name},permalink_url},permalink_url,attachment";

const pageSchema = z.object({
  data: z.array(commentSchema.nullable().catch(null)),
  paging: pagingSchema.nullish(),
});

const postsSchema = z.object({ data: z.array(z.object({ id: z.string(), comments: pageSchema.nullish() })) });

type CommentPage = z.infer<typeof pageSchema>;

/** Posts whose comments are read: the newest. */
const postsRead = 25;
/** Comments of each that are read with it: an answer with those of all posts must stay below four megabytes. */
const commentsWithPost = 10;
/** Comments of one post that are read at once. */
const commentsRead = 50;
/** Pages of comments read in one poll, and of one post before the rest is given up. */
const pagesAtOnce = 2;
const maxPages = 40;

const listOfComments = { filter: "stream", order: "reverse_chronological", limit: String(commentsRead) };

const cursorSchema = z.object({
  /** Everything up to here was read, milliseconds. */
  floor: z.number(),
  /** The floor once the walk that goes on is whole. */
  top: z.number(),
  /** Posts that have more comments than were read, and where theirs go on. */
  open: z.array(z.object({ post: z.string(), after: z.string(), pages: z.number() })).max(postsRead),
});

type Cursor = z.infer<typeof cursorSchema>;

/**
 * The comments under the newest posts, all of them in one request: each post's
 * newest come first, and go on where there are more than that.
 * https://developers.facebook.com/documentation/pages-api/comments-mentions (2026-04)
 */
export async function pollComments(context: InboxContext, api: Api, given: Json | null, since: number): Promise<Poll> {
  const parsed = cursorSchema.safeParse(given);
  const cursor = parsed.success ? parsed.data : { floor: since, top: since, open: [] };
  const oldest = cursor.floor - disorderMs;
  const step = cursor.open.length === 0 ? await readPosts(context, api, cursor) : await readOn(context, api, cursor);
  const news = step.comments.filter(({ created_time }) => Date.parse(created_time) >= oldest);
  const isOver = step.open.length === 0;
  const next: Cursor = { floor: isOver ? step.top : cursor.floor, top: step.top, open: step.open };
  return { facts: await commentFacts(context, news), cursor: next, more: !isOver };
}

interface Step {
  comments: Comment[];
  top: number;
  open: Cursor["open"];
}

async function readPosts(context: InboxContext, api: Api, { floor }: Cursor): Promise<Step> {
  const { filter, order } = listOfComments;
  const url = api.endpoint([context.profile.external_id, "published_posts"], {
    fields: `id,comments.filter(${filter}).order(${order}).limit(${commentsWithPost}){${commentFields}}`,
    limit: String(postsRead),
  });
  // What comes while it is read is read again.
  const top = Math.max(floor, context.now() - disorderMs);
  const { data } = readAnswer(postsSchema, await context.request({ method: "GET", url }));
  const pages = data.slice(0, postsRead).flatMap(({ id, comments }) => (comments == null ? [] : [{ id, comments }]));
  return {
    comments: pages.flatMap(({ comments }) => commentsIn(comments)),
    top,
    open: pages.flatMap(({ id, comments }) => goingOn(id, comments, { floor, pages: 1 })),
  };
}

async function readOn(context: InboxContext, api: Api, { floor, top, open }: Cursor): Promise<Step> {
  const read = await Promise.all(
    open.slice(0, pagesAtOnce).map(async ({ post, after, pages }) => {
      const url = api.endpoint([post, "comments"], { ...listOfComments, fields: commentFields, after });
      // The post may be gone by now.
      const response = await context.request({ method: "GET", url, accept: [400, 404] });
      if (response.status !== 200) return { comments: [], open: [] };
      const page = readAnswer(pageSchema, response);
      return { comments: commentsIn(page), open: goingOn(post, page, { floor, pages: pages + 1 }) };
    }),
  );
  return {
    comments: read.flatMap(({ comments }) => comments),
    top,
    open: [...open.slice(pagesAtOnce), ...read.flatMap((each) => each.open)],
  };
}

function commentsIn({ data }: CommentPage): Comment[] {
  return data.slice(0, commentsRead).filter((each) => each !== null);
}

/** Where a post's comments go on, if what was read of them does not reach back far enough. */
function goingOn(
  post: string,
  { data, paging }: CommentPage,
  { floor, pages }: { floor: number; pages: number },
): Cursor["open"] {
  const after = cursorAfter(paging);
  const isPast = data.every((each) => each !== null && Date.parse(each.created_time) < floor - disorderMs);
  return after === null || isPast || data.length === 0 || pages >= maxPages ? [] : [{ post, after, pages }];
}

/** Comments that stand in conversations: those of others, and what the Page answered to them. */
export async function commentFacts(context: InboxContext, comments: readonly Comment[]): Promise<MessageFact[]> {
  const known = await context.known(
    comments.flatMap(({ id, parent }) => [keyOf(id), ...(parent == null ? [] : [keyOf(parent.id)])]),
  );
  return comments.flatMap((comment) => {
    const place =
      known.get(keyOf(comment.id)) ?? (comment.parent == null ? undefined : known.get(keyOf(comment.parent.id)));
    const root = rootOf(context, comment);
    if (root === null && place === undefined) return [];
    const thread = commentThread(root ?? comment);
    return [toFact(context, comment, place === undefined ? thread : { ...thread, key: place.thread })];
  });
}

/** The first on the way down to it that is not the Page's own. Null: nobody has written to it there. */
function rootOf(context: InboxContext, comment: Comment): Pick<Comment, "id" | "from" | "permalink_url"> | null {
  const isOwn = ({ from }: Pick<Comment, "from">): boolean => from?.id === context.profile.external_id;
  if (comment.parent != null && !isOwn(comment.parent)) return comment.parent;
  return isOwn(comment) ? null : comment;
}

function commentThread({ id, from, permalink_url }: Pick<Comment, "id" | "from" | "permalink_url">): Thread {
  return {
    kind: "comment",
    key: keyOf(id),
    external_id: id,
    participant: personOf(from),
    url: permalink_url == null ? null : wholeAddress(permalink_url),
    referral: null,
  };
}

export function personOf(from: z.infer<typeof authorSchema>): Person {
  return { id: from?.id ?? "", name: from?.name ?? null, handle: null, avatar_url: null };
}

function toFact(context: InboxContext, comment: Comment, thread: Thread): MessageFact {
  const { id, from, message, created_time } = comment;
  const sent_at = Date.parse(created_time);
  return {
    fact: "message",
    // A comment can be edited, and nobody says when: as of now it says this.
    at: null,
    thread,
    message: {
      key: keyOf(id),
      external_id: id,
      own: from?.id === context.profile.external_id,
      text: message || null,
      attachments: attachmentsOf(comment),
      author: { id: from?.id ?? "", name: from?.name ?? null },
      sent_at,
      edited_at: null,
      // There are two levels: an answer stands below the upper one, whichever it answers.
      ref: { root: comment.parent?.id ?? id },
    },
  };
}

function attachmentsOf({ attachment }: Comment): Attachment[] {
  if (attachment == null) return [];
  const url = attachment.media?.image?.src ?? attachment.url ?? null;
  return [{ type: attachment.type ?? "unknown", url }];
}

/** One comment, with what it stands under; null: it is not there, or not shown. */
export async function readComment(context: InboxContext, api: Api, id: string): Promise<Comment | null> {
  const url = api.endpoint([id], { fields: commentFields });
  const response = await context.request({ method: "GET", url, accept: [400, 404] });
  if (response.status !== 200) return null;
  const parsed = commentSchema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "An answer of Facebook's could not be read.");
}
