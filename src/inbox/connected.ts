import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import { isoTime } from "../ports/clock.ts";
import type { ProfilePorts } from "../profiles/ports.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { isConflictIn, type Operation, type Storage } from "../storage/storage.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { askedAnew } from "./hook-state.ts";
import { type InboxRow, inboxIdOf } from "./rows.ts";

/** Dependencies of the creation of inboxes. */
export interface ConnectedPorts {
  storage: Storage;
  adapter(network: NetworkId): NetworkAdapter | undefined;
}

/** Creates, updates and wakes the inbox together with its profile. */
export function withInboxes(
  ports: ConnectedPorts & { wake(at: number, inboxId: string): void },
): Pick<ProfilePorts, "alongside" | "wakeInbox"> {
  return {
    alongside: (profile, now) => inboxOperations(ports, profile, now),
    wakeInbox: (profileId, now) => ports.wake(now, inboxIdOf(profileId)),
  };
}

/**
 * The operations on the inbox when its profile is connected, reconnected or disconnected. A reconnected inbox continues
 * from its last position. After a disconnection the inbox's holder deletes its data.
 */
async function inboxOperations(
  { storage, adapter }: ConnectedPorts,
  profile: ProfileRow,
  now: number,
): Promise<Operation[]> {
  if (adapter(profile.network)?.inbox === undefined) return [];
  const id = inboxIdOf(profile.id);
  const stored = await storage.get("inboxes", id);
  if (stored === null) return profile.status === "disconnected" ? [] : [insertInbox(profile, now)];
  const change = { due_at: now, app_id: profile.private.app };
  const { seq, private: state } = fromRow<InboxRow>(stored);
  if (profile.status === "disconnected" || state.hooks === undefined)
    return [{ kind: "update", collection: "inboxes", id, change, where: {} }];
  // A new `seq`, so that a concurrent reader of the inbox conflicts and does not overwrite this.
  const asking = toChange({
    ...change,
    seq: seq + 1,
    changed_at: now,
    private: { ...state, hooks: askedAnew(state.hooks, now) },
  });
  return [{ kind: "update", collection: "inboxes", id, change: asking, where: { seq } }];
}

function insertInbox(profile: ProfileRow, now: number): Operation {
  const { id, account_id, network, external_id } = profile;
  const row: InboxRow = {
    id: inboxIdOf(id),
    account_id,
    profile_id: id,
    network,
    external_id,
    app_id: profile.private.app,
    seq: 0,
    changed_at: now,
    created_at: isoTime(now),
    due_at: now,
    lease_until: 0,
    epoch: 0,
    private: { connected_at: now, sources: {}, pending_updates_until: now },
  };
  return { kind: "insert", collection: "inboxes", row: toRow(row) };
}

/** Profiles per query. */
const profilesAtOnce = 200;

/** Creates the inboxes of profiles that were connected before the service requested their network's inbox. */
export async function addMissingInboxes(
  { storage, adapter }: ConnectedPorts,
  networks: readonly NetworkId[],
): Promise<void> {
  const withInbox = networks.filter((network) => adapter(network)?.inbox !== undefined);
  if (withInbox.length === 0) return;
  for (let after = ""; ; ) {
    const { rows } = await storage.find("profiles", {
      where: { network: { in: withInbox }, status: "connected", id: { gte: after } },
      order: { column: "id", direction: "asc" },
      limit: profilesAtOnce,
      isCounted: false,
    });
    const profiles = rows.map((row) => fromRow<ProfileRow>(row)).filter(({ id }) => id !== after);
    await addInboxes(storage, profiles);
    const last = rows.at(-1)?.id;
    if (last === undefined || rows.length < profilesAtOnce) return;
    after = last;
  }
}

async function addInboxes(storage: Storage, profiles: readonly ProfileRow[]): Promise<void> {
  const ids = profiles.map(({ id }) => inboxIdOf(id));
  const found = await storage.find("inboxes", { where: { id: { in: ids } }, isCounted: false });
  const known = new Set(found.rows.map(({ id }) => id));
  const now = await storage.now();
  for (const profile of profiles) {
    if (known.has(inboxIdOf(profile.id))) continue;
    await storage.write([insertInbox(profile, now)]).catch((error: unknown) => {
      // Another process has created it concurrently.
      if (!isConflictIn("inboxes", error)) throw error;
    });
  }
}
