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

/** An inbox, whose network is asked to send what happens. */
export interface HookPlace {
  account_id: string;
  network: NetworkId;
  app_id: string | null;
  inbox_id: string;
  /** `HookTarget.secret` of a subscription. */
  secret: string;
}

/**
 * Where the network is asked to send what happens on an account; null: nowhere, since no app is known or nothing public
 * leads here.
 *
 * @throws PublishingError `unsupported` where the app's secret is not known
 */
export async function hookTargetOf(
  { hookUrl }: HookTargetPorts,
  { signed }: Hooks,
  { account_id, network, app_id: appId, inbox_id, secret }: HookPlace,
): Promise<HookTarget | null> {
  const end = signed.by === "subscription" ? inbox_id : appId;
  const url = end === null ? null : hookUrl(network, end);
  if (url === null) return null;
  if (signed.by !== "app") return { url, appId: appId ?? "", secret };
  const app = signed.appOfAll ?? (await signed.appOf(account_id));
  if (app === null || app.id !== appId)
    throw new PublishingError("unsupported", "This service does not know the app's secret.");
  return { url, appId, secret: app.secret };
}
