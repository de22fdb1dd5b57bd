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

/** The right to write a profile, and to send in its name. */
export type Hold = Pick<Lease, "epoch" | "now" | "ensure">;

export interface CredentialsPorts {
  storage: Storage;
  vault: Vault;
  outbox: Outbox<ProfileEvent>;
  session: SessionPorts;
  logger: Logger;
}

/** A profile's credentials in the hands of its holder. */
export interface OpenCredentials {
  /** The current row. */
  profile(): ProfileRow;
  secret(): JsonObject;
  context: NetworkContext;
  /** Renews credentials that would not outlive `ms`. @throws PublishingError `reauthentication_required` when they are dead */
  outlive(ms: number): Promise<void>;
  /** Renews now. @throws PublishingError `reauthentication_required` when they are dead */
  renew(): Promise<void>;
  /**
   * After a failure on the known server, checks whether the account has moved to
   * another one. True: what follows goes there. @throws what it was given when that cannot be found out
   */
  relocate(after: unknown): Promise<boolean>;
  /** Stores changed private fields. */
  save(change: Partial<ProfileState>): Promise<void>;
}

/** Renewed at least this long before they are needed, milliseconds. */
const renewAheadMs = 60_000;

export function placeOfSecret(profile: { account_id: string; id: string }): SealedPlace {
  return { account: profile.account_id, collection: "profiles", id: profile.id, field: "secret" };
}

export interface CredentialsOptions {
  adapter: NetworkAdapter;
  hold: Hold;
  ports: CredentialsPorts;
  /** Those of a profile that needs attention are renewed, too: the account may have been taken again. @default false */
  mayRevive?: boolean;
}

/**
 * The credentials of a profile that the caller holds. They are opened when they
 * are first needed: credentials that cannot be opened (the key is missing) fail
 * each use, and nothing else.
 */
export function openCredentials(row: ProfileRow, options: CredentialsOptions): OpenCredentials {
  const { adapter, hold, ports, mayRevive = false } = options;
  const { storage, vault } = ports;
  let profile = row;
  let opened: JsonObject | null = null;

  /** @throws PublishingError `internal_error`, a passing one: the operator can give the right key at any time */
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
      // Not finding out now where the account lives changes nothing.
      throw PublishingError.is(error) && error.code === "reauthentication_required" ? error : after;
    }
  }

  const inTurn = createQueue();

  /** One after the other: each write holds all private fields, a renewed token among them. */
  function save(change: Partial<ProfileState>, ends: Partial<Pick<ProfileRow, "reconnect_by">> = {}): Promise<void> {
    return inTurn(() => write(change, ends));
  }

  async function renewOnce(): Promise<void> {
    assertNoPause(profile.private.refresh_pause ?? null, hold.now());
    try {
      const next = await refreshed();
      const renewed = withoutLoss(secret(), next.secret);
      // Stored before it is used: a rotated token that is lost locks the account out.
      const sealed = vault.seal(renewed, placeOfSecret(profile));
      const ends = next.reconnect_by === undefined ? {} : { reconnect_by: endTimeOf(next.reconnect_by) };
      await save({ secret: sealed, ...timesOf(next), refresh_pause: null }, ends);
      opened = renewed;
    } catch (error) {
      if (PublishingError.is(error) && error.code === "reauthentication_required") {
        profile = await markNeedsAttention(profile, error.message, { hold, ports });
      } else {
        await pauseRefreshing(error);
      }
      throw error;
    }
  }

  /** For all who need it, in all processes: a backlog would ask once for each of its posts. */
  async function pauseRefreshing(error: unknown): Promise<void> {
    const refresh_pause = pauseAfter(error, profile.private.refresh_pause ?? null, hold.now());
    if (refresh_pause !== null) await save({ refresh_pause });
  }

  let renewing: Promise<void> | null = null;

  /** Requests side by side are refused together; one renewal serves them all, since a refresh token may be good for one use only. */
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
  // A refresh that is itself refused must not ask for a refresh; and what it brings must not get lost.
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

/** The new values, and of the old ones those that came without a new one: a network leaves out, or empties, what stays as it was. */
function withoutLoss(old: JsonObject, next: JsonObject): JsonObject {
  const isEmpty = (value: unknown): boolean => value === null || value === "";
  const filled = Object.entries(next).filter(([key, value]) => !isEmpty(value) || !Object.hasOwn(old, key));
  return { ...old, ...Object.fromEntries(filled) };
}

/** @throws PublishingError `internal_error`, a passing one: the operator can give the right key at any time */
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

/** Marks a profile as broken; the host gets one event per break. Returns the new row. */
export async function markNeedsAttention(
  profile: ProfileRow,
  reason: string,
  options: { hold: Hold; ports: Pick<CredentialsPorts, "outbox"> },
): Promise<ProfileRow> {
  const { hold, ports } = options;
  const change = { status: "needs_attention", status_reason: reason, updated_at: isoTime(hold.now()) } as const;
  const broken: ProfileRow = { ...profile, ...change };
  try {
    const where = { epoch: hold.epoch, status: "connected" };
    const payload = { account_id: profile.account_id, profile: toProfile(broken) };
    await ports.outbox.write(
      [{ kind: "update", collection: "profiles", id: profile.id, change, where }],
      { name: "profile.needs_attention", payload },
      hold.now(),
    );
  } catch (error) {
    // It was marked before, disconnected, or claimed by another.
    if (!isConflictIn("profiles", error)) throw error;
  }
  return broken;
}
