import type { ProfilePorts } from "../profiles/ports.ts";

/** What browser logins work with. */
export interface ConnectionPorts extends ProfilePorts {
  /** Where the handler is reachable from outside; null: the host has not said. */
  baseUrl: string | null;
  /** Whose pages a browser may be sent back to. */
  trustedOrigins: readonly string[];
}

/** Where the network sends the browser back to. @param server `BrowserLogin.server`; null: the network has one address for all */
export function redirectUriOf(baseUrl: string, network: string, server: string | null = null): string {
  // A colon before a port may stand in a path as it is.
  const step = server === null ? "" : `/${encodeURIComponent(server).replaceAll("%3A", ":")}`;
  return `${new URL(baseUrl).href.replace(/\/+$/, "")}/connect/${network}${step}/callback`;
}
