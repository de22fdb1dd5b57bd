import { parseNetworkJson } from "../../wire/network-json.ts";

/**
 * Anybody can send to where hooks are received. A network sends a thousand events at once, of some fifty values each.
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started (2026-09)
 */
const max = { depth: 64, values: 100_000 };

/** A hook's body; null where it is no JSON, or expensive to read. */
export function readHookJson(bytes: Uint8Array): unknown {
  return parseNetworkJson(bytes, max);
}
