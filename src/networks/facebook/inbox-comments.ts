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

/** Posts whose comments are read at once. */
const postsRead = 25;

/** Which posts are looked through for comments. */
interface Reach {
  /** Pages of posts, `postsRead` each, from the newest on. */
  pages: number;
  /** Comments that are read with each post: an answer with those of all must stay below four megabytes. */
  commentsWithPost: number;
  /** What was written before the first look is read as well. */
  isBackfilled: boolean;
}

/** Often. */
export const newestPosts: Reach = { pages: 1, commentsWithPost: 10, isBackfilled: true };
/** Once a day, and there is seldom something new: the newest 5,000. */
export const allPosts: Reach = { pages: 200, commentsWithPost: 3, isBackfilled: false };

/** What is not there, or not shown to the Page. https://developers.facebook.com/docs/graph-api/guides/error-handling (2026-09) */
const notShown = "100/33";

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
  /** Posts that have more comments than were read with them, and where theirs go on; null: at the newest. */
  open: z.array(z.object({ post: z.string(), after: z.string().nullable(), pages: z.number() })).max(postsRead),
  /** Where the posts go on. Absent: at the newest. */
  posts: z.object({ after: z.string(), pages: z.number() }).exactOptional(),
});

type Cursor = z.infer<typeof cursorSchema>;

/**
 * The comments under posts, those of a page of posts in one request: each post's
 * newest come first, and go on where there are more than that.
 * https://developers.facebook.com/documentation/pages-api/comments-mentions (2026-04)
 */
export async function pollComments(
  context: InboxContext,
  api: Api,
  { reach, cursor: given, since }: { reach: Reach; cursor: Json | null; since: number },
): Promise<Poll> {
  const parsed = cursorSchema.safeParse(given);
  // What comes while it is read is read again.
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

/** The cursor of a look that begins anew: Graph's places in lists end as things are added and deleted. https://developers.facebook.com/docs/graph-api/results (2026-09) */
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
    // From their newest on: where each goes on would make a cursor too long to keep.
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
      // The post may be gone by now, or closed to the Page. A limit that is used up has the same status, and must wait.
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

/** True when what was read of a post's comments does not reach back far enough. */
function goesOn({ data, paging }: CommentPage, floor: number): boolean {
  const isPast = data.every((each) => each !== null && Date.parse(each.created_time) < floor - disorderMs);
  return cursorAfter(paging) !== null && !isPast;
}

/** Comments that stand in conversations: those of others, who may be written to since, and what the Page answered to them. */
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
    // A comment can be edited, and nobody says when: as of now it says this.
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
      // There are two levels: an answer stands below the upper one, whichever it answers.
      ref: { root: comment.parent?.id ?? id },
      ...(comment.parent != null && { reply_to: keyOf(comment.parent.id) }),
    },
  };
}

/** One comment, with what it stands under; null: it is not there, or not shown. */
export async function readComment(context: InboxContext, api: Api, id: string): Promise<Comment | null> {
  const url = api.endpoint([id], { fields: commentFields });
  const response = await context.request({ method: "GET", url, accept: [404], acceptCodes: [notShown] });
  if (response.status !== 200) return null;
  const parsed = commentSchema.safeParse(response.body);
  if (parsed.success) return parsed.data;
  throw new PublishingError("network_error", "A response from Facebook could not be read.");
}
