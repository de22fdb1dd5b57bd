import { moves } from "../../src/posts/moves.ts";
import type { PostStatus } from "../../src/publishing/schema.ts";
import type { Operation, Row, Storage } from "../../src/storage/storage.ts";
import type { Finding } from "../support/verdict.ts";

/** The news of a profile, as an endpoint is to be told it: `profile.connected of prof_1`. */
export interface StoreWatch {
  storage: Storage;
  findings: Finding[];
  profileNews: string[];
}

/**
 * Looks at every change of the memory store, which is carried out when its
 * call returns: moves of posts, epochs, intents, news of profiles.
 */
export function watchStore(storage: Storage, onChange: () => void): StoreWatch {
  const findings: Finding[] = [];
  const profileNews: string[] = [];
  const postStatuses = new Map<string, PostStatus>();
  const profileStatuses = new Map<string, string>();
  const epochs = new Map<string, number>();
  let lastSeen: Promise<void> = Promise.resolve();
  const postOfTarget = new Map<string, string>();
  const say = (what: Finding["what"], message: string): void => void findings.push({ what, message });

  function seePost({ id, status }: Row, targets: readonly Row[]): void {
    const to = status as PostStatus;
    const from = postStatuses.get(id) ?? null;
    postStatuses.set(id, to);
    const isListed = from === to || moves.some((move) => move.from.includes(from) && move.to.includes(to));
    if (!isListed) say("untrue", `${id} went from ${from} to ${to}, which is no move`);
    const shown = targets.map((target) => String(target.status));
    if (!expectedStatuses(shown).includes(to)) say("untrue", `${id} is ${to}, and its targets are ${shown}`);
  }

  function seeProfile({ id, status }: Row): void {
    const before = profileStatuses.get(id);
    profileStatuses.set(id, String(status));
    if (before !== status) profileNews.push(`profile.${status} of ${id}`);
  }

  function seeEpoch({ id, epoch }: Row): void {
    const before = epochs.get(id) ?? 0;
    if (Number(epoch) < before) say("untrue", `the epoch of ${id} went from ${before} to ${epoch}`);
    epochs.set(id, Number(epoch));
  }

  function seeIntent(row: Row, all: readonly Row[]): void {
    const open = all.filter(({ id, state }) => id !== row.id && (state === "open" || state === "unknown"));
    if (open.length > 0) say("overlap", `${row.id} was opened while nobody knew what became of ${open[0]?.id}`);
  }

  /** What was written first is seen first. */
  function inOrder(looks: Promise<readonly ((() => void) | null)[]>): Promise<void> {
    const before = lastSeen;
    lastSeen = looks.then(
      async (sees) => {
        await before;
        for (const see of sees) see?.();
      },
      () => before,
    );
    return lastSeen;
  }

  /** Reads in the same turn as the write, so that no other write comes in between. */
  function look(operation: Operation): Promise<() => void> | null {
    const { collection } = operation;
    const id = operation.kind === "insert" ? operation.row.id : operation.id;
    if (operation.kind === "check") return null;
    if (collection === "targets" && operation.kind === "insert") postOfTarget.set(id, String(operation.row.post_id));
    if (collection === "posts" || collection === "targets") {
      const postId = postOfTarget.get(id) ?? id;
      const reads = [storage.get("posts", postId), storage.find("targets", { where: { post_id: postId } })] as const;
      return Promise.all(reads).then(
        ([post, targets]) =>
          () =>
            post !== null && seePost(post, targets.rows),
      );
    }
    if (collection === "profiles" || collection === "endpoints") {
      return storage.get(collection, id).then((row) => () => {
        if (row !== null) seeEpoch(row);
        if (row !== null && collection === "profiles") seeProfile(row);
      });
    }
    if (collection !== "intents" || operation.kind !== "insert") return null;
    const { row } = operation;
    const where = { subject_id: String(row.subject_id), part: Number(row.part) };
    return storage.find("intents", { where }).then(
      ({ rows }) =>
        () =>
          seeIntent(row, rows),
    );
  }

  return {
    findings,
    profileNews,
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      async write(operations) {
        const written = storage.write(operations);
        const reads = Promise.all(operations.map(look));
        const seen = inOrder(written.then(() => reads));
        await written;
        await seen;
        onChange();
      },
      async claim(...question) {
        const claimed = storage.claim(...question);
        void inOrder(claimed.then((rows) => rows.map((row) => () => seeEpoch(row))));
        const rows = await claimed;
        return rows;
      },
    },
  };
}

/** As the specification says it: what waits, and what its targets make of a post that was started. */
function expectedStatuses(targets: readonly string[]): readonly string[] {
  if (targets.every((status) => status === "pending")) return ["draft", "scheduled", "publishing"];
  if (targets.every((status) => status === "skipped")) return ["cancelled"];
  if (targets.some((status) => status === "pending" || status === "publishing")) return ["publishing"];
  if (targets.every((status) => status === "published")) return ["published"];
  return targets.some((status) => status === "published") ? ["partially_published"] : ["failed"];
}
