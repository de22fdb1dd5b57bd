import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09) */
const languageCode = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "A language code, such as en or pt-BR.");

/** A day, or a day and a time, as the clock at the location shows them. */
const localTime = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/,
    "A day, or a day and a time, at the location: 2026-12-24 or 2026-12-24T18:00.",
  )
  .refine((text) => isReal(text), "There is no such day or time.");

function isReal(text: string): boolean {
  const [day = "", time = "00:00"] = text.split("T");
  const at = new Date(`${day}T${time}:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${day}T${time}`);
}

const event = documentedObject({
  /** The event's title. */
  title: z.string().trim().min(1).describe("The event's title."),
  /** When it starts, in the location's time zone: `2026-12-24`, or `2026-12-24T18:00`. */
  starts: localTime.describe("When it starts, in the location's time zone: `2026-12-24`, or `2026-12-24T18:00`."),
  /** When it ends; a date without a time means the end of that day. */
  ends: localTime.describe("When it ends; a date without a time means the end of that day."),
});

const offer = documentedObject({
  /** The coupon code for customers. */
  coupon_code: z.string().trim().min(1).optional().describe("The coupon code for customers."),
  /** URL where customers redeem it. */
  redeem_online_url: webAddress.optional().describe("URL where customers redeem it."),
  /** The terms of the offer. */
  terms_conditions: z.string().trim().min(1).optional().describe("The terms of the offer."),
});

const callToAction = documentedObject({
  /** The button's label: `CALL` calls the location's own phone number. */
  action_type: z
    .enum(["BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL"])
    .describe("The button's label: `CALL` calls the location's own phone number."),
  /** URL that the button links to; required for all but `CALL`. */
  url: webAddress.optional().describe("URL that the button links to; required for all but `CALL`."),
});

export const options = documentedObject({
  /** The kind of post: `STANDARD` (default), `EVENT` or `OFFER`. */
  topic_type: z
    .enum(["STANDARD", "EVENT", "OFFER"])
    .default("STANDARD")
    .describe("The kind of post: `STANDARD` (default), `EVENT` or `OFFER`."),
  /** The event: required for events and offers. */
  event: event.optional().describe("The event: required for events and offers."),
  /** Offers: the coupon, terms and URL. */
  offer: offer.optional().describe("Offers: the coupon, terms and URL."),
  /** A button under the post; offers have none. */
  call_to_action: callToAction.optional().describe("A button under the post; offers have none."),
  /** Language of the post: `en`, `pt-BR`. */
  language_code: languageCode.optional().describe("Language of the post: `en`, `pt-BR`."),
});

export type GoogleBusinessOptions = z.infer<typeof options>;
