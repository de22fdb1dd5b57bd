import { releaseOperations, useOperations } from "../hosting/uses.ts";
import { planPost } from "../planning/planner.ts";
import { assertEntitled, readAddressees } from "../planning/recipients.ts";
import type { ParsedCreatePost } from "../planning/schema.ts";
import { isoTime } from "../ports/clock.ts";
import type { PostRow, TargetRow } from "../publishing/rows.ts";
import type { Post } from "../publishing/schema.ts";
import { isOpen } from "../publishing/status.ts";
import { type Operation, StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { type ErrorDetail, SocialError } from "../wire/errors.ts";
import { isSameJson } from "../wire/json.ts";
import { fileGone, hostedKeysIn, readHostedFiles } from "./files.ts";
import { assertValid, refuse } from "./make.ts";
import type { PostPorts } from "./ports.ts";
import { beginRetry, type Mended } from "./retry.ts";
import type { ParsedUpdatePost } from "./schema.ts";
import { driveUntilSettled, readWhole } from "./wait.ts";

type Overrides = ParsedCreatePost["networks"];

/** True: a part of the post is live, or may be or become so. Such a post is mended, not replaced. */
export function isOut({ status }: PostRow, targets: readonly TargetRow[]): boolean {
  if (status === "publishing" || status === "partially_published") return true;
  return status === "failed" && targets.some(({ private: { live, may_be_live } }) => live.length > 0 || may_be_live);
}

/**
 * Changes the overrides of networks where the post has certainly failed, so that a retry of their targets uses them.
 * The shared content stays, and so do the overrides of networks where something is or may be live: a post always shows
 * the text that was published.
 *
 * @throws SocialError `conflict` naming each field that cannot be changed; `invalid_request` and `payment_required`
 * like `create`
 */
export async function mendPost(
  ports: PostPorts,
  post: PostRow,
  targets: readonly TargetRow[],
  update: ParsedUpdatePost,
): Promise<Post> {
  const changed = changedOverrides(post, targets, update);
  const mended = Object.keys(changed).length === 0 ? null : await planMended(ports, post, { targets, changed });
  if (update.publish_now === true) {
    await beginRetry(ports, post, { profileIds: null, force: false, key: null }, mended);
    return driveUntilSettled(ports, post.id);
  }
  if (mended !== null) await store(ports, post, mended);
  return readWhole(ports, post.id);
}

async function store(ports: PostPorts, post: PostRow, { change, operations }: Mended): Promise<void> {
  const now = await ports.storage.now();
  const whole = toChange({ ...change, version: post.version + 1, updated_at: isoTime(now) });
  const where = { version: post.version };
  try {
    await ports.storage.write([
      { kind: "update", collection: "posts", id: post.id, change: whole, where },
      ...operations,
    ]);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.operation.collection === "media") throw fileGone();
    throw new SocialError("conflict", "The post was changed by another request; read it again.");
  }
}

/** Validates the changed overrides with their targets, like `create`. */
async function planMended(
  ports: PostPorts,
  post: PostRow,
  { targets, changed }: { targets: readonly TargetRow[]; changed: Overrides },
): Promise<Mended> {
  const { account_id: accountId, private: state } = post;
  const body: ParsedCreatePost = { ...state.body, networks: { ...state.body.networks, ...changed } };
  const mendable = targets.filter(({ network }) => Object.hasOwn(changed, network));
  const addressees = await readAddressees(
    ports,
    accountId,
    mendable.map(({ profile_id }) => profile_id),
  );
  await assertEntitled(ports, accountId, addressees);
  assertValid(await planPost(ports, { accountId, body }, addressees));
  // Checks only new files: those of live parts may be deleted by now.
  refuse((await readHostedFiles(ports, accountId, { ...body, media: [], link: null, networks: changed })).details);
  const files = hostedKeysIn(ports, body);
  const { files: held = [], ...others } = state;
  return {
    change: {
      networks: body.networks as Post["networks"],
      private: { ...others, body, ...(files.length === 0 ? {} : { files }) },
    },
    operations: post.status === "publishing" ? fileOperations(post, { held, files }) : [],
  };
}

/** A post that has ended needs no files until it is retried. */
function fileOperations(post: PostRow, { held, files }: { held: readonly string[]; files: string[] }): Operation[] {
  const added = files.filter((key) => !held.includes(key));
  const dropped = held.filter((key) => !files.includes(key));
  return [...releaseOperations(post.id, dropped), ...useOperations({ ...post, version: post.version + 1 }, added)];
}

/** @throws SocialError `conflict` naming each field that cannot be changed */
function changedOverrides(
  post: PostRow,
  targets: readonly TargetRow[],
  { networks = {}, publish_now: _publishNow, ...shared }: ParsedUpdatePost,
): Overrides {
  const { networks: before } = post.private.body;
  const named = Object.entries(networks);
  // A caller may read the post and send all its overrides back; only those that differ are changes.
  const changed = named.filter(([network, override]) => !isSameJson(override ?? {}, before[network] ?? {}));
  const details = Object.entries(shared).flatMap(([field, value]): ErrorDetail[] =>
    value === undefined ? [] : [{ field, code: "conflict", message: sharedStays }],
  );
  for (const [network] of changed) {
    const message = whyFixed(targets.filter((target) => target.network === network));
    if (message !== null) details.push({ field: `networks.${network}`, network, code: "conflict", message });
  }
  if (details.length > 0 || named.length === 0) throw notMendable(post, targets, details);
  return Object.fromEntries(changed);
}

const sharedStays =
  "A part of the post is live, or may be, with this text: it cannot be changed. Change networks.<network> of a network where all targets have failed.";

/** Why a network's override cannot change. Null: all its targets have certainly failed. */
function whyFixed(targets: readonly TargetRow[]): string | null {
  if (targets.length === 0) return "The post is not addressed to this network.";
  if (targets.some(({ status, private: { live } }) => status === "published" || live.length > 0))
    return "At least a part of it is live on this network.";
  if (targets.some(({ status }) => isOpen(status))) return "Publishing on this network is still in progress.";
  if (targets.some(({ private: { may_be_live } }) => may_be_live))
    return "It may be live on this network: check there first.";
  return null;
}

function notMendable(post: PostRow, targets: readonly TargetRow[], details: ErrorDetail[]): SocialError {
  const networks = [...new Set(targets.map(({ network }) => network))];
  const mendable = networks.filter(
    (network) => whyFixed(targets.filter((target) => target.network === network)) === null,
  );
  if (mendable.length === 0) {
    const message = "A part of the post is live, or may be: it can be retried, but not updated.";
    return new SocialError("conflict", `The post is ${post.status}; ${message}`, { details });
  }
  const fields = mendable.map((network) => `networks.${network}`).join(", ");
  const message = `The post is ${post.status}; only ${fields} of failed networks can still be changed.`;
  return new SocialError("conflict", message, { details });
}
