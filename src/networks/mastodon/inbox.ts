import type * as z from "zod";
import type { Json } from "../../wire/json.ts";
import { type Inbox, type InboxContext, noReactions, type Poll } from "../contract/inbox.ts";
import { usageOfWindow } from "../shared/request-usage.ts";
import { restartWalk, type WalkStep, walk } from "../shared/walk.ts";
import { access } from "./inbox-access.ts";
import { factsOf } from "./inbox-facts.ts";
import { pageSize, readPage } from "./inbox-pages.ts";
import { replier } from "./inbox-reply.ts";
import { readAgain } from "./inbox-reread.ts";
import { type InboxStatus, inboxStatusSchema, type Notification, notificationSchema } from "./inbox-status.ts";
import { isForOne } from "./inbox-thread.ts";
import { knownAccount } from "./known.ts";

/** Comments, mentions and direct statuses are notifications. The owner's posts from other apps are in the account's list. */
export const inbox: Inbox = {
  access,
  reports: { reactions: noReactions },
  sources: [
    { name: "notifications", every: { min: 60, max: 300 }, poll: pollNotifications, restart: restartWalk },
    { name: "approvals", every: { min: 300, max: 1_800 }, poll: pollApprovals, restart: restartWalk },
    { name: "own", every: { min: 120, max: 900 }, poll: pollOwn, restart: restartWalk },
  ],
  isDatedByServer: true,
  reread: { every: { min: 600, max: 1_800 }, atOnce: pageSize, perRound: 100, read: readAgain },
  reply: replier,
  // The headers describe the limit that is nearest to its end. https://docs.joinmastodon.org/api/rate-limits/ (2026-07)
  usage: (headers) => usageOfWindow(headers, { prefix: "x-ratelimit-", timeOf: Date.parse }),
};

/** https://docs.joinmastodon.org/methods/notifications/#get (2026-07) */
async function pollNotifications(context: InboxContext, cursor: Json | null, since: number): Promise<Poll> {
  const path = `notifications?types[]=mention&limit=${pageSize}`;
  const step = await walkList<Notification>(context, { path, item: notificationSchema, cursor, since });
  // A server without this filter returns all types.
  const mentions = step.items.filter(({ type }) => type === "mention");
  const statuses = mentions.map(({ status }) => inboxStatusSchema.safeParse(status)).flatMap(({ data }) => data ?? []);
  return { ...step, facts: await factsOf(context, statuses, { awaits_approval: false }) };
}

/**
 * Polls comments that other users see only after the owner approved them, which some servers have. A separate list,
 * because other servers reject this type.
 *
 * https://docs.gotosocial.org/en/latest/user_guide/settings/#interaction-policies (2026-11)
 */
async function pollApprovals(context: InboxContext, cursor: Json | null, since: number): Promise<Poll> {
  if (knownAccount(context.profile).is_mastodon) return { facts: [], cursor, more: false };
  const path = `notifications?types[]=${awaiting}&limit=${pageSize}`;
  const step = await walkList<Notification>(context, {
    path,
    item: notificationSchema,
    cursor,
    since,
    accept: [400, 422],
  });
  const comments = step.items.filter(({ type }) => type === awaiting);
  const statuses = comments.flatMap(({ status }) => inboxStatusSchema.safeParse(status).data ?? []);
  return { ...step, facts: await factsOf(context, statuses, { awaits_approval: true }) };
}

const awaiting = "pending.reply";

/** Reads the owner's posts from other apps: replies in known conversations, and direct statuses. */
async function pollOwn(context: InboxContext, cursor: Json | null, since: number): Promise<Poll> {
  const { account_id } = knownAccount(context.profile);
  const path = `accounts/${encodeURIComponent(account_id)}/statuses?exclude_reblogs=true&limit=${pageSize}`;
  const step = await walkList<InboxStatus>(context, { path, item: inboxStatusSchema, cursor, since });
  const answers = step.items.filter((status) => {
    const { reblog, visibility, in_reply_to_account_id: to } = status;
    const isDirect = visibility === "direct" || isForOne(context, status);
    return reblog == null && (isDirect || (to != null && to !== account_id));
  });
  return { ...step, facts: await factsOf(context, answers) };
}

function walkList<Item extends { time: number }>(
  context: InboxContext,
  list: { path: string; item: z.ZodType<Item>; cursor: Json | null; since: number; accept?: readonly number[] },
): Promise<WalkStep<Item>> {
  const { path, item, cursor, since, accept = [] } = list;
  const url = new URL(`https://${context.profile.host}/api/v1/${path}`);
  return walk<Item>(cursor, since, {
    now: context.now(),
    connectedAt: context.connectedAt,
    timeOf: ({ time }) => time,
    read: (place) => readPage(context, { url, place, item, accept }),
  });
}
