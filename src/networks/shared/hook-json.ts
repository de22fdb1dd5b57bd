import { parseNetworkJson } from "../../wire/network-json.ts";

/**
 * Limits for a webhook's body, because anyone can send one. A network batches a thousand events of about fifty values
 * each. https://developers.facebook.com/docs/graph-api/webhooks/getting-started (2026-09)
 */
const max = { depth: 64, values: 100_000 };

/** Parses a webhook's body. Null: it is not JSON, or too expensive to parse. */
export function readHookJson(bytes: Uint8Array): unknown {
  return parseNetworkJson(bytes, max);
}
