import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Fact, Inbox, InboxSource } from "../networks/contract/inbox.ts";
import { NetworkRefusal, toPublishingError } from "../networks/runtime/session.ts";
import { redactionOf, secretsIn } from "../outbound/redaction.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { fromRow } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import type { Json } from "../wire/json.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import { keepWhile, type Lease, LeaseLost } from "../work/lease.ts";
import { ingest } from "./ingest.ts";
import type { InboxPorts } from "./ports.ts";
import { readableFact } from "./readable.ts";
import { openReader, type Reader } from "./reader.ts";
import type { InboxRow, SourceState } from "./rows.ts";
import { afterFailure, afterPoll, firstState } from "./source-state.ts";

/** Looks at one source in one turn; what is left is read in the next one, behind others. */
const pollsAtOnce = 10;
/** Strays deleted in one write. */
const straysAtOnce = 100;
/** Between two complaints about a network that is missing, milliseconds. */
const withoutNetworkMs = 300_000;
/** By how much a list may lag behind what has happened, where its source does not say, seconds. */
const usualLagSeconds = 10;

/** Reads what is due of inboxes, one holder to an inbox: it alone writes what arrives. */
export function createInboxWorker(ports: InboxPorts): DueWorker {
  const { storage } = ports;

  async function work(row: InboxRow, lease: Lease): Promise<void> {
    const stored = await storage.get("profiles", row.profile_id);
    const profile = stored === null ? null : fromRow<ProfileRow>(stored);
    const adapter = ports.adapter(row.network);
    if (profile?.status === "disconnected") await forgetStrays(row, lease);
    // Whoever connects it again makes its inbox due.
    if (profile?.status !== "connected") return finish(lease, null);
    if (adapter?.inbox === undefined) return finish(lease, lease.now() + withoutNetworkMs);
    await pollDue(row, { profile, adapter, inbox: adapter.inbox, lease });
    await finish(lease, await nextLook(row.id));
  }

  /** What waits for messages that will not be read any more. */
  async function forgetStrays({ id }: InboxRow, lease: Lease): Promise<void> {
    for (;;) {
      const { rows } = await storage.find("strays", { where: { inbox_id: id }, limit: straysAtOnce, isCounted: false });
      if (rows.length === 0) return;
      await lease.ensure(0);
      await storage.write(rows.map((stray) => ({ kind: "delete", collection: "strays", id: stray.id })));
    }
  }

  async function pollDue(
    row: InboxRow,
    given: { profile: ProfileRow; adapter: NetworkAdapter; inbox: Inbox; lease: Lease },
  ): Promise<void> {
    const { inbox, lease } = given;
    let reader: Reader | null = null;
    for (const source of inbox.sources) {
      const state = row.private.sources[source.name] ?? firstState(source, lease.now());
      if (state.due_at > lease.now()) continue;
      try {
        reader ??= await openReader(ports, given);
        await pollSource(row, { source, state, inbox, lease, reader });
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        await keepFailure(given, source, error);
        if (isAboutLogin(error) && (await isBroken(given.profile, lease))) return;
        ports.logger.warn("an inbox could not be read", {
          profile: row.profile_id,
          source: source.name,
          error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        });
      }
    }
  }

  async function pollSource(
    row: InboxRow,
    given: { source: InboxSource; state: SourceState; inbox: Inbox; lease: Lease; reader: Reader },
  ): Promise<void> {
    const { source, inbox, lease, reader } = given;
    let { state } = given;
    for (let polls = 1; ; polls++) {
      const readAt = lease.now() - (source.lagSeconds ?? usualLagSeconds) * 1000;
      const found = await source.poll(reader.context, state.cursor, row.private.connected_at - backfillMs);
      demandShort(found.cursor);
      const isOver = !found.more || polls === pollsAtOnce;
      const before = state;
      state = afterPoll(source, before, { found, now: lease.now() });
      const facts = readable(found.facts, reader, lease.now());
      const next = state;
      await ingest(ports, lease, {
        facts,
        readAt,
        reports: inbox.reports,
        state: (stored) => ({ ...stored, sources: { ...stored.sources, [source.name]: next } }),
      });
      if (isOver) return;
    }
  }

  async function keepFailure(
    { inbox, lease }: { inbox: Inbox; lease: Lease },
    source: InboxSource,
    error: unknown,
  ): Promise<void> {
    const now = lease.now();
    await ingest(ports, lease, {
      facts: [],
      readAt: now,
      reports: inbox.reports,
      state: (stored) => {
        const before = stored.sources[source.name] ?? firstState(source, now);
        return {
          ...stored,
          sources: { ...stored.sources, [source.name]: afterFailure(source, before, { error, now }) },
        };
      },
    });
  }

  /** A network may refuse its inbox to a login that it still takes for all else: then only the inbox waits. */
  async function isBroken(profile: ProfileRow, lease: Lease): Promise<boolean> {
    await keepWhile(lease, ports.clock, () => ports.checkProfile(profile)).catch((error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      ports.logger.warn("a profile could not be checked", { profile: profile.id, error: String(error) });
    });
    const row = await storage.get("profiles", profile.id);
    return row?.status !== "connected";
  }

  /** When the next source is to be looked at. */
  async function nextLook(id: string): Promise<number | null> {
    const row = await storage.get("inboxes", id);
    if (row === null) return null;
    const times = Object.values(fromRow<InboxRow>(row).private.sources).map(({ due_at }) => due_at);
    return times.length === 0 ? null : Math.min(...times);
  }

  async function finish(lease: Lease, dueAt: number | null): Promise<void> {
    // Something became due meanwhile: it stays so, for the next holder.
    if (!(await lease.release(dueAt))) return lease.giveBack();
    if (dueAt !== null) ports.wake(dueAt, lease.id);
  }

  return createDueWorker<InboxRow>(ports, { collection: "inboxes", work });
}

/** What was written before the connection is read this far back, milliseconds. */
const backfillMs = 30 * 24 * 3_600_000;

/** Characters of JSON: a network's own words may stand in it. */
const longestCursor = 5_000;

/** @throws PublishingError `network_error` */
function demandShort(cursor: Json): void {
  if (JSON.stringify(cursor).length <= longestCursor) return;
  throw new PublishingError(
    "network_error",
    "The network's answer does not say where to read on in a text that can be kept.",
  );
}

function readable(facts: readonly Fact[], reader: Reader, now: number): Fact[] {
  const redact = redactionOf(secretsIn({ secret: reader.secret() }));
  return facts.flatMap((fact) => readableFact(fact, { redact, now }) ?? []);
}

function isAboutLogin(error: unknown): boolean {
  const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
  return PublishingError.is(reason) && reason.code === "reauthentication_required";
}
