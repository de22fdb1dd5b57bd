import { type Inbox, noReactions } from "../contract/inbox.ts";
import { validateLogin } from "./account.ts";
import { createHooks } from "./inbox-hooks.ts";
import { createReplier } from "./inbox-reply.ts";
import type { TwitchAppSetting } from "./oauth.ts";

/** https://dev.twitch.tv/docs/authentication/validate-tokens (2026-09) */
const validateSeconds = 3_600;

/**
 * What Twitch sends of a channel: there is no list to read anything back from. What is asked each hour is whether the
 * login still holds, which is a duty of whoever keeps one.
 */
export function createInbox(app: TwitchAppSetting): Inbox {
  return {
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
