import type { HookAnswer, HookEvent, HookRequest } from "../networks/contract/hooks.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import { isReadableId } from "../networks/runtime/readable.ts";
import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import type { Operation, Storage, StorageConflict } from "../storage/storage.ts";
import { fromRow, toRow } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import { storableJson } from "../wire/storable.ts";
import { exceedsAllowance } from "./hook-allowance.ts";
import { readHookSecrets } from "./hook-secrets.ts";
import type { InboxPorts } from "./ports.ts";
import type { HookEventRow, InboxRow } from "./rows.ts";

/** What a network has sent to us, and where. */
export interface SentHook {
  network: string;
  /** The last part of the address. */
  appId: string;
  request: Omit<HookRequest, "at">;
}

/** What is answered, and the inboxes that have something to do since. */
export interface HookReceipt extends HookAnswer {
  inboxes: readonly string[];
}

/** Takes what networks send: for the route that they send to. */
export type ReceiveHook = (sent: SentHook) => Promise<HookReceipt>;

type HookPorts = Pick<InboxPorts, "storage" | "ids" | "logger" | "adapter" | "wake">;

/** Events of one request; networks send up to a thousand. */
const maxEvents = 5_000;
/** Characters of JSON of an event. What is longer is left to the lists. */
const longestEvent = 200_000;
/** Rows written together. */
const rowsAtOnce = 100;
/** How often the same may be sent at the same moment. */
const maxConflicts = 20;

/**
 * Nothing is stored before the signature is verified, and nothing is answered
 * with 200 before it is stored. It reaches inboxes that were connected through
 * this very app alone, of accounts whose own secret it was signed with.
 */
export function createReceiveHook(ports: HookPorts): ReceiveHook {
  return async ({ network, appId, request: sent }) => {
    const hooks = ports.adapter(network)?.inbox?.hooks;
    if (hooks === undefined || !isReadableId(appId)) return answer(404, "Nothing is received here.");
    const read = readOnce(hooks, sent);
    const secrets = await readHookSecrets(ports.storage, hooks, { network, appId, about: () => aboutWhom(read()) });
    if (secrets.all.length === 0) return answer(404, "This app is not known here.");
    // The store is asked for its time only for apps that are known.
    const request: HookRequest = { ...sent, at: await ports.storage.now() };
    const shaken = hooks.handshake(request, secrets.all);
    if (shaken !== null) return { ...shaken, inboxes: [] };
    if (request.method !== "POST" || !hooks.isGenuine(request, secrets.all))
      return answer(403, "The signature is wrong: the secret of the app may have changed.");
    const events = read();
    if (events === null) return answer(400, "What was sent cannot be read.");
    const { at: now } = request;
    const admit: Admit = async (inbox, own) => {
      // The host's own app is the host's to trust; an account's may be anybody's.
      if (!secrets.areOfAccounts) return "all";
      if (!hooks.isGenuine(request, await secrets.ofAccount(inbox.account_id))) return "not its own";
      return (await exceedsAllowance(ports.storage, inbox.id, { events: own, now })) ? "too much" : "all";
    };
    const { inboxes, isTooMuch } = await take(ports, { network, appId, events, now }, admit);
    return { ...(isTooMuch ? tooMuch : answer(200, "")), inboxes };
  };
}

const tooMuch = answer(429, "It is more than one inbox takes in an hour. Send it again in the next.");

function answer(status: number, text: string): HookReceipt {
  return { status, text, inboxes: [] };
}

/** What a request tells, whoever sent it; null: it cannot be read. */
type ReadEvents = () => readonly HookEvent[] | null;

/** It is read when it is asked for, and then once: it may be large. */
function readOnce(hooks: Hooks, sent: SentHook["request"]): ReadEvents {
  let events: ReturnType<ReadEvents> | undefined;
  return () => {
    if (events === undefined) events = sent.method === "POST" ? readEvents(hooks, sent) : null;
    return events;
  };
}

function readEvents(hooks: Hooks, sent: SentHook["request"]): readonly HookEvent[] | null {
  try {
    return hooks.events(sent);
  } catch (error) {
    if (PublishingError.is(error)) return null;
    throw error;
  }
}

/** Whose inboxes events tell of. */
function aboutWhom(events: readonly HookEvent[] | null): string[] {
  return [...new Set((events ?? []).map(({ account }) => account).filter(isReadableId))];
}

/** What an inbox takes of the events about it; `not its own`: nothing, for another account's secret has signed them · `too much`: nothing more in this hour. */
type Admit = (inbox: InboxRow, own: readonly HookEvent[]) => Promise<"all" | "not its own" | "too much">;

/** Stores each event once for each inbox that it is about and that takes it, and makes those due. */
async function take(
  ports: HookPorts,
  { network, appId, events, now }: Received & { network: string; appId: string },
  admit: Admit,
): Promise<{ inboxes: string[]; isTooMuch: boolean }> {
  const usable = events.slice(0, maxEvents).filter(isUsable);
  if (usable.length < events.length)
    ports.logger.warn("a network sent what cannot be stored; its lists bring it", { network, app: appId });
  const inboxes = await inboxesOf(ports.storage, { network, appId, events: usable });
  const told: string[] = [];
  let isTooMuch = false;
  for (const inbox of inboxes) {
    const own = usable.filter(({ account }) => account === inbox.external_id);
    const admitted = await admit(inbox, own);
    isTooMuch ||= admitted === "too much";
    if (admitted !== "all") continue;
    await store(ports, inbox, { events: own, now });
    told.push(inbox.id);
  }
  return { inboxes: told, isTooMuch };
}

function isUsable({ id, account, body }: HookEvent): boolean {
  return isReadableId(id) && isReadableId(account) && JSON.stringify(body).length <= longestEvent;
}

async function inboxesOf(
  storage: Storage,
  { network, appId, events }: { network: string; appId: string; events: readonly HookEvent[] },
): Promise<InboxRow[]> {
  const external_id = { in: [...new Set(events.map(({ account }) => account))] };
  if (external_id.in.length === 0) return [];
  const where = { network, external_id, app_id: appId };
  const { rows } = await storage.find("inboxes", { where, isCounted: false });
  return rows.map((row) => fromRow<InboxRow>(row));
}

interface Received {
  events: readonly HookEvent[];
  /** The store's time, milliseconds. */
  now: number;
}

async function store(ports: HookPorts, inbox: InboxRow, { events, now }: Received): Promise<void> {
  for (let start = 0; start < events.length; start += rowsAtOnce) {
    const batch = events.slice(start, start + rowsAtOnce);
    const attempt = (last: StorageConflict | null): Promise<void> =>
      storeBatch(ports, inbox, { events: batch, now, mayBeKnown: last !== null });
    await retryConflicts(attempt, { max: maxConflicts });
  }
  ports.wake(now, inbox.id);
}

/** Networks seldom send again: which are known is asked once a write has shown that some are. */
async function storeBatch(
  { storage, ids }: HookPorts,
  { id }: InboxRow,
  { events, now, mayBeKnown }: Received & { mayBeKnown: boolean },
): Promise<void> {
  const event_id = { in: events.map((event) => event.id) };
  const where = { inbox_id: id, event_id };
  const known = mayBeKnown ? (await storage.find("hook_events", { where, isCounted: false })).rows : [];
  const seen = new Set(known.map((row) => String(row.event_id)));
  const inserts: Operation[] = [];
  for (const event of events) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    const row: HookEventRow = {
      id: ids.create("hook", now),
      inbox_id: id,
      event_id: event.id,
      state: "new",
      created_at: isoTime(now),
      private: { body: storableJson(event.body), failures: 0 },
    };
    inserts.push({ kind: "insert", collection: "hook_events", row: toRow(row) });
  }
  if (inserts.length === 0) return;
  await storage.write([{ kind: "update", collection: "inboxes", id, change: { due_at: now }, where: {} }, ...inserts]);
}
