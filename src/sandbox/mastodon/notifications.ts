import type { JsonObject } from "../../wire/json.ts";
import { dateOf, type StoredStatus } from "./entities.ts";

/** Notifications have their own ids, in the order of their statuses. */
export function idOf({ id }: StoredStatus): string {
  return String(BigInt(id) * 3n);
}

/** The bounds of a page of notifications, converted to those of its statuses. */
export function statusBounds(parameters: URLSearchParams): URLSearchParams {
  const bounds = new URLSearchParams(parameters);
  for (const name of ["max_id", "since_id", "min_id", "page"]) {
    const id = bounds.get(name);
    if (id !== null) bounds.set(name, String(BigInt(/^\d+/.exec(id)?.[0] ?? "0") / 3n));
  }
  return bounds;
}

/** The type of the account's notification about a status that mentions it. */
export function typeOf({ account, reply_to, isApproved }: StoredStatus): string {
  const isAsked = account.instance.ways.asksApproval && reply_to !== null && reply_to.account !== account;
  return isAsked && !isApproved ? "pending.reply" : "mention";
}

/** A Notification. https://docs.joinmastodon.org/entities/Notification/ (2026-07) */
export function notificationEntity(status: StoredStatus, shown: JsonObject): JsonObject {
  return {
    id: idOf(status),
    type: typeOf(status),
    created_at: dateOf(status.created_at, status.account),
    group_key: `ungrouped-${idOf(status)}`,
    account: shown.account ?? null,
    status: shown,
  };
}
