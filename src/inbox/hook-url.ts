import type { NetworkId } from "../networks/contract/network-id.ts";
import { whyNotPublic } from "../outbound/guard/public-url.ts";

/**
 * Where networks are asked to send what happens.
 *
 * @param baseUrl where the handler is mounted; null: nobody said
 */
export function createHookUrl(baseUrl: string | null): (network: NetworkId, appId: string) => string | null {
  const base = baseUrl === null || whyNotPublic(baseUrl) !== null ? null : new URL(baseUrl).href.replace(/\/+$/, "");
  return (network, appId) => (base === null ? null : `${base}/hooks/${network}/${encodeURIComponent(appId)}`);
}
