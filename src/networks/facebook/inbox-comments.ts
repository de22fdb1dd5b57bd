import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import type { InboxContext, InboxUpdate, MessageFact, Person, Poll, Thread } from "../contract/inbox.ts";
import { permissionCodes } from "../shared/meta/errors.ts";
import { cursorAfter, pagingSchema } from "../shared/meta/pages.ts";
import { disorderMs } from "../shared/walk.ts";
import { type Api, getAnswer, readAnswer, wholeAddress } from "./api.ts";
import { storyAttachment, storyAttachmentSchema } from "./inbox-attachments.ts";
import { keyOf } from "./inbox-ids.ts";
import { opensBy } from "./inbox-window.ts";

/** Absent for other users if the token may not read them. */
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
  attachment: storyAttachmentSchema.nullish(),
});

export type Comment = z.infer<typeof commentSchema>;

const commentFields =
  "id,message,created_time,from{id,name},parent{id,from{id,name},permalink_url},permalink_url,attachment";

const pageSchema = z.object({
  data: z.array(commentSchema.nullable().catch(null)),
  paging: pagingSchema.nullish(),
});

const postsSchema = z.object({
  data: z.array(z.object({ id: z.string(), comments: pageSchema.nullish() })),
  paging: pagingSchema.nullish(),
});

type CommentPage = z.infer<typeof pageSchema>;

/** Number of posts whose comments one request reads. */
const postsRead = 25;

/** The posts whose comments are read. */
interface Reach {
  /** Pages of posts, `postsRead` each, from the newest. */
  pages: number;
  /** Comments that are read with each post. The response with all of them must stay below four megabytes. */
  commentsWithPost: number;
  /** True: comments from before the first poll are read as well. */
  isBackfilled: boolean;
}

/** The newest posts, polled often. */
export const newestPosts: Reach = { pages: 1, commentsWithPost: 10, isBackfilled: true };
/** The newest 5,000 posts, polled once a day, because new comments there are rare. */
export const allPosts: Reach = { pages: 200, commentsWithPost: 3, isBackfilled: false };

/**
 * The object does not exist, or the Page may not read it.
 * https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09)
 */
const notShown = "100/33";

/** Comments of one post in one request. */
const commentsRead = 50;
/** Pages of comments read in one poll, and the maximum for one post. */
const pagesAtOnce = 2;
const maxPages = 40;

const listOfComments = { filter: "stream", order: "reverse_chronological", limit: String(commentsRead) };

const cursorSchema = z.object({
  /** Everything up to this time was read, milliseconds. */
  floor: z.number(),
  /** The next `floor`, once the current walk is complete. */
  top: z.number(),
  /** Posts with more comments than were read with them, and their next page. Null: the first page. */
  open: z.array(z.object({ post: z.string(), after: z.string().nullable(), pages: z.number() })).max(postsRead),
  /** The next page of posts. Absent: the first. */
  posts: z.object({ after: z.string(), pages: z.number() }).exactOptional(),
});

type Cursor = z.infer<typeof cursorSchema>;

/**
 * Reads the comments under posts, one page of posts per request. Each post's newest comments come first; further
 * requests read the rest.
 * https://developers.facebook.com/documentation/pages-api/comments-mentions (2026-04)
 */
export async function pollComments(
  context: InboxContext,
  api: Api,
  { reach, cursor: given, since }: { reach: Reach; cursor: Json | null; since: number },
): Promise<Poll> {
  const parsed = cursorSchema.safeParse(given);
  // Comments that arrive during the walk are read again.
  const reached = context.now() - disorderMs;
  if (!parsed.success && !reach.isBackfilled) return { facts: [], cursor: begun(reached), more: false };
  const cursor: Cursor = parsed.success ? parsed.data : begun(since);
  const step =
    cursor.open.length === 0
      ? await readPosts(context, api, { cursor, reach, reached })
      : await readOn(context, api, cursor);
  const { comments, ...place } = step;
  const oldest = cursor.floor - disorderMs;
  const news = comments.filter(({ created_time }) => Date.parse(created_time) >= oldest);
  const isOver = step.open.length === 0 && step.posts === undefined;
  const next: Cursor = { ...place, floor: isOver ? step.top : cursor.floor };
  return { facts: await commentFacts(context, news), cursor: next, more: !isOver };
}

/**
 * The cursor of a new walk, because Graph's page cursors become invalid when items are added or deleted.
 * https://developers.facebook.com/docs/graph-api/results (2026-09)
 */
export function restartComments(cursor: Json): Json {
  const { success, data } = cursorSchema.safeParse(cursor);
  return success ? begun(data.floor) : cursor;
}

function begun(floor: number): Cursor {
  return { floor, top: floor, open: [] };
}

type Step = Omit<Cursor, "floor"> & { comments: Comment[] };

async function readPosts(
  context: InboxContext,
  api: Api,
  { cursor: { floor, top, posts }, reach, reached }: { cursor: Cursor; reach: Reach; reached: number },
): Promise<Step> {
  const { filter, order } = listOfComments;
  const url = api.endpoint([context.profile.external_id, "published_posts"], {
    fields: `id,comments.filter(${filter}).order(${order}).limit(${reach.commentsWithPost}){${commentFields}}`,
    limit: String(postsRead),
    ...(posts === undefined ? {} : { after: posts.after }),
  });
  const { data, paging } = await getAnswer(postsSchema, context, url);
  const lists = data.slice(0, postsRead).flatMap(({ id, comments }) => (comments == null ? [] : [{ id, comments }]));
  const pages = (posts?.pages ?? 0) + 1;
  const after = pages < reach.pages ? cursorAfter(paging) : null;
  return {
    comments: lists.flatMap(({ comments }) => commentsIn(comments)),
    top: posts === undefined ? Math.max(floor, reached) : top,
    // From their first page: the page cursors of all posts would make the cursor too long to store.
    open: lists.flatMap(({ id, comments }) => (goesOn(comments, floor) ? [{ post: id, after: null, pages: 0 }] : [])),
    ...(after === null ? {} : { posts: { after, pages } }),
  };
}

async function readOn(context: InboxContext, api: Api, { floor, top, open, posts }: Cursor): Promise<Step> {
  const read = await Promise.all(
    open.slice(0, pagesAtOnce).map(async ({ post, after, pages }) => {
      const url = api.endpoint([post, "comments"], {
        ...listOfComments,
        fields: commentFields,
        ...(after === null ? {} : { after }),
      });
      // The post may have been deleted or hidden from the Page. A rate limit has the same status, but must be retried.
      const acceptCodes = [notShown, "10", permissionCodes];
      const response = await context.request({ method: "GET", url, accept: [404], acceptCodes });
      if (response.status !== 200) return { comments: [], open: [] };
      const page = readAnswer(pageSchema, response);
      const next = goesOn(page, floor) && pages + 1 < maxPages ? cursorAfter(page.paging) : null;
      return { comments: commentsIn(page), open: next === null ? [] : [{ post, after: next, pages: pages + 1 }] };
    }),
  );
  return {
    comments: read.flatMap(({ comments }) => comments),
    top,
    open: [...open.slice(pagesAtOnce), ...read.flatMap((each) => each.open)],
    ...(posts === undefined ? {} : { posts }),
  };
}

function commentsIn({ data }: CommentPage): Comment[] {
  return data.slice(0, commentsRead).filter((each) => each !== null);
}

/** True: the comments read so far do not reach back to `floor`. */
function goesOn({ data, paging }: CommentPage, floor: number): boolean {
  const isPast = data.every((each) => each !== null && Date.parse(each.created_time) < floor - disorderMs);
  return cursorAfter(paging) !== null && !isPast;
}

/**
 * Inbox updates of comments that belong to conversations: comments by other users, whom the Page may message from then
 * on, and the Page's replies to them.
 */
export async function commentFacts(context: InboxContext, comments: readonly Comment[]): Promise<InboxUpdate[]> {
  const known = await context.known(
    comments.flatMap(({ id, parent }) => [keyOf(id), ...(parent == null ? [] : [keyOf(parent.id)])]),
  );
  return comments.flatMap((comment) => {
    const place =
      known.get(keyOf(comment.id)) ?? (comment.parent == null ? undefined : known.get(keyOf(comment.parent.id)));
    const root = rootOf(context, comment);
    if (root === null && place === undefined) return [];
    const thread = commentThread(root ?? comment);
    return [
      toFact(context, comment, place === undefined ? thread : { ...thread, key: place.thread }),
      ...opensBy(context, comment.from?.id, Date.parse(comment.created_time)),
    ];
  });
}

/** The topmost comment that is not the Page's own. Null: no other user has commented there. */
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
    url: wholeAddress(permalink_url ?? `/${id}`),
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
    // A comment can be edited without an edit time, so its content is as of now.
    at: null,
    thread,
    message: {
      key: keyOf(id),
      external_id: id,
      own: from?.id === context.profile.external_id,
      text: message || null,
      attachments: comment.attachment == null ? [] : [storyAttachment(comment.attachment)],
      author: { id: from?.id ?? "", name: from?.name ?? null },
      sent_at,
      edited_at: null,
      // There are two levels: every reply stands below the upper one, whichever comment it replies to.
      ref: { root: comment.parent?.id ?? id },
      ...(comment.parent != null && { reply_to: keyOf(comment.parent.id) }),
    },
  };
}

/** Reads a comment and its parent. Null: it does not exist, or the Page may not read it. */
export async function readComment(context: InboxContext, api: Api, id: string): Promise<Comment | null> {
  const url = api.endpoint([id], { fields: commentFields });
  const response = await context.request({ method: "GET", url, accept: [404], acceptCodes: [notShown] });
  if (response.status !== 200) return null;
  const parsed = commentSchema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "A response from Facebook could not be read.");
}
