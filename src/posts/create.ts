import { isoTime } from "../clock.ts";
import { type ErrorDetail, SocialError } from "../errors.ts";
import type { PlannedMedia } from "../networks/adapter.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import { demandEntitled, demandUsable, type PlannedPost, planPost, readAddressees } from "./address.ts";
import { toDetails, toLink } from "./plan.ts";
import type { PostPorts } from "./ports.ts";
import { emptyTargetState, type PostRow, type TargetRow } from "./rows.ts";
import type { ParsedCreatePost, Post } from "./schema.ts";
import { startedTarget } from "./start.ts";
import { driveUntilSettled, readWhole, waitUntilSettled } from "./wait.ts";

/** A time less far ahead than this is now, milliseconds. */
const soonestScheduleMs = 60_000;

export interface CreateContext {
  accountId: string;
  /** Where the post came from. */
  source: string;
}

export interface CreatedPost {
  post: Post;
  /** The idempotency key was used before: this is the first request's post. */
  replayed: boolean;
}

/** The post that an idempotency key has made before, whatever the rest of the body says now. */
export async function replayEarlier(
  ports: PostPorts,
  key: string | null | undefined,
  { accountId }: CreateContext,
): Promise<CreatedPost | null> {
  const earlier = await findByKey(ports, accountId, key);
  return earlier === null ? null : replay(ports, earlier);
}

/** Publishes or schedules a post. */
export async function createPost(
  ports: PostPorts,
  body: ParsedCreatePost,
  context: CreateContext,
): Promise<CreatedPost> {
  const now = await ports.storage.now();
  const isScheduled = startsLater(body, now);
  const addressees = await readAddressees(ports, context.accountId, body.profile_ids);
  if (!isScheduled) demandUsable(addressees, body.profile_ids);
  await demandEntitled(ports, context.accountId, addressees);
  const planned = await planPost(ports, body, addressees);
  demandValid(planned);
  const id = ports.ids.create("post", now);
  try {
    await ports.storage.write(operationsFor(ports, { id, body, planned, context, isScheduled, now }));
  } catch (error) {
    return replayAfterConflict(ports, error, { body, context });
  }
  if (!isScheduled) return { post: await driveUntilSettled(ports, id), replayed: false };
  const startAt = Date.parse(body.scheduled_at ?? "");
  for (const { profile } of planned.targets) ports.wake(startAt, profile.id);
  return { post: await readWhole(ports, id), replayed: false };
}

/** @throws SocialError `invalid_request` with one detail per network and field, when any target is not valid */
export function demandValid(planned: PlannedPost): void {
  const targetDetails = planned.targets.flatMap(toDetails);
  const details = [...targetDetails, ...unusedMediaDetails(planned, targetDetails)];
  if (details.length === 0) return;
  const networks = [...new Set(details.flatMap(({ network }) => network ?? []))].join(", ");
  const where = networks === "" ? "" : ` for ${networks}`;
  throw new SocialError("invalid_request", `The post is not valid${where}; nothing was sent.`, { details });
}

/** A file that no network uses must be there all the same: the post shows it. */
function unusedMediaDetails({ media }: PlannedPost, known: readonly ErrorDetail[]): ErrorDetail[] {
  return media.flatMap((result, index) => {
    const field = `media[${index}]`;
    if (!("error" in result) || known.some((detail) => detail.field === field)) return [];
    return [{ field, code: result.error.code, message: result.error.message }];
  });
}

function startsLater(body: ParsedCreatePost, now: number): boolean {
  if (body.publish_now || body.scheduled_at == null) return false;
  return Date.parse(body.scheduled_at) >= now + soonestScheduleMs;
}

async function findByKey(ports: PostPorts, accountId: string, key: string | null | undefined): Promise<string | null> {
  if (key == null) return null;
  const found = await ports.storage.find("posts", { where: { account_id: accountId, idempotency_key: key }, limit: 1 });
  return found.rows[0]?.id ?? null;
}

/** The first request may still be at work: wait for it, but never publish. */
async function replay(ports: PostPorts, postId: string): Promise<CreatedPost> {
  return { post: await waitUntilSettled(ports, postId), replayed: true };
}

async function replayAfterConflict(
  ports: PostPorts,
  error: unknown,
  { body, context }: { body: ParsedCreatePost; context: CreateContext },
): Promise<CreatedPost> {
  if (!(error instanceof StorageConflict)) throw error;
  if (error.operation.collection === "posts") {
    const earlier = await findByKey(ports, context.accountId, body.idempotency_key);
    if (earlier !== null) return replay(ports, earlier);
  }
  if (error.operation.collection === "profiles") {
    throw new SocialError(
      "conflict",
      "A profile stopped being connected while the post was made. Nothing was sent; look at the profile first.",
    );
  }
  throw error;
}

function operationsFor(
  ports: PostPorts,
  options: {
    id: string;
    body: ParsedCreatePost;
    planned: PlannedPost;
    context: CreateContext;
    isScheduled: boolean;
    now: number;
  },
): Operation[] {
  const { id, body, planned, context, isScheduled, now } = options;
  const created_at = isoTime(now);
  const post: PostRow = {
    id,
    account_id: context.accountId,
    status: isScheduled ? "scheduled" : "publishing",
    text: body.text,
    media: planned.media.flatMap((result) => ("error" in result ? [] : [toPostMedia(result)])),
    link: toLink(body.link),
    post_type: body.post_type,
    title: body.title ?? null,
    thread: body.thread ?? null,
    auto_thread: body.auto_thread,
    networks: body.networks as Post["networks"],
    scheduled_at: body.scheduled_at == null ? null : isoTime(Date.parse(body.scheduled_at)),
    published_at: null,
    source: context.source,
    idempotency_key: body.idempotency_key ?? null,
    created_at,
    updated_at: created_at,
    due_at: isScheduled ? Date.parse(body.scheduled_at ?? "") : null,
    version: 1,
    private: { body, waiting_since: null },
  };
  const targets = planned.targets.map((plan, position): TargetRow => {
    const { profile } = plan;
    const pending: TargetRow = {
      id: ports.ids.create("target", now),
      account_id: context.accountId,
      post_id: id,
      profile_id: profile.id,
      network: profile.network,
      profile_name: profile.name,
      post_ids: [],
      url: null,
      published_at: null,
      error: null,
      position,
      created_at,
      status: "pending",
      attempts: 0,
      due_at: null,
      private: emptyTargetState(),
    };
    return isScheduled ? pending : startedTarget(pending, plan, now);
  });
  return [
    { kind: "insert", collection: "posts", row: toRow(post) },
    ...targets.map((target): Operation => ({ kind: "insert", collection: "targets", row: toRow(target) })),
    ...(isScheduled ? [] : planned.targets.map(({ profile }) => pokeUsable(profile.id, now))),
  ];
}

/** Makes the profile due; not while it is disconnected. */
function pokeUsable(id: string, now: number): Operation {
  return { kind: "update", collection: "profiles", id, change: { due_at: now }, where: { status: "connected" } };
}

function toPostMedia(media: PlannedMedia): PostRow["media"][number] {
  const { url, type, mime_type, size_bytes, alt, thumbnail_url } = media;
  return { url, type, mime_type, size_bytes, alt, thumbnail_url };
}
