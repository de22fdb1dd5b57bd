import type { PostStatus, TargetStatus } from "./schema.ts";

/** Statuses of targets that have not settled. */
export const openStatuses: readonly TargetStatus[] = ["pending", "publishing"];

export function isOpen(status: TargetStatus): boolean {
  return openStatuses.includes(status);
}

/** The status of a started post, derived from its targets. Skipped targets count neither as published nor as failed. */
export function statusFromTargets(targets: readonly TargetStatus[]): PostStatus {
  if (targets.some(isOpen)) return "publishing";
  const published = targets.includes("published");
  const failed = targets.includes("failed");
  if (published) return failed ? "partially_published" : "published";
  return failed ? "failed" : "cancelled";
}
