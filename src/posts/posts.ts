import type * as z from "zod";
import { toPlan } from "../planning/plan.ts";
import { planPost } from "../planning/planner.ts";
import { quotaOf } from "../planning/quota.ts";
import { readAddressees } from "../planning/recipients.ts";
import { createPostSchema, type ParsedCreatePost, type PostPlan } from "../planning/schema.ts";
import { isoTime } from "../ports/clock.ts";
import { readTargets, toPost } from "../publishing/read.ts";
import type { PostRow, TargetRow } from "../publishing/rows.ts";
import { type Post, postStatuses } from "../publishing/schema.ts";
import { findPage } from "../storage/find-page.ts";
import type { Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { CursorPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import { cancelPost } from "./cancel.ts";
import { type CreatedPost, createPost, replayEarlier } from "./create.ts";
import { readHostedFiles, withMissing } from "./files.ts";
import { withFilesKept } from "./given-files.ts";
import { parsePost } from "./parse.ts";
import type { PostPorts } from "./ports.ts";
import { type PreparedPost, preparePost } from "./prepare.ts";
import { type RetriedPost, replayRetry, retryPost } from "./retry.ts";
import {
  type CreatePost,
  type ListPosts,
  listPostsSchema,
  type RetryPost,
  retryPostSchema,
  type UpdatePost,
  updatePostSchema,
} from "./schema.ts";
import { updatePost } from "./update.ts";

/** The post's origin. @default "library" */
export interface PostSource {
  /** `api`, `library`, or a value of yours. @default "library" */
  source?: string | undefined;
}

/** The posts of one account. */
export interface Posts<Create = CreatePost, Update = UpdatePost> {
  /**
   * Publishes a post on every addressed profile, or schedules it for `scheduled_at`. Returns when every target has
   * settled, or after `publishWaitMs`, with the unfinished ones still `publishing`. A repeated `idempotency_key`
   * returns the first post.
   *
   * @throws SocialError `invalid_request` with a detail per network and field; nothing was sent
   * @throws SocialError `payment_required` when `entitlements` refuses
   */
  create(body: Create, options?: PostSource): Promise<Post>;
  /** As `create`; also returns whether the key was used before. */
  createOrReplay(body: Create, options?: PostSource): Promise<CreatedPost>;
  /**
   * Prepares a scheduled post or a draft, to be stored in a transaction of your own database. No alarm is set;
   * the worker finds the post when it next looks for due work.
   *
   * @throws SocialError like `create`; `invalid_request` for a post that is due now
   */
  prepare(body: Create, options?: PostSource): Promise<PreparedPost>;
  /** The post's current state. @throws SocialError `not_found` */
  get(id: string): Promise<Post>;
  /** Newest first. A walk with `cursor` instead of `offset` returns each post once, however long it is. @throws SocialError `invalid_request` naming an unknown filter */
  list(query?: ListPosts): Promise<CursorPage<Post>>;
  /**
   * Replaces the named fields of a post of which nothing is live: a draft, a scheduled or a failed one. Then publishes
   * it, schedules it, or keeps it as a draft, as the body says. Returns like `create`.
   *
   * If a part of the post is live or in progress, only `networks.<network>` can be replaced, where all targets of the
   * network have certainly failed. A later retry uses the new override; with `publish_now` the retry starts now.
   *
   * @throws SocialError `conflict` when it is too late, with a detail for each field; `invalid_request` and
   * `payment_required` like `create`
   */
  update(id: string, body: Update): Promise<Post>;
  /**
   * Cancels a draft or a scheduled post. Sends nothing and emits no event. @throws SocialError `conflict` when it is
   * too late
   */
  cancel(id: string): Promise<Post>;
  /** The parts that `create` would publish, and the issues that prevent it. Sends nothing. */
  validate(body: Create): Promise<PostPlan>;
  /**
   * Retries the failed targets; a thread continues after its last live part. A target that may be live is skipped, with
   * an entry in its `warnings`, unless `force` is set. Returns like `create`. A repeated `idempotency_key` starts
   * nothing and returns the current post.
   *
   * @throws SocialError `conflict` when none failed, or, without `force`, when all failed targets may be live or
   * `profile_ids` names one that may be; a detail then lists the `profile_ids` that are safe
   */
  retry(id: string, options?: RetryPost): Promise<Post>;
  /** As `retry`; also returns whether the key was used before on this post. */
  retryOrReplay(id: string, options?: RetryPost): Promise<RetriedPost>;
}

export function createPosts(ports: PostPorts, accountId: string): Posts {
  async function createOrReplay(body: CreatePost, { source = "library" }: PostSource = {}): Promise<CreatedPost> {
    const context = { accountId, source };
    const earlier = await replayEarlier(ports, keyIn(body), context);
    if (earlier !== null) return earlier;
    return withFilesKept(ports, accountId, body, {
      parse: (named) => parsePost(ports, createPostSchema, named),
      async act(parsed) {
        const answer = await createPost(ports, parsed, context);
        return { answer, isUsed: !answer.replayed };
      },
    });
  }

  async function read(id: string): Promise<PostRow> {
    const row = await ports.storage.get("posts", id);
    const post = row === null ? null : fromRow<PostRow>(row);
    if (post === null || post.account_id !== accountId) {
      throw new SocialError("not_found", "This account has no such post.");
    }
    return post;
  }

  async function retryOrReplay(id: string, options: RetryPost = {}): Promise<RetriedPost> {
    const post = await read(id);
    const earlier = await replayRetry(ports, post, keyIn(options));
    if (earlier !== null) return earlier;
    const { profile_ids: profileIds = null, force, idempotency_key: key = null } = parseInput(retryPostSchema, options);
    return retryPost(ports, post, { profileIds, force, key });
  }

  return {
    create: async (body, options) => (await createOrReplay(body, options)).post,
    createOrReplay,
    prepare: async (body, { source = "library" } = {}) =>
      withFilesKept(ports, accountId, body, {
        parse: (named) => parsePost(ports, createPostSchema, named),
        act: async (parsed) => ({ answer: await preparePost(ports, parsed, { accountId, source }), isUsed: true }),
      }),
    get: async (id) => toPost(await read(id), await readTargets(ports.storage, id)),
    async list(query = {}) {
      const { limit, offset, cursor, ...filters } = parseInput(listPostsSchema, query);
      const wanted = await queryFor(ports, accountId, filters);
      const { rows, pagination } = await findPage(ports.storage, "posts", wanted, { limit, offset, cursor });
      const posts = rows.map((row) => fromRow<PostRow>(row));
      const targets = await readTargetsOf(ports, posts);
      const data = posts.map((post) =>
        toPost(
          post,
          targets.filter(({ post_id }) => post_id === post.id),
        ),
      );
      return { data, pagination };
    },
    async update(id, body) {
      const post = await read(id);
      return withFilesKept(ports, accountId, body, {
        parse: (named) => parsePost(ports, updatePostSchema, named),
        act: async (parsed) => ({ answer: await updatePost(ports, post, parsed), isUsed: true }),
      });
    },
    cancel: async (id) => cancelPost(ports, await read(id)),
    validate: async (body) =>
      withFilesKept(ports, accountId, body, {
        parse: (named) => parsePost(ports, createPostSchema, named),
        act: async (parsed) => ({ answer: await showPlan(ports, accountId, parsed), isUsed: false }),
      }),
    retry: async (id, options) => (await retryOrReplay(id, options)).post,
    retryOrReplay,
  };
}

async function showPlan(ports: PostPorts, accountId: string, body: ParsedCreatePost): Promise<PostPlan> {
  const addressees = await readAddressees(ports, accountId, body.profile_ids);
  const planned = await planPost(ports, { accountId, body }, addressees);
  const files = await readHostedFiles(ports, accountId, body);
  const targets = await Promise.all(
    planned.targets.map(async (target) => withMissing(toPlan(target, await quotaOf(ports, target)), files.details)),
  );
  return { valid: targets.every(({ valid }) => valid), targets };
}

/** Read before the rest is parsed: a key that was used before returns its post. */
const idempotencyKeySchema = createPostSchema.pick({ idempotency_key: true }).strip();

function keyIn(body: unknown): string | null | undefined {
  return idempotencyKeySchema.safeParse(body).data?.idempotency_key;
}

type Filters = Omit<z.output<typeof listPostsSchema>, "limit" | "offset" | "cursor">;

async function queryFor(
  ports: PostPorts,
  accountId: string,
  { status, created_after, created_before, ...addressed }: Filters,
): Promise<{ where: Where; some?: { targets: Where } }> {
  const targets = await targetsFor(ports, addressed);
  const created = {
    ...(created_after === undefined ? {} : { gte: isoTime(Date.parse(created_after)) }),
    ...(created_before === undefined ? {} : { lte: isoTime(Date.parse(created_before)) }),
  };
  // The indexes of targets are in order for one status at a time, so all statuses are listed.
  const statuses = status ?? (targets === null ? undefined : postStatuses);
  return {
    where: {
      account_id: accountId,
      ...(statuses === undefined ? {} : { status: { in: statuses } }),
      ...(Object.keys(created).length === 0 ? {} : { created_at: created }),
    },
    ...(targets === null ? {} : { some: { targets } }),
  };
}

/** The condition for targets; null: none. A profile never changes its network, so a query needs only one of the two. */
async function targetsFor(
  { storage }: PostPorts,
  { network, profile_id }: Pick<Filters, "network" | "profile_id">,
): Promise<Where | null> {
  if (profile_id === undefined) return network === undefined ? null : { network: { in: network } };
  if (network === undefined) return { profile_id };
  const profile = await storage.get("profiles", profile_id);
  return { profile_id: network.includes(String(profile?.network)) ? profile_id : { in: [] } };
}

async function readTargetsOf(ports: PostPorts, posts: readonly PostRow[]): Promise<TargetRow[]> {
  if (posts.length === 0) return [];
  const found = await ports.storage.find("targets", { where: { post_id: { in: posts.map(({ id }) => id) } } });
  return found.rows.map((row) => fromRow<TargetRow>(row));
}
