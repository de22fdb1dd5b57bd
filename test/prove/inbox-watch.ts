import type { Operation, Row, Storage } from "../../src/storage/storage.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import type { Finding } from "../support/verdict.ts";

/** Claims at one moment, more than any work needs: the same is due again and again. */
const maxClaims = 5_000;

/**
 * Counts by itself what nobody has read: each message that comes in is one more until it is deleted, and only whoever says
 * that it was read lowers it. Looks at every write of the memory store, which is carried out when its call returns.
 */
export function watchInboxes(storage: Storage, clock: Pick<ManualClock, "monotonic">, findings: Finding[]): Storage {
  let [moment, claims] = [0, 0];
  /** By conversation, what came in and was not read. */
  const unread = new Map<string, Set<string>>();
  const seqs = new Map<string, number>();

  function see(operations: readonly Operation[]): void {
    const came = operations.flatMap((each) =>
      each.kind === "insert" && isNews(each.collection, each.row) ? [each.row] : [],
    );
    for (const { id, conversation_id } of came) unreadIn(String(conversation_id)).add(id);
    for (const each of operations)
      if (each.collection === "messages" && each.kind === "update" && each.change.deleted_at != null)
        for (const ids of unread.values()) ids.delete(each.id);
    for (const each of operations) seeSeq(each);
    for (const each of operations) {
      if (each.collection !== "conversations" || each.kind === "check" || each.kind === "delete") continue;
      const [id, row] = each.kind === "insert" ? [each.row.id, each.row] : [each.id, each.change];
      if (typeof row.unread_count !== "number") continue;
      const expected = unreadIn(id).size;
      const isRead = came.every(({ conversation_id }) => conversation_id !== id) && row.unread_count < expected;
      // Nobody marks the middle of what is unread.
      if (isRead && row.unread_count === 0) unreadIn(id).clear();
      else if (row.unread_count !== expected)
        findings.push({ what: "untrue", message: `${id} has ${row.unread_count} unread, and ${expected} came in` });
    }
  }

  function unreadIn(id: string): Set<string> {
    const ids = unread.get(id) ?? new Set<string>();
    unread.set(id, ids);
    return ids;
  }

  /** No two rows of a profile's inbox have one number: whoever follows it would miss one. */
  function seeSeq(operation: Operation): void {
    if (operation.collection !== "inboxes" || operation.kind !== "update") return;
    const { seq } = operation.change;
    if (typeof seq !== "number") return;
    const before = seqs.get(operation.id) ?? 0;
    if (seq < before)
      findings.push({ what: "untrue", message: `the number of ${operation.id} went from ${before} to ${seq}` });
    seqs.set(operation.id, seq);
  }

  return {
    ...storage,
    migrate: () => storage.migrate(),
    async write(operations) {
      await storage.write(operations);
      see(operations);
    },
    async claim(...question) {
      claims = moment === clock.monotonic() ? claims + 1 : 0;
      moment = clock.monotonic();
      if (claims === maxClaims) findings.push({ what: "stuck", message: `${question[0]}: due again and again` });
      // Else the clock would never go on.
      return claims >= maxClaims ? [] : storage.claim(...question);
    },
  };
}

function isNews(collection: string, row: Row): boolean {
  if (collection !== "messages" || row.direction !== "inbound" || row.state !== "live") return false;
  // What is told as deleted before it was seen is no news.
  return row.deleted_at === null;
}
