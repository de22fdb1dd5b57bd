import { unsubscribeLast } from "../inbox/unsubscribe.ts";
import { openCredentials } from "../profiles/credentials.ts";
import { forgetGrant, isLastOnGrant } from "../profiles/grants.ts";
import { endLookOf, loginDueOf, type ProfileRow, renewalOf } from "../profiles/rows.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { type Lease, LeaseLost, onlyWhileHeld } from "../work/lease.ts";
import type { DispatchPorts } from "./ports.ts";

/** Time between two attempts to refresh or check an idle access token, milliseconds: a refresh has weeks. */
const careAgainMs = 3_600_000;

/**
 * Maintains the connection of an idle profile. It refreshes an access token that would expire unused. It checks a
 * connection that should have expired, so that the owner is notified before a post fails.
 *
 * @param known the profile as last read
 * @returns the profile afterwards
 * @throws LeaseLost
 */
export async function careForLogin(ports: DispatchPorts, lease: Lease, known: ProfileRow): Promise<ProfileRow> {
  const renewed = await renewIdle(ports, lease, known);
  return lookAtEnded(ports, lease, renewed);
}

/** False: a refresh or check is due. */
export function isCaredFor(profile: ProfileRow, now: number): boolean {
  return !isDue(loginDueOf(profile), now);
}

/**
 * When the next refresh or check is due; `Infinity`: never. If one is due now, it has just failed and is retried later.
 */
export function nextCare(profile: ProfileRow, now: number): number {
  const at = loginDueOf(profile) ?? Number.POSITIVE_INFINITY;
  return at > now ? at : now + careAgainMs;
}

function isDue(at: number | null, now: number): boolean {
  return at !== null && at <= now;
}

async function renewIdle(ports: DispatchPorts, lease: Lease, known: ProfileRow): Promise<ProfileRow> {
  if (!isDue(renewalOf(known), lease.now())) return known;
  const profile = await readProfile(ports.storage, lease.id);
  const adapter = ports.adapter(profile.network);
  if (adapter === undefined || !isDue(renewalOf(profile), lease.now())) return profile;
  const renew = () => openCredentials(profile, { adapter, hold: lease, ports }).renew();
  await attempt(ports, profile, "an idle access token could not be renewed", renew);
  return readProfile(ports.storage, lease.id);
}

async function lookAtEnded(ports: DispatchPorts, lease: Lease, known: ProfileRow): Promise<ProfileRow> {
  if (!isDue(endLookOf(known), lease.now())) return known;
  const profile = await readProfile(ports.storage, lease.id);
  if (ports.adapter(profile.network) === undefined || !isDue(endLookOf(profile), lease.now())) return profile;
  const check = () => ports.checkHeld(profile, lease);
  await attempt(ports, profile, "an expired connection could not be checked", check);
  return readProfile(ports.storage, lease.id);
}

/** Logs a failure of `act`, which is retried later. @throws LeaseLost */
async function attempt(
  { logger }: Pick<DispatchPorts, "logger">,
  profile: ProfileRow,
  failed: string,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    logger.warn(failed, { profile: profile.id, error: words });
  }
}

export async function readProfile(storage: Storage, id: string): Promise<ProfileRow> {
  const row = await storage.get("profiles", id);
  if (row === null) throw new LeaseLost("The profile no longer exists in the store.");
  return fromRow(row);
}

/**
 * Destroys the credentials of a disconnected profile. Before that, it ends the webhook subscription and revokes the
 * access token at the network. A failure there does not prevent the disconnection.
 *
 * @throws LeaseLost
 */
export async function destroyCredentials(ports: DispatchPorts, lease: Lease, profile: ProfileRow): Promise<void> {
  const { storage } = ports;
  await tellNetwork(ports, lease, profile);
  const change = toChange({
    private: { ...profile.private, secret: null, expires_at: null, refresh_at: null },
    token_expires_at: null,
    reconnect_by: null,
  });
  const where = { epoch: lease.epoch, status: "disconnected" };
  await onlyWhileHeld("profiles", () =>
    storage.write([{ kind: "update", collection: "profiles", id: profile.id, change, where }, forgetGrant(profile.id)]),
  );
}

async function tellNetwork(ports: DispatchPorts, lease: Lease, profile: ProfileRow): Promise<void> {
  const adapter = ports.adapter(profile.network);
  if (adapter === undefined) return;
  const tell = (what: string, act: () => Promise<void>): Promise<void> =>
    attempt(ports, profile, `the network was not notified ${what}`, act);
  const opened = () => openCredentials(profile, { adapter, hold: lease, ports }).context;
  await tell("of the end of a subscription", () => unsubscribeLast(ports, { profile, adapter, context: opened }));
  const { revoke } = adapter.connect;
  if (revoke !== undefined && (await isLastOnGrant(ports.storage, profile.id)))
    await tell("of a disconnection", () => revoke(opened()));
}
