import type { JsonObject } from "../wire/json.ts";
import { type ConnectionPorts, redirectUriOf } from "./ports.ts";

/** The document about the host's app that a network may fetch here; null: there is none. */
export type ReadDocument = (network: string, name: string) => Promise<JsonObject | null>;

export function createReadDocument({ adapter, baseUrl }: ConnectionPorts): ReadDocument {
  return async (network, name) => {
    const browser = adapter(network)?.connect.browser;
    if (browser?.documents === undefined || baseUrl === null) return null;
    const documents = await browser.documents({ redirectUri: redirectUriOf(baseUrl, network) });
    return Object.hasOwn(documents, name) ? (documents[name] ?? null) : null;
  };
}
