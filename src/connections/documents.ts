import type { JsonObject } from "../wire/json.ts";
import { type ConnectionPorts, redirectUriOf } from "./ports.ts";

/** What a network may read here about the host's app; null: there is no such document. */
export type ReadDocument = (network: string, name: string) => Promise<JsonObject | null>;

export function createReadDocument({ adapter, baseUrl }: ConnectionPorts): ReadDocument {
  return async (network, name) => {
    const browser = adapter(network)?.connect.browser;
    if (browser?.documents === undefined || baseUrl === null) return null;
    const documents = await browser.documents({ redirectUri: redirectUriOf(baseUrl, network) });
    return Object.hasOwn(documents, name) ? (documents[name] ?? null) : null;
  };
}
