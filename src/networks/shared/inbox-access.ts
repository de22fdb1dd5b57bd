import type { ExplainedAccess } from "../contract/inbox-access.ts";

/**
 * The access of a profile that lacks some of the network's scopes.
 *
 * @param missing.toRead scopes without which nothing can be read; empty: none is missing
 * @param missing.toReply scopes without which nothing can be written; empty: none is missing
 */
export function accessWithout(missing: { toRead: readonly string[]; toReply: readonly string[] }): ExplainedAccess {
  const { toRead, toReply } = missing;
  if (toRead.length > 0) return { may: "none", why: lacking(toRead) };
  return toReply.length > 0 ? { may: "read", why: lacking(toReply) } : { may: "reply" };
}

function lacking(scopes: readonly string[]): string {
  return `The profile lacks ${scopes.join(", ")}: reconnect it and allow all permissions.`;
}
