import { parseNetworkJson } from "../../wire/network-json.ts";

/** Anybody can send to where hooks are received. A network sends a thousand events of fifty values at most, in a dozen levels. */
const max = { depth: 64, values: 100_000 };

/** A hook's body; null where it is no JSON, or expensive to read. */
export function readHookJson(bytes: Uint8Array): unknown {
  return parseNetworkJson(bytes, max);
}
