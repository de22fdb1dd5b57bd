import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPost } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import { route } from "../parts/routes.ts";
import type { Assets } from "./assets.ts";
import { listedOf, shownOf } from "./little-text.ts";
import type { Logins } from "./logins.ts";
import { forbidden, refusal, unprocessable } from "./refusal.ts";
import { listed, mayPostFor, postOf, type State, type StoredPost } from "./state.ts";

const file = z.strictObject({
  id: z.string(),
  altText: z.string().max(4_086).optional(),
  title: z.string().optional(),
});

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/post-api-schema (2026-08) */
const contentSchema = z.union([
  z.strictObject({ media: file }),
  z.strictObject({ multiImage: z.strictObject({ images: z.array(file).min(2).max(20) }) }),
  z.strictObject({
    article: z.strictObject({
      source: z.url(),
      title: z.string().min(1).max(400),
      description: z.string().optional(),
      thumbnail: z.string().optional(),
    }),
  }),
  z.strictObject({
    poll: z.strictObject({
      question: z.string().min(1).max(140),
      options: z
        .array(z.strictObject({ text: z.string().min(1).max(30) }))
        .min(2)
        .max(4),
      settings: z.strictObject({ duration: z.enum(["ONE_DAY", "THREE_DAYS", "SEVEN_DAYS", "FOURTEEN_DAYS"]) }),
    }),
  }),
]);

const bodySchema = z.strictObject({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(["PUBLIC", "CONNECTIONS", "LOGGED_IN"]),
  distribution: z.strictObject({
    feedDistribution: z.enum(["MAIN_FEED", "NONE"]),
    targetEntities: z.array(z.unknown()),
    thirdPartyDistributionChannels: z.array(z.unknown()).max(0),
  }),
  lifecycleState: z.literal("PUBLISHED"),
  isReshareDisabledByAuthor: z.boolean(),
  content: contentSchema.optional(),
  reshareContext: z.strictObject({ parent: z.string().regex(/^urn:li:(?:share|ugcPost):\d+$/) }).optional(),
});

type Body = z.infer<typeof bodySchema>;

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/ugc-post-api (2026-08); what counts (unconfirmed) */
const maxText = 3_000;
/** How long an equal text is rejected. Same source. */
const remembersMs = 600_000;

export function createPosts(state: State, logins: Logins, assets: Assets) {
  function place(given: Omit<StoredPost, "urn" | "created_at" | "isDeleted">, kind = "share"): StoredPost {
    const post = { ...given, urn: `urn:li:${kind}:${state.newId()}`, created_at: state.now(), isDeleted: false };
    state.posts.push(post);
    return post;
  }

  function assertNew({ author, commentary }: Body): void {
    const since = state.now() - remembersMs;
    const same = state.posts.find(
      (post) => post.author === author && !post.isDeleted && post.created_at > since && post.commentary === commentary,
    );
    if (same === undefined || commentary === "") return;
    throw unprocessable("DUPLICATE_POST", `Content is a duplicate of ${same.urn}`);
  }

  function assertQuota(): void {
    if (!state.quota.isUsedUp()) return;
    throw refusal(
      429,
      "TOO_MANY_REQUESTS",
      "Resource level throttle MEMBER DAY limit for calls to this resource is reached.",
      // Sent, because in the sandbox the limit does not last until midnight.
      { "retry-after": String(state.quota.secondsLeft()) },
    );
  }

  function create(request: SandboxRequest): SandboxAnswer {
    const caller = logins.callerOf(request, "posts.CREATE", "w_member_social", "w_organization_social");
    assertQuota();
    const body = readAs(bodySchema, jsonBody(request), ([{ path, message }]) =>
      refusal(400, "ILLEGAL_ARGUMENT", `/${path.join("/")} :: ${message}`),
    );
    const { author, commentary, content, ...given } = body;
    const isOrganization = author.startsWith("urn:li:organization:");
    if (
      !caller.scopes.includes(isOrganization ? "w_organization_social" : "w_member_social") ||
      !mayPostFor(state, caller.member, author)
    )
      throw forbidden("posts.CREATE", caller.version);
    if (commentary.length > maxText) throw refusal(400, "FIELD_LENGTH_TOO_LONG", "commentary is too long.");
    const { reshareContext } = given;
    if (reshareContext !== undefined) postOf(state, reshareContext.parent);
    if (commentary.trim() === "" && content === undefined && reshareContext === undefined)
      throw refusal(400, "MISSING_FIELD", "commentary is empty.");
    if (given.distribution.targetEntities.length > 0 && !isOrganization)
      throw refusal(400, "INVALID_VALUE_FOR_FIELD", "Only organizations target.");
    const files = filesIn(content).map(({ id, altText = "" }) => ({
      urn: assets.forPost(author, id).urn,
      alt: altText,
    }));
    assertKinds(content, files);
    if (content !== undefined && "article" in content && content.article.thumbnail !== undefined)
      assets.forPost(author, content.article.thumbnail);
    assertNew(body);
    const rest = { ...given, ...(content === undefined ? {} : { content }) } as JsonObject;
    const kind = files.some(({ urn }) => urn.startsWith("urn:li:video:")) ? "ugcPost" : "share";
    const post = place({ author, commentary, shown: shownOf(commentary), given: rest, files, under: null }, kind);
    return { status: 201, headers: { "x-restli-id": post.urn, "x-linkedin-id": post.urn } };
  }

  function list(request: SandboxRequest): SandboxAnswer {
    const caller = logins.callerOf(request, "partnerApiPostsExternal.FINDER-author");
    const { searchParams } = request.url;
    const author = searchParams.get("author") ?? "";
    const isReadable = caller.scopes.includes("r_organization_social") && author.startsWith("urn:li:organization:");
    if (!isReadable || !mayPostFor(state, caller.member, author))
      throw forbidden("partnerApiPostsExternal.FINDER-author", caller.version);
    const count = Number(searchParams.get("count") ?? 10);
    if (!(count >= 1 && count <= 100)) throw refusal(400, "ILLEGAL_ARGUMENT", "q is author, count 1 to 100.");
    const shown = state.posts
      .filter((post) => post.author === author && post.under === null && !post.isDeleted && isListed(state, post))
      .filter((post) => state.lag.shows(post.created_at))
      .reverse();
    return listed(request.url, shown, postJson);
  }

  return {
    routes: [route("createPost", "POST /rest/posts", create), route("findPosts", "GET /rest/posts?q=author", list)],
    posts: (): SandboxPost[] =>
      state.posts
        .filter(({ isDeleted }) => !isDeleted)
        .map((post) => ({
          id: post.urn,
          account: post.author,
          text: post.shown,
          media: post.files.length,
          alt: post.files.map(({ alt }) => alt),
          reply_to: post.under,
          url: post.under === null ? `https://www.linkedin.com/feed/update/${post.urn}/` : null,
          created_at: new Date(post.created_at).toISOString(),
        })),
    switches: {
      postAs(author: string, text: string): string {
        const commentary = text.replace(/[\\|{}@[\]()<>#*_~]/g, "\\$&");
        return place({ author, commentary, shown: text, given: {}, files: [], under: null }).urn;
      },
      detailsOf: (urn: string): StoredPost => postOf(state, urn),
      removePost(urn: string): void {
        postOf(state, urn).isDeleted = true;
      },
    },
  };
}

/** Several files must be images, and a document must have a title. */
function assertKinds(content: Body["content"], files: readonly { urn: string }[]): void {
  if (files.length > 1 && files.some(({ urn }) => !urn.startsWith("urn:li:image:")))
    throw refusal(400, "INVALID_URN_TYPE", "multiImage takes images.");
  const isDocument = files[0]?.urn.startsWith("urn:li:document:") === true;
  if (isDocument && content !== undefined && "media" in content && content.media.title === undefined)
    throw refusal(400, "MISSING_FIELD", "A document needs a title.");
}

function filesIn(content: Body["content"]): z.infer<typeof file>[] {
  if (content === undefined) return [];
  if ("media" in content) return [content.media];
  return "multiImage" in content ? content.multiImage.images : [];
}

function isListed({ hidesUnlisted }: State, { given }: StoredPost): boolean {
  const { feedDistribution } = (given.distribution ?? {}) as { feedDistribution?: string };
  return !hidesUnlisted || feedDistribution !== "NONE";
}

function postJson({ urn: id, author, commentary, created_at, given }: StoredPost): object {
  const times = { createdAt: created_at, publishedAt: created_at, lastModifiedAt: created_at };
  return { ...given, id, author, commentary: listedOf(commentary), ...times, lifecycleState: "PUBLISHED" };
}
