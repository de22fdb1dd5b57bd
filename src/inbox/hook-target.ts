import type { HookTarget } from "../networks/contract/hooks.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import { whyNotPublic } from "../outbound/guard/public-url.ts";
import { PublishingError } from "../wire/errors.ts";

export interface HookTargetPorts {
  /** Where a network is asked to send what happens on accounts of an app; null: nothing public is known to lead here. */
  hookUrl(network: NetworkId, appId: string): string | null;
}

/**
 * Where networks are asked to send what happens.
 *
 * @param baseUrl where the handler is mounted; null: nobody said
 */
export function createHookUrl(baseUrl: string | null): (network: NetworkId, appId: string) => string | null {
  const base = baseUrl === null || whyNotPublic(baseUrl) !== null ? null : new URL(baseUrl).href.replace(/\/+$/, "");
  return (network, appId) => (base === null ? null : `${base}/hooks/${network}/${encodeURIComponent(appId)}`);
}

/**
 * Where the network is asked to send what happens on an account; null: nowhere, since no app is known or nothing public
 * leads here.
 *
 * @throws PublishingError `unsupported` where the app's secret is not known
 */
export async function hookTargetOf(
  { hookUrl }: HookTargetPorts,
  hooks: Hooks,
  { account_id, network, app_id: appId }: { account_id: string; network: NetworkId; app_id: string | null },
): Promise<HookTarget | null> {
  const url = appId === null ? null : hookUrl(network, appId);
  if (appId === null || url === null) return null;
  const app = hooks.signed.appOfAll ?? (await hooks.signed.appOf(account_id));
  if (app?.id !== appId) throw new PublishingError("unsupported", "This service does not know the app's secret.");
  return { url, appId, secret: app.secret };
}
