import type { ProfilePorts } from "../profiles/ports.ts";

/** What logins in a browser work with. */
export interface ConnectionPorts extends ProfilePorts {
  /** Where the handler is reachable from outside; null: the host has not said. */
  baseUrl: string | null;
  /** Whose pages a browser may be sent back to. */
  redirectOrigins: readonly string[];
}

/** Where a network sends the browser back to. */
export function redirectUriOf(baseUrl: string, network: string): string {
  return `${new URL(baseUrl).href.replace(/\/+$/, "")}/connect/${network}/callback`;
}
