import type { ProfilePorts } from "../profiles/ports.ts";

/** The ports of browser sign-ins. */
export interface ConnectionPorts extends ProfilePorts {
  /** The handler's public URL; null: not configured. */
  baseUrl: string | null;
  /** Origins to which a browser may be redirected. */
  trustedOrigins: readonly string[];
}

/** The network's redirect URI. @param server `BrowserLogin.server`; null: the network has one URI for all */
export function redirectUriOf(baseUrl: string, network: string, server: string | null = null): string {
  // A path may contain the colon before a port unescaped.
  const step = server === null ? "" : `/${encodeURIComponent(server).replaceAll("%3A", ":")}`;
  return `${new URL(baseUrl).href.replace(/\/+$/, "")}/connect/${network}${step}/callback`;
}
