import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { Lag } from "../parts/listing.ts";
import type { Accounts, SandboxAccount, StoredRecord } from "./accounts.ts";
import { invalidRequest, refusal } from "./refusal.ts";
import { postView, recordAt, replyOf } from "./views.ts";

/** What the view service lists. It lags behind the accounts' servers. */
export interface Timelines {
  thread(viewer: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  authorFeed(viewer: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  notifications(viewer: SandboxAccount, request: SandboxRequest): SandboxAnswer;
}

/** How far below a post of one's own an answer is still told of: seen on a view service 0.0.221 (2026-11). */
const levelsTold = 4;
const maxLimit = 100;

export function createTimelines(accounts: Accounts, lag: Lag): Timelines {
  const shown = (uri: string): StoredRecord | undefined => {
    const stored = recordAt(accounts, uri);
    return stored !== undefined && lag.shows(stored.written_at) ? stored : undefined;
  };
  const view = (viewer: SandboxAccount, uri: string): JsonObject | undefined =>
    postView(accounts, { uri, viewer, shown });

  function postsOf(account: SandboxAccount): StoredRecord[] {
    const posts = [...account.records.values()].filter(({ value }) => value.$type === "app.bsky.feed.post");
    return posts.filter(({ written_at }) => lag.shows(written_at));
  }

  function threadView(viewer: SandboxAccount, uri: string, height: number): JsonObject {
    const post = view(viewer, uri);
    if (post === undefined) return { $type: "app.bsky.feed.defs#notFoundPost", uri, notFound: true };
    const parent = replyOf(shown(uri)?.value)?.parent;
    const thread: JsonObject = { $type: "app.bsky.feed.defs#threadViewPost", post, replies: [] };
    if (parent !== undefined && height > 0) thread.parent = threadView(viewer, parent, height - 1);
    return thread;
  }

  /** Why the viewer is told of a post; the first reason alone counts. */
  function reasonFor({ did }: SandboxAccount, { value }: StoredRecord): string | undefined {
    const own = `at://${did}/`;
    if (namesIn(value).includes(did)) return "mention";
    if (quotedBy(value)?.startsWith(own) === true) return "quote";
    let above = replyOf(value)?.parent;
    for (let level = 0; above !== undefined && level < levelsTold; level++) {
      if (above.startsWith(own)) return "reply";
      above = replyOf(shown(above)?.value)?.parent;
    }
    return undefined;
  }

  return {
    thread(viewer, request) {
      const { uri = "", parentHeight = "80" } = Object.fromEntries(request.url.searchParams);
      if (shown(uri) === undefined) throw refusal(400, "NotFound", `Post not found: ${uri}`);
      return ok({ thread: threadView(viewer, uri, Number(parentHeight)) });
    },
    authorFeed(viewer, request) {
      const author = accounts.find(request.url.searchParams.get("actor") ?? "");
      if (author === undefined) throw invalidRequest("Profile not found");
      const { posts, cursor } = pageOf(postsOf(author), request);
      const feed = posts.map(({ uri }) => ({ post: view(viewer, uri) ?? null }));
      return ok({ feed, ...cursor });
    },
    notifications(viewer, request) {
      const asked = request.url.searchParams.getAll("reasons");
      const others = accounts.all().filter((account) => account !== viewer);
      const told = others.flatMap(postsOf).flatMap((post) => {
        const reason = reasonFor(viewer, post);
        return reason !== undefined && (asked.length === 0 || asked.includes(reason)) ? [{ ...post, reason }] : [];
      });
      const { posts, cursor } = pageOf(told, request);
      const notifications = posts.map(({ uri, reason }) => {
        // What a post shows below its text is not told of. Seen on a view service 0.0.221 (2026-11).
        const { viewer: _, embed: __, ...post } = view(viewer, uri) ?? {};
        return { ...post, reason, isRead: false };
      });
      return ok({ notifications, ...cursor });
    },
  };
}

const facetsSchema = z.array(z.looseObject({ features: z.array(z.looseObject({ did: z.string().optional() })) }));

function namesIn({ facets }: JsonObject): string[] {
  const { data = [] } = facetsSchema.safeParse(facets);
  return data.flatMap(({ features }) => features.flatMap(({ did }) => did ?? []));
}

const quoteSchema = z.looseObject({ record: z.looseObject({ uri: z.string() }) });

function quotedBy({ embed }: JsonObject): string | undefined {
  return quoteSchema.safeParse(embed).data?.record.uri;
}

/** Newest first; the cursor is the time of the last one, and its content's id: several may be of one moment. */
function pageOf<Post extends StoredRecord>(
  posts: readonly Post[],
  request: SandboxRequest,
): { posts: Post[]; cursor: { cursor?: string } } {
  const { limit = "50", cursor } = Object.fromEntries(request.url.searchParams);
  if (!(Number(limit) >= 1 && Number(limit) <= maxLimit)) throw invalidRequest("limit must be 1 to 100");
  const found = posts
    .map((post) => ({ post, place: `${new Date(post.written_at).toISOString()}::${post.cid}` }))
    .filter(({ place }) => cursor === undefined || place < cursor)
    .sort((one, other) => (one.place < other.place ? 1 : -1))
    .slice(0, Number(limit));
  const last = found.at(-1);
  const isFull = last !== undefined && found.length === Number(limit);
  return { posts: found.map(({ post }) => post), cursor: isFull ? { cursor: last.place } : {} };
}
