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
  /** What it is called. */
  title: z.string().trim().min(1).describe("What it is called."),
  /** When it begins, at the location: `2026-12-24`, or `2026-12-24T18:00`. */
  starts: localTime.describe("When it begins, at the location: `2026-12-24`, or `2026-12-24T18:00`."),
  /** When it ends; a day alone ends with the day. */
  ends: localTime.describe("When it ends; a day alone ends with the day."),
});

const offer = documentedObject({
  /** What customers say to get it. */
  coupon_code: z.string().trim().min(1).optional().describe("What customers say to get it."),
  /** Where they get it. */
  redeem_online_url: webAddress.optional().describe("Where they get it."),
  /** What it is bound to. */
  terms_conditions: z.string().trim().min(1).optional().describe("What it is bound to."),
});

const callToAction = documentedObject({
  /** What its button says: `CALL` calls the location's own number. */
  action_type: z
    .enum(["BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL"])
    .describe("What its button says: `CALL` calls the location's own number."),
  /** Where the button leads; all but `CALL` need it. */
  url: webAddress.optional().describe("Where the button leads; all but `CALL` need it."),
});

export const options = documentedObject({
  /** What kind of post it is: `STANDARD` (default), `EVENT` or `OFFER`. */
  topic_type: z
    .enum(["STANDARD", "EVENT", "OFFER"])
    .default("STANDARD")
    .describe("What kind of post it is: `STANDARD` (default), `EVENT` or `OFFER`."),
  /** What happens when: events and offers need it. */
  event: event.optional().describe("What happens when: events and offers need it."),
  /** Offers: what is offered. */
  offer: offer.optional().describe("Offers: what is offered."),
  /** A button under the post; offers have none. */
  call_to_action: callToAction.optional().describe("A button under the post; offers have none."),
  /** Language of the post: `en`, `pt-BR`. */
  language_code: languageCode.optional().describe("Language of the post: `en`, `pt-BR`."),
});

export type GoogleBusinessOptions = z.infer<typeof options>;
