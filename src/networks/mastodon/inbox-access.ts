import type { Inbox } from "../contract/inbox.ts";
import { accessWithout } from "../shared/inbox-access.ts";
import { missingScopes } from "./scopes.ts";

/** https://docs.joinmastodon.org/methods/notifications/#get (2026-07), …/statuses/#create */
const needed = { toRead: ["read:statuses", "read:notifications"], toReply: ["write:statuses"] };

/** The scopes of a token are unknown where the server does not report them. Others decide by these, for all kinds. */
export const access: NonNullable<Inbox["access"]> = ({ scopes }) => {
  const missing = (wanted: readonly string[]): string[] => (scopes.length === 0 ? [] : missingScopes(wanted, scopes));
  const each = accessWithout({ toRead: missing(needed.toRead), toReply: missing(needed.toReply) });
  return { dm: each, comment: each, mention: each };
};
