import { z } from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import { type Inbox, type InboxContext, noReactions, type Poll } from "../contract/inbox.ts";
import { usageOfWindow } from "../shared/request-usage.ts";
import { restartWalk, walk } from "../shared/walk.ts";
import { factsOf } from "./inbox-facts.ts";
import { replier } from "./inbox-reply.ts";
import { readAgain } from "./inbox-reread.ts";
import { type InboxStatus, inboxStatusSchema, type Notification, notificationSchema } from "./inbox-status.ts";
import { knownAccount } from "./known.ts";

/** Statuses on a page: each that replies to another costs a request of its own. */
const pageSize = 20;

/** Comments and mentions are notifications, direct statuses among them; what the owner wrote elsewhere stands in its own list. */
export const inbox: Inbox = {
  reports: { reactions: noReactions },
  sources: [
    { name: "notifications", every: { min: 60, max: 300 }, poll: pollNotifications, restart: restartWalk },
    { name: "own", every: { min: 120, max: 900 }, poll: pollOwn, restart: restartWalk },
  ],
  reread: { every: { min: 600, max: 1_800 }, atOnce: pageSize, perRound: 100, read: readAgain },
  reply: replier,
  // Of the limit nearest to its end. https://docs.joinmastodon.org/api/rate-limits/ (2026-07)
  usage: (headers) => usageOfWindow(headers, { prefix: "x-ratelimit-", timeOf: Date.parse }),
};

/** https://docs.joinmastodon.org/methods/notifications/#get (2026-07) */
async function pollNotifications(context: InboxContext, cursor: Json | null, since: number): Promise<Poll> {
  const step = await walk<Notification>(cursor, since, {
    now: context.now(),
    timeOf: ({ time }) => time,
    async read(page) {
      const url = new URL(`https://${context.profile.host}/api/v1/notifications?types[]=mention&limit=${pageSize}`);
      if (page !== null) url.searchParams.set("max_id", page);
      const items = await readList(context, url, notificationSchema);
      return { items, next: items.at(-1)?.id ?? null };
    },
  });
  // A server that does not know the filter gives all kinds.
  const mentions = step.items.filter(({ type }) => type === "mention");
  const statuses = mentions.map(({ status }) => inboxStatusSchema.safeParse(status)).flatMap(({ data }) => data ?? []);
  return { ...step, facts: await factsOf(context, statuses) };
}

/** What the owner wrote in another app: answers in conversations that are known, and direct statuses. */
async function pollOwn(context: InboxContext, cursor: Json | null, since: number): Promise<Poll> {
  const { account_id } = knownAccount(context.profile);
  const step = await walk<InboxStatus>(cursor, since, {
    now: context.now(),
    timeOf: ({ time }) => time,
    async read(page) {
      const account = encodeURIComponent(account_id);
      const url = new URL(
        `https://${context.profile.host}/api/v1/accounts/${account}/statuses?exclude_reblogs=true&limit=${pageSize}`,
      );
      if (page !== null) url.searchParams.set("max_id", page);
      const items = await readList(context, url, inboxStatusSchema);
      return { items, next: items.at(-1)?.id ?? null };
    },
  });
  const answers = step.items.filter(
    ({ reblog, visibility, in_reply_to_account_id: to }) =>
      reblog == null && (visibility === "direct" || (to != null && to !== account_id)),
  );
  return { ...step, facts: await factsOf(context, answers) };
}

/** What of a page can be read: a server may give more than it was asked for, and the rest comes with the next page. @throws PublishingError `network_error` when the answer is no list */
async function readList<Item>(context: InboxContext, url: URL, item: z.ZodType<Item>): Promise<Item[]> {
  const response = await context.request({ method: "GET", url: url.href });
  const list = z.array(item.nullable().catch(null)).safeParse(response.body);
  if (!list.success) throw new PublishingError("network_error", "The server's answer could not be read.");
  return list.data.slice(0, pageSize).filter((each) => each !== null) as Item[];
}
