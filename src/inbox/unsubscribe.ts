import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkContext } from "../networks/contract/request.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { Storage } from "../storage/storage.ts";

/**
 * Asks the network to send nothing more of a profile that is disconnected, unless another profile of the same account
 * there lives of what the app is sent.
 *
 * @throws PublishingError
 */
export async function unsubscribeLast(
  storage: Storage,
  {
    profile: { id, network, external_id, private: facts },
    adapter,
    context,
  }: { profile: ProfileRow; adapter: NetworkAdapter; context: () => NetworkContext },
): Promise<void> {
  const appId = facts.app ?? null;
  const unsubscribe = adapter.inbox?.hooks?.unsubscribe;
  if (unsubscribe === undefined || appId === null) return;
  const where = { network, external_id, app_id: appId };
  const inboxes = await storage.find("inboxes", { where, isCounted: false });
  const others = inboxes.rows.map(({ profile_id }) => String(profile_id)).filter((other) => other !== id);
  const connected = { id: { in: others }, status: { in: ["connected", "needs_attention"] } };
  const { rows } = await storage.find("profiles", { where: connected, limit: 1, isCounted: false });
  if (rows.length === 0) await unsubscribe(context());
}
