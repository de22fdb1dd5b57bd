import type { HookAnswer, HookEvent, HookRequest } from "../networks/contract/hooks.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import { isReadableId } from "../networks/runtime/readable.ts";
import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage, type StorageConflict, type Where } from "../storage/storage.ts";
import { fromRow, toRow } from "../storage/typed.ts";
import { PublishingError } from "../wire/errors.ts";
import { storableJson } from "../wire/storable.ts";
import { exceedsAllowance } from "./allowance.ts";
import { accountsOfInboxes } from "./hook-accounts.ts";
import { createHookSenders, type SenderPorts } from "./hook-senders.ts";
import type { InboxPorts } from "./ports.ts";
import type { HookEventRow, InboxRow } from "./rows.ts";

/** A request that a network has sent to the service's webhook route. */
export interface SentHook {
  network: string;
  /** The last part of the URL. */
  appId: string;
  request: SentRequest;
}

/** A request whose body is read only when needed, because anyone can send one. */
export interface SentRequest extends Pick<HookRequest, "method" | "parameters" | "headers"> {
  /** Reads the raw body. */
  read(): Promise<Uint8Array>;
}

/** The response, and the inboxes with new work. */
export interface HookReceipt extends HookAnswer {
  inboxes: readonly string[];
}

/** Processes a request of the webhook route. */
export type ReceiveHook = (sent: SentHook) => Promise<HookReceipt>;

type HookPorts = Pick<InboxPorts, "ids" | "adapter" | "wake"> & SenderPorts;

/** Maximum number of events in one request; networks send up to a thousand. */
const maxEvents = 5_000;
/** Maximum length of an event, characters of JSON. Longer ones are left to the lists. */
const longestEvent = 200_000;
/** Rows per write. */
const rowsAtOnce = 100;
/** Maximum number of concurrent requests with the same event. */
const maxConflicts = 20;

/**
 * Rejects unsigned POST requests unread, stores events only after it has verified the signature, and returns 200 only
 * after they are stored. Events reach only inboxes that were connected through this app. If accounts have their own
 * apps, they reach only accounts that have the secret of the signature.
 */
export function createReceiveHook(ports: HookPorts): ReceiveHook {
  const findSenders = createHookSenders(ports);
  return async ({ network, appId, request: sent }) => {
    const adapter = ports.adapter(network);
    const hooks = adapter?.inbox?.hooks;
    if (adapter === undefined || hooks === undefined || !isReadableId(appId))
      return answer(404, "This service receives no calls from the network.");
    const { form } = hooks;
    const wrongSignature = answer(form.refusalStatus ?? 403, wrongSignatureText);
    const senders = await findSenders({ adapter, hooks }, { network, appId });
    if (senders === null) return answer(404, "Unknown app.");
    const isPost = sent.method === "POST";
    if (isPost && !form.isSigned(sent.headers)) return wrongSignature;
    const { method, parameters, headers } = sent;
    const request = { method, parameters, headers, bytes: await sent.read(), at: await ports.storage.now() };
    const read = readOnce(hooks, request);
    const signer = await senders.find({
      isSignedWith: (secret) =>
        isPost ? form.isGenuine(request, [secret]) : form.handshake(request, [secret])?.status === 200,
      bytes: request.bytes.length,
      likely: () => accountsTold(ports.storage, read, { network, appId, bytes: request.bytes.length }),
    });
    if (signer === "later") return notNow;
    const shaken = form.handshake(request, signer === null ? [] : [signer.secret]);
    if (shaken !== null) return { ...shaken, inboxes: [] };
    if (signer === null || !isPost) return wrongSignature;
    const events = read();
    if (events === null) return answer(400, "The body cannot be read.");
    const { at: now } = request;
    const admit: Admit = async (inbox, own) => {
      // The host trusts its own app; an account's app may belong to anyone.
      if (!signer.isOfAccounts) return "all";
      if (!(await signer.isOf(inbox.account_id))) return "not its own";
      return (await exceedsAllowance(ports.storage, inbox.account_id, { events: own, now })) ? "too much" : "all";
    };
    const { inboxes, isTooMuch, isOfOthers } = await take(ports, { where: senders.inboxes, events, now }, admit);
    if (isOfOthers) return wrongSignature;
    return { ...(isTooMuch ? tooMuch : answer(200, "")), inboxes };
  };
}

const wrongSignatureText = "The signature does not match: the app's secret may have changed.";
const notNow = answer(503, "The signature cannot be verified now. Send it again.");
const tooMuch = answer(429, "The account's hourly limit is reached. Send it again in an hour.");

function answer(status: number, text: string): HookReceipt {
  return { status, text, inboxes: [] };
}

/** Reads a request's events, verified or not; null: the body cannot be read. */
type ReadEvents = () => readonly HookEvent[] | null;

/** Reads the body on the first call and only once, because it may be large. */
function readOnce(hooks: Hooks, request: HookRequest): ReadEvents {
  let events: ReturnType<ReadEvents> | undefined;
  return () => {
    if (events === undefined) events = request.method === "POST" ? readEvents(hooks, request) : null;
    return events;
  };
}

function readEvents(hooks: Hooks, request: HookRequest): readonly HookEvent[] | null {
  try {
    return hooks.events(request);
  } catch (error) {
    if (PublishingError.is(error)) return null;
    throw error;
  }
}

/** Maximum size of an unverified body whose events are read, bytes: as much as a network sends in a busy minute. */
const maxReadUnverified = 32_768;
/** Maximum number of accounts named by a request whose secret is read. */
const maxTold = 50;

/** The accounts that an unverified request names; none if the body is large. */
async function accountsTold(
  storage: Storage,
  read: ReadEvents,
  { network, appId, bytes }: { network: string; appId: string; bytes: number },
): Promise<string[]> {
  const ids = bytes > maxReadUnverified ? [] : (read() ?? []).map(({ account }) => account).filter(isReadableId);
  if (ids.length === 0) return [];
  const where = { network, app_id: appId, external_id: { in: [...new Set(ids)] } };
  return accountsOfInboxes(storage, where, { after: "", max: maxTold });
}

/**
 * Decides whether an inbox accepts its events. `not its own`: another account's secret has signed them · `too much`:
 * the hourly limit is reached.
 */
type Admit = (inbox: InboxRow, own: readonly HookEvent[]) => Promise<"all" | "not its own" | "too much">;

/** Stores each event once for each inbox that it concerns and that accepts it, and makes these inboxes due. */
async function take(
  ports: HookPorts,
  { where, events, now }: Received & { where: Where },
  admit: Admit,
): Promise<{ inboxes: string[]; isTooMuch: boolean; isOfOthers: boolean }> {
  const usable = events.slice(0, maxEvents).filter(isUsable);
  if (usable.length < events.length)
    ports.logger.warn("a network sent an event that cannot be stored; its lists will contain it", { ...where });
  const inboxes = await inboxesOf(ports.storage, where, usable);
  const told: string[] = [];
  let isTooMuch = false;
  let isOfOthers = inboxes.length > 0;
  for (const inbox of inboxes) {
    const own = usable.filter(({ account }) => account === inbox.external_id);
    const admitted = await admit(inbox, own);
    isTooMuch ||= admitted === "too much";
    isOfOthers &&= admitted === "not its own";
    if (admitted !== "all") continue;
    if (await store(ports, inbox, { events: own, now })) told.push(inbox.id);
  }
  return { inboxes: told, isTooMuch, isOfOthers };
}

function isUsable({ id, account, body }: HookEvent): boolean {
  return isReadableId(id) && isReadableId(account) && JSON.stringify(body).length <= longestEvent;
}

async function inboxesOf(storage: Storage, where: Where, events: readonly HookEvent[]): Promise<InboxRow[]> {
  const external_id = { in: [...new Set(events.map(({ account }) => account))] };
  if (external_id.in.length === 0) return [];
  const { rows } = await storage.find("inboxes", { where: { ...where, external_id }, isCounted: false });
  return rows.map((row) => fromRow<InboxRow>(row));
}

interface Received {
  events: readonly HookEvent[];
  /** The store's time, milliseconds. */
  now: number;
}

/** False: the profile is disconnected and stores no more events. */
async function store(ports: HookPorts, inbox: InboxRow, { events, now }: Received): Promise<boolean> {
  try {
    await storeAll(ports, inbox, { events, now });
  } catch (error) {
    if (isConflictIn("profiles", error)) return false;
    throw error;
  }
  ports.wake(now, inbox.id);
  return true;
}

async function storeAll(ports: HookPorts, inbox: InboxRow, { events, now }: Received): Promise<void> {
  for (let start = 0; start < events.length; start += rowsAtOnce) {
    const batch = events.slice(start, start + rowsAtOnce);
    const attempt = (last: StorageConflict | null): Promise<void> =>
      storeBatch(ports, inbox, { events: batch, now, mayBeKnown: last !== null });
    await retryConflicts(attempt, {
      max: maxConflicts,
      unless: (conflict) => isConflictIn("profiles", conflict),
    });
  }
}

/** Networks seldom repeat events, so known ones are read only after a write has conflicted. */
async function storeBatch(
  { storage, ids }: HookPorts,
  { id, profile_id }: InboxRow,
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
  await storage.write([
    { kind: "update", collection: "inboxes", id, change: { due_at: now }, where: {} },
    {
      kind: "check",
      collection: "profiles",
      id: profile_id,
      where: { status: { in: ["connected", "needs_attention"] } },
    },
    ...inserts,
  ]);
}
