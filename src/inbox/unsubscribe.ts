import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkContext } from "../networks/contract/request.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { Storage } from "../storage/storage.ts";
import { type HookTargetPorts, hookTargetOf } from "./hook-target.ts";

/**
 * Asks the network to send nothing more of a profile that is disconnected, unless another profile of the same account
 * there lives of what the app is sent.
 *
 * @throws PublishingError
 */
export async function unsubscribeLast(
  ports: HookTargetPorts & { storage: Storage },
  { profile, adapter, context }: { profile: ProfileRow; adapter: NetworkAdapter; context: () => NetworkContext },
): Promise<void> {
  const { storage } = ports;
  const { id, account_id, network, external_id } = profile;
  const app_id = profile.private.app ?? null;
  const hooks = adapter.inbox?.hooks;
  if (hooks?.unsubscribe === undefined || app_id === null) return;
  const inboxes = await storage.find("inboxes", { where: { network, external_id, app_id }, isCounted: false });
  const others = inboxes.rows.map(({ profile_id }) => String(profile_id)).filter((other) => other !== id);
  const connected = { id: { in: others }, status: { in: ["connected", "needs_attention"] } };
  const { rows } = await storage.find("profiles", { where: connected, limit: 1, isCounted: false });
  if (rows.length > 0) return;
  const target = await hookTargetOf(ports, hooks, { account_id, network, app_id });
  if (target !== null) await hooks.unsubscribe(context(), target);
}
