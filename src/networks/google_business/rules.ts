import type { SpecRule } from "../contract/spec.ts";
import type { GoogleBusinessOptions } from "./options.ts";
import { scheduleOf } from "./post.ts";

type Rule = SpecRule<GoogleBusinessOptions>;

const base = "networks.google_business";

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09) */
const eventIsThere: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    if (first === undefined) return null;
    const { topic_type, event } = first.options;
    if ((topic_type === "STANDARD") !== (event === undefined))
      return topic_type === "STANDARD"
        ? { field: `${base}.event`, message: "A standard post has no event: set topic_type to EVENT or OFFER." }
        : { field: `${base}.event`, message: `Google demands an event with ${topic_type}: its title, begin and end.` };
    return null;
  },
};

const eventEndsLater: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    const event = first?.options.event;
    if (event === undefined) return null;
    const { starts, ends } = scheduleOf(event);
    return ends > starts ? null : { field: `${base}.event.ends`, message: "The event ends before it begins." };
  },
};

const offerIsOne: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    if (first?.options.offer === undefined || first.options.topic_type === "OFFER") return null;
    return { field: `${base}.offer`, message: "Google shows an offer only with topic_type OFFER." };
  },
};

const buttonFits: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    const button = first?.options.call_to_action;
    if (first === undefined || button === undefined) return null;
    if (first.options.topic_type === "OFFER")
      return { field: `${base}.call_to_action`, message: "Google shows no button on an offer: use redeem_online_url." };
    const isCall = button.action_type === "CALL";
    if (isCall === (button.url === undefined)) return null;
    const message = isCall
      ? "CALL calls the location's own number: leave the address out."
      : `Google demands an address with ${button.action_type}.`;
    return { field: `${base}.call_to_action.url`, message };
  },
};

const saysSomething: Rule = {
  code: "invalid_request",
  check({ parts: [first] }) {
    if (first === undefined || first.text !== "" || first.media.length > 0 || first.options.event !== undefined)
      return null;
    return { field: "text", message: "Google takes no post without a text, a photo or an event." };
  },
};

export const rules: readonly Rule[] = [eventIsThere, eventEndsLater, offerIsOne, buttonFits, saysSomething];
