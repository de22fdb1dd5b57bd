import { isoTime } from "../../src/ports/clock.ts";
import { moves } from "../../src/posts/moves.ts";
import type { PostStatus } from "../../src/publishing/schema.ts";
import type { Operation, Row, Storage } from "../../src/storage/storage.ts";
import { disagreementIn } from "../support/repeated-fields.ts";

/** A store that checks every write of a post. */
export interface ObservedStore {
  storage: Storage;
  /** Every end of a post, as `id status text`, in order. */
  settlements: readonly string[];
  /** Forbidden writes. */
  findings: readonly string[];
  /** Status changes that were made, as `from > to`. */
  walked: ReadonlySet<string>;
  statusOf(id: string): PostStatus | undefined;
}

/** Only for the memory store, which has written when `write` returns its promise. */
export function observeStore(storage: Storage): ObservedStore {
  const statuses = new Map<string, PostStatus>();
  const settlements: string[] = [];
  const findings: string[] = [];
  const walked = new Set<string>();

  function observe(operation: Operation, { post, targets, now }: { post: Row; targets: Row[]; now: number }): void {
    const from = statuses.get(post.id) ?? null;
    const to = post.status as PostStatus;
    statuses.set(post.id, to);
    walked.add(`${from} > ${to}`);
    if (!isListed(from, to)) findings.push(`${post.id} went from ${from} to ${to}`);
    const expected = statusBy(targets.map(({ status }) => String(status)));
    if (hasStarted(to) ? expected !== to : expected !== waitingAs(to)) {
      findings.push(`${post.id} is ${to}, and its targets ${targets.map(({ status }) => status)}`);
    }
    const disagreement = disagreementIn(post, targets);
    if (disagreement !== null) findings.push(disagreement);
    const isStart =
      operation.kind === "update" && from === "scheduled" && hasStarted(to) && !("text" in operation.change);
    if (isStart && String(post.scheduled_at) > isoTime(now)) findings.push(`${post.id} was started early`);
    if (isEnd(to)) settlements.push(`${post.id} ${to} ${post.text}`);
  }

  return {
    settlements,
    findings,
    walked,
    statusOf: (id) => statuses.get(id),
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      async write(operations) {
        const written = storage.write(operations);
        const moved = operations.filter(movesPost);
        const ids = moved.map((operation) => (operation.kind === "insert" ? operation.row.id : operation.id));
        const seen = Promise.all([storage.now(), ...ids.map((id) => readWhole(storage, id))]);
        await written;
        const [now, ...posts] = await seen;
        for (const [index, operation] of moved.entries()) {
          const whole = posts[index];
          if (whole !== undefined) observe(operation, { ...whole, now });
        }
      },
    },
  };
}

async function readWhole(storage: Storage, id: string): Promise<{ post: Row; targets: Row[] } | undefined> {
  const found = Promise.all([storage.get("posts", id), storage.find("targets", { where: { post_id: id } })]);
  const [post, { rows: targets }] = await found;
  return post === null ? undefined : { post, targets };
}

function movesPost(operation: Operation): boolean {
  if (operation.collection !== "posts") return false;
  return operation.kind === "insert" || (operation.kind === "update" && "status" in operation.change);
}

function isListed(from: PostStatus | null, to: PostStatus): boolean {
  return moves.some((move) => move.from.includes(from) && move.to.includes(to));
}

export function hasStarted(status: unknown): boolean {
  return status !== "draft" && status !== "scheduled" && status !== "cancelled";
}

function isEnd(status: PostStatus): boolean {
  return status === "published" || status === "partially_published" || status === "failed";
}

/** As the specification defines it. */
function statusBy(targets: readonly string[]): string {
  if (targets.every((status) => status === "pending")) return "waiting";
  if (targets.every((status) => status === "skipped")) return "cancelled";
  if (targets.some((status) => status === "pending" || status === "publishing")) return "publishing";
  if (targets.every((status) => status === "published")) return "published";
  return targets.some((status) => status === "published") ? "partially_published" : "failed";
}

function waitingAs(status: PostStatus): string {
  return status === "cancelled" ? "cancelled" : "waiting";
}
