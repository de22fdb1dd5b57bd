import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { NetworkRequest, NetworkResponse, StageContext } from "../contract/request.ts";
import { endpoint } from "./api.ts";
import type { Known } from "./known.ts";

/** 250 posts and 1,000 replies, as far as documents say. https://developers.facebook.com/docs/threads/overview (2026-08) */
const defaults = { posts: 250, replies: 1_000 };

const config = z.object({ quota_total: z.number() }).nullish();

/** https://github.com/fbsamples/threads_api (2025-12) */
const quotaSchema = z.object({
  data: z.tuple([
    z.object({
      quota_usage: z.number(),
      config,
      reply_quota_usage: z.number().nullish(),
      reply_config: config,
    }),
  ]),
});

/** How much the account has published in the last 24 hours, and may. */
export type Quota = Omit<NonNullable<Known["quota"]>, "read_at">;

/** Statuses that say that it cannot be read: what is wrong then shows elsewhere. */
const unreadable = [400, 401, 403] as const;

export function quotaRequest(accountId: string): NetworkRequest {
  const fields = "quota_usage,config,reply_quota_usage,reply_config";
  return { method: "GET", url: endpoint([accountId, "threads_publishing_limit"], { fields }), accept: unreadable };
}

/** Null: the answer is none. */
export function readQuota({ body }: NetworkResponse): Quota | null {
  const parsed = quotaSchema.safeParse(body);
  if (!parsed.success) return null;
  const [{ quota_usage, config: posts, reply_quota_usage, reply_config }] = parsed.data.data;
  return {
    posts: { used: quota_usage, total: posts?.quota_total ?? defaults.posts },
    replies: { used: reply_quota_usage ?? 0, total: reply_config?.quota_total ?? defaults.replies },
  };
}

/**
 * A thread that would stop halfway is not begun.
 *
 * @throws PublishingError `rejected_by_network` when the posts of the day, or the replies, are used up
 */
export async function assertQuota(context: StageContext): Promise<void> {
  const quota = readQuota(await context.request(quotaRequest(context.profile.external_id)));
  if (quota === null) return;
  const isFirst = context.index === 0;
  if (isFirst) assertLeft(quota.posts, 1, "posts");
  assertLeft(quota.replies, isFirst ? context.count - 1 : context.count - context.index, "replies");
}

function assertLeft({ used, total }: Quota["posts"], wanted: number, what: string): void {
  if (wanted === 0 || used + wanted <= total) return;
  const message = `The account has published ${used} of the ${total} ${what} that Threads allows within 24 hours, and this needs ${wanted}: try again tomorrow.`;
  throw new PublishingError("rejected_by_network", message);
}
