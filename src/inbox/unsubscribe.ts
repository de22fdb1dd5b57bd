import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { NetworkContext } from "../networks/contract/request.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { Storage } from "../storage/storage.ts";
import { type HookTargetPorts, hookTargetOf } from "./hook-target.ts";
import { inboxIdOf } from "./rows.ts";

/**
 * Ends the webhook subscription of a disconnected profile, unless another connected profile of the same external
 * account, or one on a network that shares the subscription, needs it.
 *
 * @throws PublishingError
 */
export async function unsubscribeLast(
  ports: HookTargetPorts & { storage: Storage },
  { profile, adapter, context }: { profile: ProfileRow; adapter: NetworkAdapter; context: () => NetworkContext },
): Promise<void> {
  const { storage } = ports;
  const { id, account_id, network, external_id } = profile;
  const app_id = profile.private.app;
  const hooks = adapter.inbox?.hooks;
  if (hooks?.unsubscribe === undefined) return;
  // A subscription with its own secret is of this profile alone.
  if (hooks.signed.by !== "subscription") {
    if (app_id === null) return;
    const isWanted = (account: Account): Promise<boolean> => livesOf(storage, { ...account, app_id, except: id });
    if (await isWanted({ network, external_id })) return;
    for (const account of (await hooks.sharedWith?.(context())) ?? []) if (await isWanted(account)) return;
  }
  const place = { account_id, network, app_id, inbox_id: inboxIdOf(id), secret: "" };
  const target = await hookTargetOf(ports, hooks, place);
  if (target !== null) await hooks.unsubscribe(context(), target);
}

type Account = Pick<ProfileRow, "network" | "external_id">;

/** True: another profile of this external account is not disconnected. */
async function livesOf(
  storage: Storage,
  { network, external_id, app_id, except }: Account & { app_id: string; except: string },
): Promise<boolean> {
  const inboxes = await storage.find("inboxes", { where: { network, external_id, app_id }, isCounted: false });
  const others = inboxes.rows.map(({ profile_id }) => String(profile_id)).filter((other) => other !== except);
  if (others.length === 0) return false;
  const connected = { id: { in: others }, status: { in: ["connected", "needs_attention"] } };
  const { rows } = await storage.find("profiles", { where: connected, limit: 1, isCounted: false });
  return rows.length > 0;
}
