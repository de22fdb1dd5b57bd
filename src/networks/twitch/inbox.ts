import { type Inbox, noReactions } from "../contract/inbox.ts";
import { validateLogin } from "./account.ts";
import { access } from "./inbox-access.ts";
import { createHooks } from "./inbox-hooks.ts";
import { createReplier } from "./inbox-reply.ts";
import type { TwitchAppSetting } from "./oauth.ts";

/** https://dev.twitch.tv/docs/authentication/validate-tokens (2026-09) */
const validateSeconds = 3_600;

/**
 * The inbox of a channel, from webhooks only, because Twitch has no list to poll. The hourly poll validates the access
 * token, as Twitch requires.
 */
export function createInbox(app: TwitchAppSetting): Inbox {
  return {
    access,
    reports: { reactions: noReactions },
    sources: [
      {
        name: "login",
        every: { min: validateSeconds, max: validateSeconds },
        async poll(context) {
          await validateLogin(context);
          return { facts: [], cursor: null, more: false };
        },
      },
    ],
    hooks: createHooks(app),
    reply: createReplier(),
  };
}
