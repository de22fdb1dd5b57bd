import type { AppAtNetwork } from "../networks/runtime/app-limits.ts";
import { postsCounter, postsQuota } from "../networks/runtime/budgets.ts";
import { isoTime } from "../ports/clock.ts";
import { factsOf } from "../profiles/rows.ts";
import type { PlannedTarget } from "./plan.ts";
import type { PlanningPorts } from "./ports.ts";
import type { PlannedQuota } from "./schema.ts";

/** The known remaining quota at the network. Null: unknown, or unlimited. */
export async function quotaOf(
  { storage, adapter }: Pick<PlanningPorts, "storage" | "adapter">,
  { profile, spec }: Pick<PlannedTarget, "profile" | "spec">,
): Promise<PlannedQuota | null> {
  const quota = postsQuota(spec);
  if (quota !== null) {
    const now = await storage.now();
    const app: AppAtNetwork = { network: spec.network, app: profile.private.app ?? null };
    const used = await storage.increment({ ...postsCounter(app, quota, now), by: 0, now });
    return { of: "app", posts: quota.posts, used, as_of: isoTime(now) };
  }
  const told = adapter(spec.network)?.publish?.quota?.(factsOf(profile)) ?? null;
  return told === null ? null : { of: "profile", ...told };
}
