import { rulesOf } from "../shared/rules.ts";
import type { GoogleBusinessOptions } from "./options.ts";
import { scheduleOf } from "./post.ts";

const { rule, problemAt } = rulesOf<GoogleBusinessOptions>("google_business");

/** https://developers.google.com/my-business/reference/rest/v4/accounts.locations.localPosts (2026-09) */
const eventIsThere = rule("invalid_request", ({ post }) => {
  const { topic_type, event } = post.options;
  if ((topic_type === "STANDARD") !== (event === undefined))
    return topic_type === "STANDARD"
      ? problemAt("event", "A standard post has no event: set topic_type to EVENT or OFFER.")
      : problemAt("event", `Google requires an event with ${topic_type}: its title, start and end.`);
  return null;
});

const eventEndsLater = rule("invalid_request", ({ post }) => {
  const event = post.options.event;
  if (event === undefined) return null;
  const { starts, ends } = scheduleOf(event);
  return ends > starts ? null : problemAt("event.ends", "The event ends before it starts.");
});

const offerIsOne = rule("invalid_request", ({ post }) => {
  if (post.options.offer === undefined || post.options.topic_type === "OFFER") return null;
  return problemAt("offer", "Google shows an offer only with topic_type OFFER.");
});

const buttonFits = rule("invalid_request", ({ post }) => {
  const button = post.options.call_to_action;
  if (button === undefined) return null;
  if (post.options.topic_type === "OFFER")
    return problemAt("call_to_action", "Google shows no button on an offer: use redeem_online_url.");
  const isCall = button.action_type === "CALL";
  if (isCall === (button.url === undefined)) return null;
  const message = isCall
    ? "CALL calls the location's own phone number: leave the URL out."
    : `Google requires a URL with ${button.action_type}.`;
  return problemAt("call_to_action.url", message);
});

const saysSomething = rule("invalid_request", ({ post }) => {
  if (post.text !== "" || post.media.length > 0 || post.options.event !== undefined) return null;
  return { field: "text", message: "Google requires a text, a photo or an event in every post." };
});

export const rules = [eventIsThere, eventEndsLater, offerIsOne, buttonFits, saysSomething];
