import type { HookTarget } from "../networks/contract/hooks.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import type { NetworkId } from "../networks/contract/network-id.ts";
import { whyNotPublic } from "../outbound/guard/public-url.ts";
import { PublishingError } from "../wire/errors.ts";

export interface HookTargetPorts {
  /** The webhook URL for an app's accounts; null: no public URL of this service is known. */
  hookUrl(network: NetworkId, appId: string): string | null;
}

/**
 * Creates the function that returns webhook URLs.
 *
 * @param baseUrl the URL of the handler; null: not configured
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
 * The target of an account's webhook subscription; null: no app or no public URL is known.
 *
 * @throws PublishingError `unsupported` if the app's secret is not known
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
