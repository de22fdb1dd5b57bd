import type { InboxContext } from "../contract/inbox.ts";
import type { OpensFact } from "../contract/inbox-thread-facts.ts";
import { messageKey } from "./inbox-ids.ts";

/**
 * How long programs may reply after a user's action, hours.
 * https://developers.facebook.com/docs/messenger-platform/send-messages (2026-09)
 */
export const openHours = 24;

/**
 * The same for a message that a user writes through an ad.
 * https://developers.facebook.com/documentation/business-messaging/messenger-platform/policy/ (2026-09)
 */
export const adHours = 7 * 24;

const hourMs = 3_600_000;

/** The reply window that a user's action opens. None for the Page's own actions, or if the window is over. */
export function opensBy(context: InboxContext, person: string | undefined, at: number, hours = openHours): OpensFact[] {
  if (person === undefined || person === context.profile.external_id) return [];
  if (at + hours * hourMs <= context.now()) return [];
  return [{ fact: "opens", at, thread: messageKey(person), person, hours }];
}
