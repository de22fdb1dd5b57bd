import type { PlannedMedia } from "../networks/contract/plan.ts";
import { toDetails, toLink } from "../planning/plan.ts";
import { type PlannedPost, planPost } from "../planning/planner.ts";
import { assertEntitled, assertUsable, readAddressees } from "../planning/recipients.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import { isoTime } from "../ports/clock.ts";
import { emptyTargetState, type PostRow, type TargetRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { startedTarget } from "../publishing/start.ts";
import type { Operation } from "../storage/storage.ts";
import { toRow } from "../storage/typed.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { readHostedFiles } from "./files.ts";
import type { PostPorts } from "./ports.ts";
import { isNow } from "./schema.ts";

/** A plan, with the keys of the hosted files that the post needs. */
export interface PlannedWithFiles extends PlannedPost {
  files: readonly string[];
}

/** The status of a post after it is created or updated. */
export type Intention = "draft" | "scheduled" | "publishing";

/** @throws SocialError `invalid_request` if it is both a draft and to be published now */
export function intentionOf(body: ParsedCreatePost, now: number): Intention {
  if (body.draft && body.publish_now) {
    const message = "draft and publish_now exclude each other: leave one out.";
    throw new SocialError("invalid_request", "The request is not valid.", {
      details: ["draft", "publish_now"].map((field) => ({ field, code: "invalid_request", message })),
    });
  }
  if (body.draft) return "draft";
  if (body.publish_now || body.scheduled_at == null || isNow(body.scheduled_at, now)) return "publishing";
  return "scheduled";
}

/**
 * Reads the addressed profiles and plans the post. A draft need not be publishable yet, but its files must exist.
 *
 * @throws SocialError `invalid_request` with one detail per network and field; `payment_required`
 */
export async function planFor(
  ports: PostPorts,
  accountId: string,
  { body, intention }: { body: ParsedCreatePost; intention: Intention },
): Promise<PlannedWithFiles> {
  const addressees = await readAddressees(ports, accountId, body.profile_ids);
  if (intention === "publishing") assertUsable(addressees, body.profile_ids);
  await assertEntitled(ports, accountId, addressees);
  const planned = await planPost(ports, { accountId, body }, addressees);
  if (intention === "draft") refuse(missingMediaDetails(planned, []));
  else assertValid(planned);
  const files = await readHostedFiles(ports, accountId, body);
  refuse(files.details);
  return { ...planned, files: files.keys };
}

/** @throws SocialError `invalid_request` with one detail per network and field, if a target is invalid */
export function assertValid(planned: PlannedPost): void {
  const targetDetails = planned.targets.flatMap(toDetails);
  refuse([...targetDetails, ...missingMediaDetails(planned, targetDetails)]);
}

/** @throws SocialError `invalid_request` if there are details */
export function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return;
  const networks = [...new Set(details.flatMap(({ network }) => network ?? []))].join(", ");
  const where = networks === "" ? "" : ` for ${networks}`;
  throw new SocialError("invalid_request", `The post is not valid${where}; nothing was sent.`, { details });
}

/** Error details for unreadable files that a network uses, without those in `known`. */
function missingMediaDetails({ media }: PlannedPost, known: readonly ErrorDetail[]): ErrorDetail[] {
  return media.flatMap((result, index) => {
    const field = `media[${index}]`;
    if (result === null || !("error" in result) || known.some((detail) => detail.field === field)) return [];
    return [{ field, code: result.error.code, message: result.error.message }];
  });
}

/** The public fields of a post that derive from its body, and when it is to be started. */
export function fieldsOf(
  body: ParsedCreatePost,
  { planned, intention }: { planned: PlannedWithFiles; intention: Intention },
): Omit<
  PostRow,
  "id" | "account_id" | "published_at" | "source" | "idempotency_key" | "created_at" | "updated_at" | "version"
> {
  const scheduled_at = body.scheduled_at == null ? null : isoTime(Date.parse(body.scheduled_at));
  return {
    status: intention,
    text: body.text,
    media: planned.media.flatMap((result) => (result === null || "error" in result ? [] : [toPostMedia(result)])),
    link: toLink(body.link),
    post_type: body.post_type,
    title: body.title ?? null,
    thread: body.thread ?? null,
    auto_thread: body.auto_thread,
    networks: body.networks as Post["networks"],
    scheduled_at,
    due_at: intention === "scheduled" ? Date.parse(scheduled_at ?? "") : null,
    target_networks: [...new Set(planned.targets.map(({ profile }) => profile.network))].sort().join(","),
    private: { body, waiting_since: null, ...(planned.files.length === 0 ? {} : { files: [...planned.files] }) },
  };
}

/** The plan and intention of a body. */
export interface Making {
  planned: PlannedWithFiles;
  intention: Intention;
  now: number;
}

/** The new targets of a post. */
export function newTargets(
  ports: PostPorts,
  post: Pick<PostRow, "id" | "account_id" | "created_at">,
  { planned, intention, now }: Making,
): TargetRow[] {
  return planned.targets.map((plan, position): TargetRow => {
    const { profile } = plan;
    const pending: TargetRow = {
      id: ports.ids.create("target", now),
      account_id: post.account_id,
      post_id: post.id,
      profile_id: profile.id,
      network: profile.network,
      profile_name: profile.name,
      post_ids: [],
      url: null,
      published_at: null,
      error: null,
      position,
      created_at: post.created_at,
      status: "pending",
      attempts: 0,
      due_at: null,
      post_status: intention,
      private: emptyTargetState(),
    };
    return intention === "publishing" ? startedTarget(pending, plan, { now, dueAt: null }) : pending;
  });
}

/** Stores the targets. Makes the profiles due if the post is to be published now. */
export function insertTargets(targets: readonly TargetRow[], { intention, now }: Making): Operation[] {
  return [
    ...targets.map((target): Operation => ({ kind: "insert", collection: "targets", row: toRow(target) })),
    ...(intention === "publishing" ? targets.map(({ profile_id }) => dueNowIfUsable(profile_id, now)) : []),
  ];
}

/** Makes the profile due unless it is disconnected. */
function dueNowIfUsable(id: string, now: number): Operation {
  return { kind: "update", collection: "profiles", id, change: { due_at: now }, where: { status: "connected" } };
}

function toPostMedia(media: PlannedMedia): PostRow["media"][number] {
  const { url, type, mime_type, size_bytes, alt, thumbnail_url } = media;
  return { url, type, mime_type, size_bytes, alt, thumbnail_url };
}
