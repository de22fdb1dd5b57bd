import { unsubscribeLast } from "../inbox/unsubscribe.ts";
import { openCredentials } from "../profiles/credentials.ts";
import { forgetGrant, isLastOnGrant } from "../profiles/grants.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import { toChange } from "../storage/typed.ts";
import { type Lease, LeaseLost, onlyWhileHeld } from "../work/lease.ts";
import type { PublishingPorts } from "./ports.ts";

/**
 * Destroys the credentials of a profile that was disconnected. Before, the network is told: it need not send any more
 * what happens there, and the login is no longer used. Its failure keeps nobody connected.
 *
 * @throws LeaseLost
 */
export async function destroyCredentials(ports: PublishingPorts, lease: Lease, profile: ProfileRow): Promise<void> {
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

async function tellNetwork(ports: PublishingPorts, lease: Lease, profile: ProfileRow): Promise<void> {
  const { storage, logger } = ports;
  const adapter = ports.adapter(profile.network);
  if (adapter === undefined) return;
  const attempt = (what: string, tell: () => Promise<void>): Promise<void> =>
    tell().catch((error: unknown) => {
      if (error instanceof LeaseLost) throw error;
      const words = error instanceof Error ? error.message : String(error);
      logger.warn(`the network was not told ${what}`, { profile: profile.id, error: words });
    });
  const opened = () => openCredentials(profile, { adapter, hold: lease, ports }).context;
  await attempt("to send nothing more", () => unsubscribeLast(ports, { profile, adapter, context: opened }));
  const { revoke } = adapter.connect;
  if (revoke !== undefined && (await isLastOnGrant(storage, profile.id)))
    await attempt("of a disconnection", () => revoke(opened()));
}
