import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { AnswerPorts } from "./ports.ts";
import type { InboxRow } from "./rows.ts";
import type { FollowAccount, InboxChanges, ListChanges, ProfileChanges } from "./schema.ts";

/** Options of `follow`. */
export interface FollowOptions {
  /** Ends `follow` without an error. */
  signal?: AbortSignal | undefined;
}

/** Time between two polls, milliseconds. */
const betweenLooksMs = 1_000;
/** `changed_at` is the time when a write begins; the write may become visible this much later, milliseconds. */
const lateMs = 60_000;
/**
 * Time between two reads of all inboxes, milliseconds: after the clock was set back, a change may have an earlier time.
 */
const betweenFullLooksMs = 300_000;

type ReadChanges = (query: ListChanges) => Promise<InboxChanges>;

/** Follows one inbox. A poll without changes reads one row. */
export async function* followProfile(
  { clock }: Pick<AnswerPorts, "clock">,
  changes: ReadChanges,
  { after = 0, ...query }: ListChanges,
  { signal }: FollowOptions,
): AsyncGenerator<InboxChanges> {
  for (let last = after; signal?.aborted !== true; ) {
    const found = await changes({ ...query, after: last });
    last = found.next;
    if (hasSome(found)) yield found;
    else if (!found.has_more) await clock.sleep(betweenLooksMs, signal).catch(unlessAborted(signal));
  }
}

/** Follows all inboxes of an account. Each poll is one query for the recently changed inboxes. */
export async function* followAccount(
  ports: Pick<AnswerPorts, "clock" | "storage">,
  accountId: string,
  changes: ReadChanges,
  given: FollowAccount & FollowOptions,
): AsyncGenerator<ProfileChanges> {
  const { signal, limit } = given;
  const { clock } = ports;
  const last = new Map(Object.entries(given.after));
  for (const looks = lately(ports); signal?.aborted !== true; ) {
    let isQuiet = true;
    for (const { profile_id, seq } of await changedInboxes(ports, accountId, await looks.since())) {
      if (seq === (last.get(profile_id) ?? 0)) continue;
      for (let hasMore = true; hasMore && !isAborted(signal); ) {
        const query = { profile_id, after: last.get(profile_id) ?? 0, ...(limit && { limit }) };
        const found = await changes(query).catch(unlessGone);
        if (found === null) break;
        last.set(profile_id, found.next);
        hasMore = found.has_more;
        if (!hasSome(found)) continue;
        isQuiet = false;
        yield { profile_id, ...found };
      }
    }
    if (isQuiet) await clock.sleep(betweenLooksMs, signal).catch(unlessAborted(signal));
  }
}

function hasSome({ conversations, messages }: InboxChanges): boolean {
  return conversations.length + messages.length > 0;
}

/**
 * Start of the period that a poll must read, the store's time; null: all. The store's clock is read only now and then.
 */
function lately({ clock, storage }: Pick<AnswerPorts, "clock" | "storage">): { since(): Promise<number | null> } {
  let full: { at: number; storeAt: number } | null = null;
  let last = 0;
  return {
    async since() {
      const at = clock.monotonic();
      const since = last - lateMs;
      if (full === null || at - full.at >= betweenFullLooksMs) {
        full = { at, storeAt: await storage.now() };
        last = full.storeAt;
        return null;
      }
      last = full.storeAt + Math.floor(at - full.at);
      return since;
    },
  };
}

async function changedInboxes(
  { storage }: Pick<AnswerPorts, "storage">,
  account_id: string,
  since: number | null,
): Promise<Pick<InboxRow, "profile_id" | "seq">[]> {
  const { rows } = await storage.find("inboxes", {
    where: { account_id, ...(since !== null && { changed_at: { gte: since } }) },
    isCounted: false,
    needsOnlyColumns: true,
  });
  return rows.map((row) => fromRow<InboxRow>(row));
}

/** Returns null if the account was erased meanwhile; otherwise throws the error. */
function unlessGone(error: unknown): null {
  if (SocialError.is(error) && error.code === "not_found") return null;
  throw error;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function unlessAborted(signal: AbortSignal | undefined): (error: unknown) => void {
  return (error) => {
    if (!isAborted(signal)) throw error;
  };
}
