import { eraseMessages, eraseWaiting } from "../inbox/erase.ts";
import type { SentHook } from "../inbox/hook-intake.ts";
import { readHookSecrets } from "../inbox/hook-secrets.ts";
import { inboxIdOf } from "../inbox/rows.ts";
import { isoTime } from "../ports/clock.ts";
import { deleteFound } from "../storage/delete-found.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow, toRow } from "../storage/typed.ts";
import { wipeErased } from "../storage/wipe-deleted.ts";
import type { DeletionPorts } from "./ports.ts";

/** That the data of somebody's login are to be deleted, as they asked the network. */
interface DeletionRow {
  /** The code that it is asked about by. */
  id: string;
  /** `nothing`: nobody here was connected by that login. */
  status: "pending" | "done" | "nothing";
  created_at: string;
  private: { profile_ids: string[] };
}

/** What becomes of a request for deletion. */
export interface DeletionReceipt {
  status: number;
  /** The code under which it was taken, or why it was not. */
  code: string | null;
  reason: string;
}

/** Takes what networks send of people who want their data deleted. */
export interface Deletions {
  /** Verifies it and writes it down; `work` then does it. */
  receive(sent: SentHook): Promise<DeletionReceipt>;
  /** How far one is; null: there is none of this code. */
  statusOf(code: string): Promise<"pending" | "done" | null>;
  /** Does what was written down: ends the logins, and deletes what was written to their profiles. */
  work(): Promise<void>;
}

/** How long it can be asked about, milliseconds. */
const keptMs = { done: 365 * 86_400_000, nothing: 30 * 86_400_000 } as const;
/** Requests of one app in an hour about people who are not known here. Who has an app of their own could sign any number. */
const maxStrangersAnHour = 100;
const hourMs = 3_600_000;
/** Bytes of a code. */
const codeBytes = 16;
/** Rows read at a time. */
const rowsAtOnce = 100;

export function createDeletions(ports: DeletionPorts): Deletions {
  const { storage, ids, logger } = ports;

  async function erase({ id, private: { profile_ids } }: DeletionRow): Promise<void> {
    for (const profileId of profile_ids) {
      const row = await storage.get("profiles", profileId);
      if (row === null) continue;
      await ports.profiles(String(row.account_id)).disconnect(profileId);
      await eraseWaiting(storage, inboxIdOf(profileId));
      await eraseMessages(storage, profileId);
    }
    const change = { status: "done", private: { profile_ids: [] } };
    await storage.write([{ kind: "update", collection: "deletions", id, change, where: {} }]);
  }

  /** Counts a request about somebody who is not known here. */
  async function isOneTooMany(app: string, now: number): Promise<boolean> {
    const hour = Math.floor(now / hourMs);
    const expiresAt = (hour + 1) * hourMs;
    return (await storage.increment({ key: `deletions/${app}/${hour}`, by: 1, now, expiresAt })) > maxStrangersAnHour;
  }

  return {
    async receive({ network, appId, request: sent }) {
      const hooks = ports.adapter(network)?.inbox?.hooks;
      if (hooks?.deletionOf === undefined) return refused(404, "Nothing is received here.");
      const secrets = await readHookSecrets(storage, hooks, { network, appId });
      if (secrets.all.length === 0) return refused(404, "This app is not known here.");
      const now = await storage.now();
      const request = { ...sent, at: now };
      const login = hooks.deletionOf(request, secrets.all);
      if (login === null) return refused(403, "The signature is wrong: the secret of the app may have changed.");
      const profile_ids: string[] = [];
      for (const { id, account_id } of await profilesOf(storage, { network, grant_id: `${appId}/${login}` }))
        if (hooks.deletionOf(request, await secrets.ofAccount(account_id)) === login) profile_ids.push(id);
      const isStranger = profile_ids.length === 0;
      if (isStranger && (await isOneTooMany(`${network}/${appId}`, now)))
        return refused(429, "Too many requests about people who are not known here. Send it again in an hour.");
      const row: DeletionRow = {
        id: Buffer.from(ids.bytes(codeBytes)).toString("hex"),
        status: isStranger ? "nothing" : "pending",
        created_at: isoTime(now),
        private: { profile_ids },
      };
      await storage.write([{ kind: "insert", collection: "deletions", row: toRow(row) }]);
      return { status: 200, code: row.id, reason: "" };
    },
    async statusOf(code) {
      const row = await storage.get("deletions", code);
      if (row === null) return null;
      return fromRow<DeletionRow>(row).status === "pending" ? "pending" : "done";
    },
    async work() {
      const now = await storage.now();
      for (const status of ["done", "nothing"] as const)
        await deleteFound(storage, "deletions", { status, created_at: { lt: isoTime(now - keptMs[status]) } });
      const where = { status: "pending" };
      const { rows } = await storage.find("deletions", { where, limit: rowsAtOnce, isCounted: false });
      for (const row of rows)
        await erase(fromRow(row)).catch((error: unknown) =>
          logger.warn("what somebody wants deleted could not be; it is tried again", { error: String(error) }),
        );
      if (rows.length > 0) await wipeErased(storage);
    },
  };
}

/** The profiles of a network that stand on a grant. */
async function profilesOf(
  storage: Storage,
  { network, grant_id }: { network: string; grant_id: string },
): Promise<{ id: string; account_id: string }[]> {
  const order = { column: "id", direction: "asc" } as const;
  const grants = await storage.find("grants", { where: { grant_id }, order, isCounted: false });
  const where = { id: { in: grants.rows.map(({ id }) => id) }, network };
  const { rows } = await storage.find("profiles", { where, isCounted: false });
  return rows.map(({ id, account_id }) => ({ id, account_id: String(account_id) }));
}

function refused(status: number, reason: string): DeletionReceipt {
  return { status, code: null, reason };
}
