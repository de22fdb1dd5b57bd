import type { AppAtNetwork } from "../networks/runtime/app-limits.ts";
import { quotaCounter, quotaCounterMs } from "../networks/runtime/app-quota.ts";
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
  const { app_quota } = spec;
  if (app_quota !== undefined) {
    const now = await storage.now();
    const app: AppAtNetwork = { network: spec.network, app: profile.private.app ?? null };
    const counter = { key: quotaCounter(app, app_quota, now), by: 0, now, expiresAt: now + quotaCounterMs };
    return { of: "app", posts: app_quota.posts, used: await storage.increment(counter), as_of: isoTime(now) };
  }
  const told = adapter(spec.network)?.publish?.quota?.(factsOf(profile)) ?? null;
  return told === null ? null : { of: "profile", ...told };
}
