import type { Inbox } from "../contract/inbox.ts";
import type { ExplainedAccess } from "../contract/inbox-access.ts";
import { accessWithout } from "../shared/inbox-access.ts";
import { limits } from "./limits.ts";

/** https://developers.facebook.com/docs/messenger-platform/overview (2026-09) */
const forMessages = { toRead: ["pages_messaging"], toReply: [] };
/** https://developers.facebook.com/documentation/pages-api/comments-mentions (2026-04) */
const forComments = { toRead: ["pages_read_user_content"], toReply: ["pages_manage_engagement"] };

/** The scopes of a token are unknown if no app is given that may inspect it. Then the network decides. */
export const access: NonNullable<Inbox["access"]> = ({ scopes }) => {
  const missing = (wanted: readonly string[]): string[] =>
    scopes.length === 0 ? [] : wanted.filter((scope) => !scopes.includes(scope));
  const accessBy = ({ toRead, toReply }: typeof forComments): ExplainedAccess =>
    accessWithout({ toRead: missing(toRead), toReply: missing(toReply) });
  const comment = accessBy(forComments);
  return { dm: accessBy(forMessages), comment, mention: comment.may === "none" ? comment : limits.inbox.mention };
};
