import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { InboxContext, InboxUpdate, KnownMessage, RequestUsage } from "../networks/contract/inbox.ts";
import type { NetworkRequest, NetworkResponse } from "../networks/contract/request.ts";
import { createNetworkContext, NetworkRefusal, toPublishingError } from "../networks/runtime/session.ts";
import { redactionOf, secretsIn } from "../outbound/redaction.ts";
import { openCredentials, openSecret } from "../profiles/credentials.ts";
import { holdProfile } from "../profiles/hold.ts";
import { factsOf, type ProfileRow } from "../profiles/rows.ts";
import { fromRow } from "../storage/typed.ts";
import { keepWhile, type Lease } from "../work/lease.ts";
import { behindMs, connectedThere, isFirstLook } from "./network-clock.ts";
import type { InboxPorts } from "./ports.ts";
import { readableFact } from "./readable.ts";
import type { ConversationRow, InboxRow, MessageRow } from "./rows.ts";

/** Access tokens are refreshed at least this long before they expire, milliseconds. */
const renewAheadMs = 60_000;

/** Reads as a profile whose inbox the caller holds. The profile itself stays free for publishing. */
export interface Reader {
  context: InboxContext;
  /** The updates, cut and cleaned for storage. `now`: the store's time, milliseconds. */
  readable(facts: readonly InboxUpdate[], now: number): InboxUpdate[];
  /** `behindMs` of the first response with a date; null: there was none. */
  behindMs(): number | null;
  /**
   * End of the pause in which lists leave the rest of the network's rate limit to posts and replies, milliseconds; 0:
   * no pause.
   */
  restsUntil(): number;
  /** The largest used share of its rate limit that the network has reported, 0 to 1; 0: none was reported. */
  usedShare(): number;
  /** Calls `before` before every request of `work`, also before a repeated one. */
  counting<Value>(before: () => Promise<void>, work: () => Promise<Value>): Promise<Value>;
}

/** Maximum share of the network's rate limit that lists use. */
const maxShare = 0.8;

/** @throws PublishingError if the credentials cannot be decrypted or no longer work */
export async function openReader(
  ports: InboxPorts,
  {
    profile: read,
    adapter,
    lease,
    row,
  }: { profile: ProfileRow; adapter: NetworkAdapter; lease: Lease; row: Pick<InboxRow, "private"> },
): Promise<Reader> {
  let profile = read;
  let opened = openSecret(ports.vault, profile);
  let beforeRequest = async (): Promise<void> => {};

  /**
   * Refreshes under the profile's lease: a publishing process may refresh concurrently, and a refresh token may work
   * only once.
   */
  async function renew(): Promise<void> {
    const renewHeld = () =>
      holdProfile(ports, profile.id, async (held, hold) => {
        const isOld = held.private.secret === profile.private.secret;
        if (isOld) await openCredentials(held, { adapter, hold, ports }).renew();
      });
    // Another holder may keep the profile for a while.
    await keepWhile(lease, ports.clock, renewHeld);
    const row = await ports.storage.get("profiles", profile.id);
    if (row !== null) profile = fromRow<ProfileRow>(row);
    opened = openSecret(ports.vault, profile);
  }

  const { expires_at } = profile.private;
  if (adapter.connect.refresh !== undefined && expires_at !== null && expires_at < lease.now() + renewAheadMs)
    await renew();
  const context = createNetworkContext(
    adapter,
    {
      accountId: profile.account_id,
      app: profile.private.app ?? null,
      get profile() {
        return factsOf(profile);
      },
      secret: () => opened,
      renew,
      now: () => lease.now(),
      async whileHeld(exchange) {
        await beforeRequest();
        return keepWhile(lease, ports.session.clock, exchange);
      },
    },
    ports.session,
  );
  let restsUntil = 0;
  let usedShare = 0;
  let behind: number | null = null;

  async function request(asked: NetworkRequest): Promise<NetworkResponse> {
    const response = await context.request(asked);
    if (adapter.inbox?.isDatedByServer) behind ??= behindMs(response.headers.get("date"), lease.now());
    const usage = adapter.inbox?.usage?.(response.headers, lease.now()) ?? null;
    if (usage !== null) usedShare = Math.max(usedShare, usage.share);
    if (usage !== null && usage.share > maxShare) restsUntil = Math.max(restsUntil, restEnd(usage, lease.now()));
    return response;
  }

  return {
    behindMs: () => behind,
    restsUntil: () => restsUntil,
    usedShare: () => usedShare,
    async counting(before, work) {
      const outer = beforeRequest;
      beforeRequest = before;
      try {
        return await work();
      } finally {
        beforeRequest = outer;
      }
    },
    readable(facts, now) {
      if (facts.length === 0) return [];
      const redact = redactionOf(secretsIn({ secret: opened }));
      return facts.flatMap((fact) => readableFact(fact, { redact, now }) ?? []);
    },
    context: {
      accountId: context.accountId,
      get profile() {
        return context.profile;
      },
      get secret() {
        return context.secret;
      },
      request,
      now: context.now,
      known: (keys) => readKnown(ports, profile.id, keys),
      knownThreads: (keys) => readKnownThreads(ports, profile.id, keys),
      get connectedAt() {
        const isKnown = behind === null || !isFirstLook(row.private);
        return connectedThere(isKnown ? row.private : { ...row.private, behind_ms: behind ?? 0 });
      },
    },
  };
}

/** Maximum pause, because a network's clock may be wrong, milliseconds. */
const longestRestMs = 3_600_000;

/** When the pause ends, in whole milliseconds. */
function restEnd({ until }: RequestUsage, now: number): number {
  return Math.ceil(Math.min(until, now + longestRestMs));
}

async function readKnown(
  { storage }: InboxPorts,
  profileId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownMessage>> {
  if (keys.length === 0) return new Map();
  const found = await storage.find("messages", {
    where: { profile_id: profileId, key: { in: keys } },
    isCounted: false,
  });
  const messages = found.rows.map((row) => fromRow<MessageRow>(row));
  const ids = [...new Set(messages.map(({ conversation_id }) => conversation_id))];
  const conversations = await storage.find("conversations", { where: { id: { in: ids } }, isCounted: false });
  const threads = new Map(conversations.rows.map((row) => [row.id, fromRow<ConversationRow>(row).key]));
  const known = messages.flatMap(({ key, conversation_id, direction }) => {
    const thread = threads.get(conversation_id);
    return thread === undefined ? [] : [[key, { thread, own: direction === "outbound" }] as const];
  });
  return new Map(known);
}

async function readKnownThreads(
  { storage }: InboxPorts,
  profile_id: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const found = await storage.find("conversations", { where: { profile_id, key: { in: keys } }, isCounted: false });
  return new Set(found.rows.map(({ key }) => String(key)));
}

/** The error as a `PublishingError` if the network rejected the request; otherwise unchanged. */
export function reasonOf(error: unknown): unknown {
  return error instanceof NetworkRefusal ? toPublishingError(error) : error;
}
