import type { ProfileRow, ProfileState } from "../../src/profiles/rows.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow, toChange, toRow } from "../../src/storage/typed.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";

export interface ProfileStore {
  clock: ManualClock;
  storage: Storage;
  /** The profile as stored. */
  read(): Promise<ProfileRow>;
  /** Changes the row directly in the store. */
  change(change: Partial<ProfileRow>): Promise<void>;
}

/** A store with one profile, which no process holds. */
export async function profileStore(given: Partial<ProfileRow> = {}): Promise<ProfileStore> {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const row = profileRow(given);
  await storage.write([{ kind: "insert", collection: "profiles", row: toRow(row) }]);
  return {
    clock,
    storage,
    async read() {
      const stored = await storage.get("profiles", row.id);
      if (stored === null) throw new Error("the profile is gone");
      return fromRow(stored);
    },
    async change(change) {
      await storage.write([
        { kind: "update", collection: "profiles", id: row.id, change: toChange(change), where: {} },
      ]);
    },
  };
}

export function profileRow({ private: state, ...given }: Partial<ProfileRow> = {}): ProfileRow {
  return {
    id: "prof_1",
    account_id: "acct_1",
    name: "Alice",
    network: "mastodon",
    handle: "@alice@network.example",
    avatar_url: null,
    url: null,
    external_id: "network.example:1",
    status: "connected",
    status_reason: null,
    scopes: [],
    token_expires_at: null,
    reconnect_by: null,
    limits: {},
    created_at: "2026-11-01T00:00:00.000Z",
    updated_at: "2026-11-01T00:00:00.000Z",
    last_checked_at: null,
    due_at: null,
    lease_until: 0,
    epoch: 0,
    ...given,
    private: profileState(state),
  };
}

export function profileState(given: Partial<ProfileState> = {}): ProfileState {
  return {
    secret: null,
    connected_at: 0,
    expires_at: null,
    refresh_at: null,
    host: null,
    account_facts: {},
    app: null,
    limited_until: null,
    ...given,
  };
}
