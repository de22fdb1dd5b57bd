import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Identity } from "../networks/contract/profile.ts";
import { readableIdentity } from "../networks/runtime/readable.ts";
import { isRefusedAnew, NetworkRefusal, toPublishingError, withPatience } from "../networks/runtime/session.ts";
import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { PublishingError, SocialError } from "../wire/errors.ts";
import type { Lease } from "../work/lease.ts";
import { breaksProfile } from "./broken.ts";
import { identityFields } from "./connect.ts";
import { markNeedsAttention, type OpenCredentials, openCredentials } from "./credentials.ts";
import { holdProfile } from "./hold.ts";
import { adapterOf } from "./network.ts";
import type { ProfilePorts } from "./ports.ts";
import { endTimeOf, type ProfileRow, toProfile } from "./rows.ts";

/** How often other processes may change a profile's inbox during a reconnect. */
const maxConflicts = 10;

/**
 * Checks a profile with the network and stores the result. If the network accepts the credentials again, the
 * profile becomes `connected` again.
 */
export async function checkProfile(ports: ProfilePorts, profile: ProfileRow): Promise<void> {
  adapterOf(ports, profile.network);
  await holdProfile(ports, profile.id, (held, hold) => checkHeld(ports, held, hold));
}

/** As `checkProfile`, for a profile that the caller holds. */
export async function checkHeld(ports: ProfilePorts, held: ProfileRow, hold: Lease): Promise<void> {
  const adapter = adapterOf(ports, held.network);
  const session = withPatience(ports.session);
  const credentials = openCredentials(held, { adapter, hold, ports: { ...ports, session }, mayRevive: true });
  try {
    const identity = readableIdentity(await inspect(adapter, credentials), credentials.secret());
    if (identity.external_id !== held.external_id) throw otherAccount();
    const { account_facts, host } = identity;
    const now = isoTime(hold.now());
    const reconnect_by = endAfter(credentials.profile(), identity, hold.now());
    const isAsBefore = held.status === "connected" && reconnect_by === held.reconnect_by;
    const change = {
      ...identityFields(identity),
      status: "connected",
      status_reason: null,
      reconnect_by,
      last_checked_at: now,
      updated_at: now,
      private: { ...credentials.profile().private, account_facts, host },
      // Due now: the worker then schedules what follows, including the renewal and the end of the connection.
      ...(isAsBefore ? {} : { due_at: hold.now() }),
    } as const;
    const where = { epoch: hold.epoch, status: { in: ["connected", "needs_attention"] } };
    const checked = { ...held, ...change };
    const payload = { account_id: held.account_id, profile: toProfile(checked, adapter) };
    const isBack = held.status !== "connected";
    const write = async (): Promise<void> =>
      ports.outbox.write(
        [
          { kind: "update", collection: "profiles", id: held.id, change: toChange(change), where },
          ...(isBack ? await ports.alongside(checked, hold.now()) : []),
        ],
        isBack ? { name: "profile.connected", payload } : null,
        hold.now(),
      );
    // Another process may change the inbox at this moment.
    await retryConflicts(write, { max: maxConflicts, unless: (conflict) => !isConflictIn("inboxes", conflict) });
    if (isBack) ports.wakeInbox(held.id, hold.now());
  } catch (error) {
    // Disconnected meanwhile: the result does not matter.
    if (isConflictIn("profiles", error)) return;
    const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
    if (!PublishingError.is(reason)) throw error;
    if (breaksProfile(reason.code) && !isRefusedAnew(error, adapter)) {
      await markNeedsAttention(credentials.profile(), reason.message, { adapter, hold, ports });
      return;
    }
    // The network cannot be reached now, which says nothing about the credentials.
    throw new SocialError("publish_failed", `The profile could not be checked. ${reason.message}`, { cause: reason });
  }
}

/** A connection that still works after its stated end has no known end. */
function endAfter({ reconnect_by }: ProfileRow, { reconnect_by: said }: Identity, now: number): string | null {
  const end = said === undefined ? reconnect_by : endTimeOf(said);
  return end !== null && Date.parse(end) > now ? end : null;
}

/** Reads the account's facts. If its server rejects it, it may have moved to another, where it works. */
async function inspect(adapter: NetworkAdapter, credentials: OpenCredentials): Promise<Identity> {
  const { host } = credentials.profile().private;
  try {
    return await adapter.connect.inspect(credentials.context);
  } catch (error) {
    const hasMoved = (await credentials.relocate(error)) || credentials.profile().private.host !== host;
    if (!hasMoved) throw error;
    return adapter.connect.inspect(credentials.context);
  }
}

function otherAccount(): PublishingError {
  return new PublishingError(
    "reauthentication_required",
    "The credentials now belong to another account. Reconnect the profile.",
  );
}
