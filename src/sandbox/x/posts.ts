import * as z from "zod";
import { countText } from "../../text/count.ts";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import { withId } from "../parts/known.ts";
import { pageAt } from "../parts/listing.ts";
import { route } from "../parts/routes.ts";
import type { Logins } from "./logins.ts";
import { checkedBody, type MediaStore } from "./media.ts";
import { postJson, shortened } from "./post-json.ts";
import { invalid, refusal } from "./refusal.ts";
import type { Account, Readers, State, StoredPost } from "./state.ts";

const id = z.string().regex(/^\d{1,19}$/);

/**
 * Unknown keys are rejected at every level. https://github.com/xdevplatform/docs/blob/main/openapi.json, `POST
 * /2/tweets` (2026-08)
 */
const bodySchema = z.strictObject({
  text: z.string().default(""),
  media: z
    .strictObject({ media_ids: z.array(id).min(1).max(4), tagged_user_ids: z.array(id).max(10).optional() })
    .optional(),
  reply: z.strictObject({ in_reply_to_tweet_id: id, exclude_reply_user_ids: z.array(id).optional() }).optional(),
  poll: z
    .strictObject({
      options: z.array(z.string().min(1).max(25)).min(2).max(4),
      duration_minutes: z.int().min(5).max(10_080),
    })
    .optional(),
  reply_settings: z.enum(["following", "mentionedUsers", "subscribers", "verified"]).optional(),
  community_id: id.optional(),
  share_with_followers: z.boolean().optional(),
  for_super_followers_only: z.boolean().optional(),
  made_with_ai: z.boolean().optional(),
  paid_partnership: z.boolean().optional(),
  geo: z.strictObject({ place_id: z.string() }).optional(),
  quote_tweet_id: id.optional(),
});

type Body = z.infer<typeof bodySchema>;

/** https://docs.x.com/fundamentals/counting-characters, https://docs.x.com/changelog (2026-08) */
const textMax = { ordinary: 280, premium: 25_000 };
const cashtag = /(?:^|\s)\$[a-z]{1,6}\b/gi;

export function createPosts(state: State, logins: Logins, media: MediaStore) {
  const find = (wanted: string): StoredPost | undefined =>
    state.posts.find((post) => post.id === wanted && !post.isDeleted);

  function place(given: Omit<StoredPost, "id" | "created_at" | "isDeleted">): StoredPost {
    const post = { ...given, id: state.newId(), created_at: state.now(), isDeleted: false };
    state.posts.push(post);
    return post;
  }

  function assertReply(account: Account, { reply }: Body): void {
    if (reply === undefined) return;
    const parent = find(reply.in_reply_to_tweet_id);
    if (parent === undefined) throw refusal(404, "resource-not-found", "Could not find the post that is answered.");
    const isSummoned = parent.account === account || parent.text.includes(`@${account.username}`);
    if (!isSummoned) throw refusal(403, null, notSummoned);
  }

  function assertNew(account: Account, text: string): void {
    const since = state.now() - account.remembersTextsSeconds * 1000;
    const isKnown = state.posts.some(
      (post) => post.account === account && !post.isDeleted && post.created_at > since && alike(post.text, text),
    );
    if (isKnown && text !== "")
      throw refusal(403, null, "You are not allowed to create a Tweet with duplicate content.");
  }

  function create(request: SandboxRequest): SandboxAnswer {
    const account = logins.accountFor(request, "tweet.read", "tweet.write", "users.read");
    if (state.quota.isUsedUp()) throw refusal(429, "rate-limit-exceeded", "Too Many Requests");
    const body = checkedBody(bodySchema, request);
    const text = body.text.trim();
    assertText(account, text, body);
    if (body.quote_tweet_id !== undefined) throw refusal(403, null, notAllowed);
    if (body.community_id !== undefined && !account.communities.has(body.community_id))
      throw refusal(403, null, notAllowed);
    const files = media.forPost(account, body.media?.media_ids ?? []);
    assertReply(account, body);
    assertNew(account, text);
    const { poll, reply, media: _, text: __, ...given } = body;
    const post = place({
      account,
      text,
      media: files,
      poll: poll === undefined ? null : { id: state.newId(), options: poll.options },
      reply_to: reply?.in_reply_to_tweet_id ?? null,
      readers: readersOf(body),
      given: { ...given, ...(body.media?.tagged_user_ids ? { tagged_user_ids: body.media.tagged_user_ids } : {}) },
    });
    const problems = [{ title: "Not Found Error", detail: "A field is not there." }];
    const errors = state.answersBesideErrors ? problems : undefined;
    state.answersBesideErrors = false;
    const data = { id: post.id, text: shortened(post).text, edit_history_tweet_ids: [""] };
    return { status: 201, json: { data, errors } };
  }

  function list(request: SandboxRequest, userId: string): SandboxAnswer {
    logins.accountFor(request, "tweet.read", "users.read");
    const { searchParams } = request.url;
    const limit = Number(searchParams.get("max_results") ?? 10);
    if (!Number.isInteger(limit) || limit < 5 || limit > 100) throw invalid("max_results", "It is 5 to 100.");
    const from = searchParams.get("start_time");
    if (from !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(from))
      throw invalid("start_time", "It is a time in whole seconds, in UTC.");
    const start = from === null ? 0 : Date.parse(from);
    const listed = state.posts
      .filter((post) => post.account.id === userId && !post.isDeleted && !state.hidden.has(post.readers))
      .filter((post) => post.created_at >= start && state.lag.shows(post.created_at))
      .reverse();
    const offset = Number(searchParams.get("pagination_token") ?? 0);
    const { items, next } = pageAt(listed, { from: offset, count: limit });
    return ok(pageOf(items, searchParams, next));
  }

  return {
    routes: [route("createPost", "POST /2/tweets", create), route("userPosts", "GET /2/users/:id/tweets", list)],
    posts: (): SandboxPost[] =>
      state.posts
        .filter(({ isDeleted }) => !isDeleted)
        .map((post) => ({
          id: post.id,
          account: post.account.id,
          text: post.text,
          media: post.media.length,
          alt: post.media.map(({ alt }) => alt ?? ""),
          reply_to: post.reply_to,
          url: `https://x.com/${post.account.username}/status/${post.id}`,
          created_at: new Date(post.created_at).toISOString(),
        })),
    switches: {
      postAs(externalId: string, given: { text: string; reply_to?: string; readers?: Readers }): string {
        const { text, reply_to = null, readers = "everybody" } = given;
        const account = withId(state.accounts, externalId, "account");
        return place({ account, text, media: [], poll: null, reply_to, readers, given: {} }).id;
      },
      detailsOf: (postId: string): StoredPost => withId(state.posts, postId, "post"),
      removePost(postId: string): void {
        withId(state.posts, postId, "post").isDeleted = true;
      },
    },
  };
}

const notAllowed = "You are not permitted to perform this action.";
const notSummoned =
  "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.";

function assertText({ plan }: Account, text: string, body: Body): void {
  if (text === "" && body.media === undefined) throw invalid("text", "A post needs a text or media.");
  if (body.poll !== undefined && body.media !== undefined) throw invalid("poll", "A post has a poll or media.");
  const max = plan === "Premium" || plan === "PremiumPlus" ? textMax.premium : textMax.ordinary;
  if (countText(text, { max, unit: "weighted", url_length: 23 }) > max) throw invalid("text", "The text is too long.");
  if ((text.match(cashtag) ?? []).length > 1)
    throw refusal(403, null, "A post has a maximum of one cashtag on your access level.");
}

function readersOf({ community_id, for_super_followers_only }: Body): Readers {
  if (for_super_followers_only === true) return "subscribers";
  return community_id === undefined ? "everybody" : "community";
}

function alike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.normalize("NFC").replace(/\s+/g, " ").trim());
  return a === b;
}

function pageOf(page: readonly StoredPost[], parameters: URLSearchParams, next: number | null): object {
  const fields = (parameters.get("tweet.fields") ?? "").split(",");
  const expansions = (parameters.get("expansions") ?? "").split(",");
  const polls = page.flatMap(({ poll }) => poll ?? []);
  const showsPolls = expansions.includes("attachments.poll_ids") && polls.length > 0;
  return {
    data: page.length === 0 ? undefined : page.map((post) => postJson(post, fields)),
    includes: showsPolls ? { polls: polls.map(pollJson) } : undefined,
    meta: {
      result_count: page.length,
      newest_id: page[0]?.id,
      oldest_id: page.at(-1)?.id,
      next_token: next?.toString(),
    },
  };
}

function pollJson({ id: pollId, options }: NonNullable<StoredPost["poll"]>): object {
  return { id: pollId, options: options.map((label, index) => ({ position: index + 1, label, votes: 0 })) };
}
