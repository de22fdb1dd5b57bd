import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginContext, NetworkContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import type { Api } from "./api.ts";
import { type Flavour, readKnown } from "./known.ts";

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/content_publishing_limit (2026-09) */
const quotaSchema = z.object({
  data: z.tuple([z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }).nullish() })]),
});

/** How many posts the account has published in the last 24 hours, and may. */
export interface Quota {
  used: number;
  /** Null: Instagram does not say. */
  total: number | null;
}

/** Statuses that say that it cannot be read: what is wrong then shows elsewhere. */
const unreadable = [400, 401, 403] as const;

export function quotaRequest(api: Api, flavour: Flavour, accountId: string): NetworkRequest {
  const url = api.endpoint(flavour, [accountId, "content_publishing_limit"], { fields: "quota_usage,config" });
  return { method: "GET", url, accept: unreadable };
}

/** Null: the answer is none. */
function readQuota({ body }: NetworkResponse): Quota | null {
  const parsed = quotaSchema.safeParse(body);
  if (!parsed.success) return null;
  const [{ quota_usage, config }] = parsed.data.data;
  return { used: quota_usage, total: config?.quota_total ?? null };
}

/**
 * Documents name 50, 100 and 25, so only what the account itself is told counts.
 *
 * @throws PublishingError `rejected_by_network` when all posts of the day are used up
 */
export async function assertQuota(context: NetworkContext, api: Api): Promise<void> {
  const { flavour } = readKnown(context.profile);
  const quota = readQuota(await context.request(quotaRequest(api, flavour, context.profile.external_id)));
  if (quota === null || quota.total === null || quota.used < quota.total) return;
  const message = `The account has published ${quota.used} of the ${quota.total} posts that Instagram allows within 24 hours: try again tomorrow.`;
  throw new PublishingError("rejected_by_network", message);
}

/** The same, for whoever is just being connected. */
export async function askQuota(
  context: Pick<LoginContext, "request">,
  request: NetworkRequest,
): Promise<{ quota: Quota | null; body: unknown }> {
  const response = await context.request(request);
  return { quota: readQuota(response), body: response.body };
}
