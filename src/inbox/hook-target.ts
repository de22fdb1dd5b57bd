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

/**
 * The target of an account's webhook subscription; null: no app or no public URL is known.
 *
 * @throws PublishingError `unsupported` if the app's secret is not known
 */
export async function hookTargetOf(
  { hookUrl }: HookTargetPorts,
  hooks: Hooks,
  { account_id, network, app_id: appId }: { account_id: string; network: NetworkId; app_id: string | null },
): Promise<HookTarget | null> {
  const url = appId === null ? null : hookUrl(network, appId);
  if (appId === null || url === null) return null;
  const [secret] = await hooks.secrets(appId, async () => [account_id]);
  if (secret === undefined) throw new PublishingError("unsupported", "This service does not know the app's secret.");
  return { url, appId, secret };
}
