import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { InboxKind, Reply, ReplyPost } from "../networks/contract/inbox.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import type { Publisher } from "../networks/contract/publish.ts";
import { applyLimits } from "../networks/contract/spec.ts";
import { countBytes } from "../text/bytes.ts";
import { countText } from "../text/count.ts";
import { PublishingError } from "../wire/errors.ts";
import type { MessageRow } from "./rows.ts";

/** The post that a reply is sent as. @throws PublishingError if such a reply cannot be sent */
export function replyPost(reply: Reply, adapter: NetworkAdapter, profile: ProfileFacts): ReplyPost {
  const { inbox, spec } = adapter;
  if (inbox?.reply === undefined)
    throw new PublishingError("unsupported", `The service does not send replies on ${spec.name}.`);
  const post = inbox.reply.asPost(reply, profile);
  if (inbox.reply.publishers?.[reply.kind] !== undefined) return post;
  return { ...post, part: { ...post.part, options: adapter.options.parse(post.part.options) } };
}

/** The post that a stored reply is sent as. */
export function replyPostOf(message: MessageRow, adapter: NetworkAdapter, profile: ProfileFacts): ReplyPost {
  const { reply } = message.private;
  if (reply === undefined) throw new Error(`The message ${message.id} is not a reply.`);
  const { kind, to, by, is_open: isOpen } = reply;
  return replyPost({ text: message.text ?? "", kind, to, by, isOpen }, adapter, profile);
}

/** The publisher of a stored reply; undefined: the publisher of the network's posts. */
export function replyPublisherOf({ private: { reply } }: MessageRow, { inbox }: NetworkAdapter): Publisher | undefined {
  return reply === undefined ? undefined : inbox?.reply?.publishers?.[reply.kind];
}

/** Why a reply is too long, for humans; null: it is not. Replies are never cut. */
export function lengthProblem(
  { part }: ReplyPost,
  { adapter, profile, kind }: { adapter: NetworkAdapter; profile: ProfileFacts; kind: InboxKind },
): string | null {
  const rule = adapter.inbox?.reply?.text?.(kind) ?? applyLimits(adapter.spec, profile.limits).text;
  const length = countText(part.text, rule);
  if (length > rule.max)
    return `${length} of at most ${rule.max} characters, including the mentioned accounts. Shorten it.`;
  const bytes = countBytes(part.text);
  if (rule.max_bytes === undefined || bytes <= rule.max_bytes) return null;
  return `${bytes} of at most ${rule.max_bytes} bytes in UTF-8. Shorten it.`;
}
