import type { JsonObject } from "../../wire/json.ts";
import type { Part } from "../contract/plan.ts";
import { defined } from "../shared/defined.ts";
import type { GoogleBusinessOptions } from "./options.ts";

type Event = NonNullable<GoogleBusinessOptions["event"]>;

/** Start and end as complete local times, which can be compared as strings: `2026-12-24T18:00`. */
export function scheduleOf({ starts, ends }: Event): { starts: string; ends: string } {
  return { starts: withTime(starts, "00:00"), ends: withTime(ends, "23:59") };
}

function withTime(text: string, time: string): string {
  return text.includes("T") ? text : `${text}T${time}`;
}

/**
 * The body of a post. https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts
 * (2026-09)
 *
 * @param address URL of its photo; null: it has none
 */
export function localPost({ text, options }: Part<GoogleBusinessOptions>, address: string | null): JsonObject {
  const { topic_type, event, offer, call_to_action, language_code } = options;
  return defined({
    topicType: topic_type,
    summary: text || undefined,
    languageCode: language_code,
    event: event && eventJson(event),
    offer: offer && offerJson(offer),
    callToAction: call_to_action && buttonJson(call_to_action),
    media: address === null ? undefined : [{ mediaFormat: "PHOTO", sourceUrl: address }],
  });
}

/** A schedule is valid only with all four parts. Same source. */
function eventJson(event: Event): JsonObject {
  const { starts, ends } = scheduleOf(event);
  const schedule = {
    startDate: dateIn(starts),
    startTime: timeIn(starts),
    endDate: dateIn(ends),
    endTime: timeIn(ends),
  };
  return { title: event.title, schedule };
}

function dateIn(text: string): JsonObject {
  return { year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)), day: Number(text.slice(8, 10)) };
}

function timeIn(text: string): JsonObject {
  return { hours: Number(text.slice(11, 13)), minutes: Number(text.slice(14, 16)), seconds: 0, nanos: 0 };
}

function offerJson(offer: NonNullable<GoogleBusinessOptions["offer"]>): JsonObject {
  const { coupon_code, redeem_online_url, terms_conditions } = offer;
  return defined({
    couponCode: coupon_code,
    redeemOnlineUrl: redeem_online_url,
    termsConditions: terms_conditions,
  });
}

function buttonJson({ action_type, url }: NonNullable<GoogleBusinessOptions["call_to_action"]>): JsonObject {
  return defined({ actionType: action_type, url });
}
