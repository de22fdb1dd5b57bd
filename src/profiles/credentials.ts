import { createQueue } from "../async/in-turn.ts";
import type { Connector, NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Credentials } from "../networks/contract/profile.ts";
import type { NetworkContext } from "../networks/contract/request.ts";
import { createNetworkContext, NetworkRefusal, type SessionPorts, withoutHurry } from "../networks/runtime/session.ts";
import { isoTime } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { SealedPlace, Vault } from "../ports/vault.ts";
import { isConflictIn, type Storage } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { writeWithRetries } from "../storage/write-with-retries.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import type { JsonObject } from "../wire/json.ts";
import { keepWhile, type Lease, LeaseLost, onlyWhileHeld } from "../work/lease.ts";
import { assertNoPause, pauseAfter } from "./refresh-pause.ts";
import { endTimeOf, factsOf, type ProfileRow, type ProfileState, timesOf, toProfile } from "./rows.ts";
import type { ProfileEvent } from "./schema.ts";

/** The right to write a profile, and to send on its behalf. */
export type Hold = Pick<Lease, "epoch" | "now" | "ensure">;

export interface CredentialsPorts {
  storage: Storage;
  vault: Vault;
  outbox: Outbox<ProfileEvent>;
  session: SessionPorts;
  logger: Logger;
}

/** A profile's credentials, for the holder of the profile. */
export interface OpenCredentials {
  /** The current row. */
  profile(): ProfileRow;
  secret(): JsonObject;
  context: NetworkContext;
  /**
   * Renews credentials that expire within `ms`.
   * @throws PublishingError `reauthentication_required` if they no longer work
   */
  outlive(ms: number): Promise<void>;
  /** Renews now. @throws PublishingError `reauthentication_required` if they no longer work */
  renew(): Promise<void>;
  /**
   * After a failure on the known server, checks whether the account has moved to another one. True: later requests go
   * there.
   * @throws the given error if this cannot be determined
   */
  relocate(after: unknown): Promise<boolean>;
  /** Stores changed private fields. */
  save(change: Partial<ProfileState>): Promise<void>;
}

/** Credentials are renewed at least this long before they are needed, milliseconds. */
const renewAheadMs = 60_000;

export function placeOfSecret(profile: { account_id: string; id: string }): SealedPlace {
  return { account: profile.account_id, collection: "profiles", id: profile.id, field: "secret" };
}

export interface CredentialsOptions {
  adapter: NetworkAdapter;
  hold: Hold;
  ports: CredentialsPorts;
  /** True: also renews those of a profile that needs attention, since its account may work again. @default false */
  mayRevive?: boolean;
}

/**
 * The credentials of a profile that the caller holds. They are decrypted when they are first needed, so that
 * credentials that cannot be decrypted (the key is missing) only make each use fail.
 */
export function openCredentials(row: ProfileRow, options: CredentialsOptions): OpenCredentials {
  const { adapter, hold, ports, mayRevive = false } = options;
  const { storage, vault } = ports;
  let profile = row;
  let opened: JsonObject | null = null;

  /** @throws PublishingError `internal_error`, passing: the operator can supply the right key at any time */
  function secret(): JsonObject {
    opened ??= openSecret(vault, row);
    return opened;
  }

  async function write(change: Partial<ProfileState>, ends: Partial<Pick<ProfileRow, "reconnect_by">>): Promise<void> {
    const state: ProfileState = { ...profile.private, ...change };
    const changed = { private: state, token_expires_at: endTimeOf(state.expires_at), ...ends };
    const stored = toChange(changed);
    const where = { epoch: hold.epoch };
    await onlyWhileHeld("profiles", () =>
      writeWithRetries({ storage, clock: ports.session.clock, logger: ports.logger }, [
        { kind: "update", collection: "profiles", id: profile.id, change: stored, where },
      ]),
    );
    profile = { ...profile, ...changed };
  }

  async function refreshed(): Promise<Credentials> {
    const isDead = profile.status !== "connected" && !mayRevive;
    if (isDead || adapter.connect.refresh === undefined) throw deadCredentials(adapter);
    const { refresh } = adapter.connect;
    try {
      return await refreshOnce(refresh);
    } catch (error) {
      if (!(await relocate(error))) throw error;
      return refreshOnce(refresh);
    }
  }

  async function refreshOnce(refresh: NonNullable<Connector["refresh"]>): Promise<Credentials> {
    try {
      return await refresh(refreshContext);
    } catch (error) {
      const dead =
        (error instanceof NetworkRefusal && error.refusal.code === "reauthentication_required") ||
        (PublishingError.is(error) && error.code === "reauthentication_required");
      throw dead ? deadCredentials(adapter, error) : error;
    }
  }

  async function relocate(after: unknown): Promise<boolean> {
    if (after instanceof LeaseLost) throw after;
    try {
      const place = (await adapter.connect.relocate?.(refreshContext)) ?? null;
      if (place === null) return false;
      await save(place);
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      // If the new server cannot be determined now, the first error counts.
      throw PublishingError.is(error) && error.code === "reauthentication_required" ? error : after;
    }
  }

  const inTurn = createQueue();

  /** One at a time: each write contains all private fields, including a renewed token. */
  function save(change: Partial<ProfileState>, ends: Partial<Pick<ProfileRow, "reconnect_by">> = {}): Promise<void> {
    return inTurn(() => write(change, ends));
  }

  async function renewOnce(): Promise<void> {
    assertNoPause(profile.private.refresh_pause ?? null, hold.now());
    try {
      const next = await refreshed();
      const renewed = withoutLoss(secret(), next.secret);
      // Stored before it is used: if a rotated token is lost, the account is locked out.
      const sealed = vault.seal(renewed, placeOfSecret(profile));
      const ends = next.reconnect_by === undefined ? {} : { reconnect_by: endTimeOf(next.reconnect_by) };
      await save({ secret: sealed, ...timesOf(next), refresh_pause: null }, ends);
      opened = renewed;
    } catch (error) {
      if (PublishingError.is(error) && error.code === "reauthentication_required") {
        profile = await markNeedsAttention(profile, error.message, { adapter, hold, ports });
      } else {
        await pauseRefreshing(error);
      }
      throw error;
    }
  }

  /** Pauses renewals in all processes: otherwise each post of a backlog would send a request. */
  async function pauseRefreshing(error: unknown): Promise<void> {
    const refresh_pause = pauseAfter(error, profile.private.refresh_pause ?? null, hold.now());
    if (refresh_pause !== null) await save({ refresh_pause });
  }

  let renewing: Promise<void> | null = null;

  /** Concurrent requests are rejected together. They share one renewal, since a refresh token may work only once. */
  function renew(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  const holder = {
    accountId: row.account_id,
    app: row.private.app,
    get profile() {
      return factsOf(profile);
    },
    secret,
    renew,
    now: () => hold.now(),
    whileHeld: <Value>(exchange: () => Promise<Value>) => keepWhile(hold, ports.session.clock, exchange),
  };
  const context = createNetworkContext(adapter, holder, ports.session);
  // A rejected refresh must not start another refresh. Its result must be stored, so no caller's patience limits it.
  const { refresh: _, ...connect } = adapter.connect;
  const refreshContext = createNetworkContext({ ...adapter, connect }, holder, withoutHurry(ports.session));

  return {
    profile: () => profile,
    secret,
    context,
    renew,
    relocate,
    save,
    async outlive(ms) {
      const { expires_at } = profile.private;
      if (adapter.connect.refresh === undefined || expires_at === null) return;
      if (expires_at < hold.now() + ms + renewAheadMs) await renew();
    },
  };
}

/** Merges new values into the old ones, since networks omit or empty those that are unchanged. */
function withoutLoss(old: JsonObject, next: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean => value === null || value === "";
  const filled = Object.entries(next).filter(([key, value]) => !isEmpty(value) || !Object.hasOwn(old, key));
  return { ...old, ...Object.fromEntries(filled) };
}

/** @throws PublishingError `internal_error`, passing: the operator can supply the right key at any time */
export function openSecret(vault: Vault, profile: ProfileRow): JsonObject {
  const { secret } = profile.private;
  if (secret === null) return {};
  try {
    return vault.open(secret, placeOfSecret(profile));
  } catch (error) {
    if (!SocialError.is(error)) throw error;
    throw new PublishingError("internal_error", error.message, { cause: error, isPassing: true });
  }
}

function deadCredentials(adapter: NetworkAdapter, cause?: unknown): PublishingError {
  return new PublishingError(
    "reauthentication_required",
    `${adapter.spec.name} no longer accepts this profile's credentials. Reconnect the profile.`,
    { cause },
  );
}

/** Marks a profile as broken; the host gets one event. Returns the new row. */
export async function markNeedsAttention(
  profile: ProfileRow,
  reason: string,
  options: { adapter: NetworkAdapter; hold: Hold; ports: Pick<CredentialsPorts, "outbox"> },
): Promise<ProfileRow> {
  const { hold, ports } = options;
  const change = { status: "needs_attention", status_reason: reason, updated_at: isoTime(hold.now()) } as const;
  const broken: ProfileRow = { ...profile, ...change };
  try {
    const where = { epoch: hold.epoch, status: "connected" };
    const payload = { account_id: profile.account_id, profile: toProfile(broken, options.adapter) };
    await ports.outbox.write(
      [{ kind: "update", collection: "profiles", id: profile.id, change, where }],
      { name: "profile.needs_attention", payload },
      hold.now(),
    );
  } catch (error) {
    // Already marked, disconnected, or claimed by another process.
    if (!isConflictIn("profiles", error)) throw error;
  }
  return broken;
}
