import { createHash, createHmac } from "node:crypto";
import { eraseMessages, eraseWaiting } from "../inbox/erase.ts";
import type { SentHook } from "../inbox/hook-intake.ts";
import type { HookSigner } from "../inbox/hook-secrets.ts";
import { inboxIdOf } from "../inbox/rows.ts";
import type { Deletion } from "../networks/contract/hooks.ts";
import { isoTime } from "../ports/clock.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { deleteFound } from "../storage/delete-found.ts";
import { eachRow } from "../storage/each-row.ts";
import { isConflictIn, type Storage } from "../storage/storage.ts";
import { fromRow, toRow } from "../storage/typed.ts";
import { wipeErased } from "../storage/wipe-deleted.ts";
import type { DeletionPorts } from "./ports.ts";

/** That the data of somebody's login are to be deleted, as they asked the network. */
interface DeletionRow {
  /** The code that it is asked about by: of a repeat the same. */
  id: string;
  /** `nothing`: nobody here was connected by that login. */
  status: "pending" | "done" | "nothing";
  created_at: string;
  private: {
    profile_ids: string[];
    /** Those that were reconnected since this moment are left as they are, milliseconds. */
    before: number;
  };
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
/** Requests of one app in an hour about people who are not known here. */
const maxStrangersAnHour = 100;
const hourMs = 3_600_000;
/** Bytes of a code. */
const codeBytes = 16;
/** Profiles of a login that are looked at before it is known who asks. */
const maxLooked = 100;

export function createDeletions(ports: DeletionPorts): Deletions {
  const { storage, logger } = ports;

  async function erase({ id, private: { profile_ids, before } }: DeletionRow): Promise<void> {
    for (const profileId of profile_ids) {
      const row = await storage.get("profiles", profileId);
      if (row === null || isSpared(fromRow<ProfileRow>(row), before)) continue;
      await ports.profiles(String(row.account_id)).disconnect(profileId);
      await eraseWaiting(storage, inboxIdOf(profileId));
      await eraseMessages(storage, profileId);
    }
    const change = { status: "done", private: { profile_ids: [], before } };
    await storage.write([{ kind: "update", collection: "deletions", id, change, where: {} }]);
    await wipeErased(storage);
  }

  /** Counts a request about somebody who is not known here. Who has an app of their own could sign any number. */
  async function countAgainstLimit(app: string, { secret }: HookSigner, now: number): Promise<boolean> {
    const hour = Math.floor(now / hourMs);
    // By its secret: no account uses up what is another's by naming its app.
    const key = `deletions/${app}/${createHash("sha256").update(secret).digest("hex").slice(0, 32)}/${hour}`;
    return (await storage.increment({ key, by: 1, now, expiresAt: (hour + 1) * hourMs })) > maxStrangersAnHour;
  }

  /** Of the login's profiles those that were connected before, of accounts that have the secret themselves. */
  async function meant(where: LoginOf, signer: HookSigner, before: number): Promise<string[]> {
    const ids: string[] = [];
    for await (const profile of profilesOf(storage, where))
      if (!isSpared(profile, before) && (await signer.isOf(profile.account_id))) ids.push(profile.id);
    return ids;
  }

  return {
    async receive({ network, appId, request: sent }) {
      const hooks = ports.adapter(network)?.inbox?.hooks;
      if (hooks?.deletions === undefined) return refused(404, "This service receives no calls from the network.");
      const { read, isSignedWith } = hooks.deletions;
      const signers = await ports.findHookSigners(hooks, { network, appId });
      if (signers === null) return refused(404, "Unknown app.");
      const bytes = await sent.read();
      const deletion = read(bytes);
      if (deletion === null) return wrongSignature;
      const where = { network, grant_id: `${appId}/${deletion.login}` };
      const signer = await signers.find({
        isSignedWith: (secret) => isSignedWith(bytes, secret),
        bytes: bytes.length,
        likely: () => accountsOf(storage, where),
      });
      if (signer === null) return wrongSignature;
      const now = await storage.now();
      // A moment that lies ahead would end what is connected from now on.
      const before = Math.min(deletion.before ?? Number.POSITIVE_INFINITY, now + 1);
      const code = codeOf(`${network}/${appId}`, deletion, { signer, now });
      const taken: DeletionReceipt = { status: 200, code, reason: "" };
      if ((await storage.get("deletions", code)) !== null) return taken;
      const profile_ids = await meant(where, signer, before);
      const isStranger = profile_ids.length === 0;
      if (isStranger && (await countAgainstLimit(`${network}/${appId}`, signer, now)))
        return refused(429, "Too many deletion requests for unknown users. Send it again in an hour.");
      const row: DeletionRow = {
        id: code,
        status: isStranger ? "nothing" : "pending",
        created_at: isoTime(now),
        private: { profile_ids, before },
      };
      await storage.write([{ kind: "insert", collection: "deletions", row: toRow(row) }]).catch((error: unknown) => {
        // The same was sent twice at once.
        if (!isConflictIn("deletions", error)) throw error;
      });
      return taken;
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
      for await (const row of eachRow(storage, "deletions", { status: "pending" }))
        await erase(fromRow(row)).catch((error: unknown) =>
          logger.warn("a data deletion request failed; it is retried", { error: String(error) }),
        );
    },
  };
}

/** Was it connected, or reconnected, since? Nobody asked for that to be deleted. */
function isSpared({ private: { connected_at } }: ProfileRow, before: number): boolean {
  return connected_at >= before;
}

/** The same for a repeat, and nobody can guess it. */
function codeOf(
  app: string,
  { login, before }: Deletion,
  { signer, now }: { signer: HookSigner; now: number },
): string {
  const hmac = createHmac("sha256", signer.secret).update(`deletion/${app}/${login}/${before ?? now}`);
  return hmac.digest("hex").slice(0, 2 * codeBytes);
}

/** A login on a network. */
interface LoginOf {
  network: string;
  grant_id: string;
}

/** The profiles that stand on a login. */
async function* profilesOf(storage: Storage, { network, grant_id }: LoginOf): AsyncGenerator<ProfileRow> {
  for await (const { id } of eachRow(storage, "grants", { grant_id })) {
    const row = await storage.get("profiles", id);
    if (row !== null && row.network === network) yield fromRow<ProfileRow>(row);
  }
}

/** The accounts of a login's first profiles. The sender is not verified yet, so the number is limited. */
async function accountsOf(storage: Storage, login: LoginOf): Promise<string[]> {
  const accounts = new Set<string>();
  let looked = 0;
  for await (const { account_id } of profilesOf(storage, login)) {
    accounts.add(account_id);
    looked += 1;
    if (looked === maxLooked) break;
  }
  return [...accounts];
}

function refused(status: number, reason: string): DeletionReceipt {
  return { status, code: null, reason };
}

const wrongSignature = refused(403, "The signature does not match: the app's secret may have changed.");
