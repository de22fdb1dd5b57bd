import type { Inbox } from "../contract/inbox.ts";
import { graphUsage } from "../shared/meta/usage.ts";
import type { Api } from "./api.ts";
import { pollComments } from "./inbox-comments.ts";
import { createHooks } from "./inbox-hooks.ts";
import { pollMentions } from "./inbox-mentions.ts";
import { pollMessages } from "./inbox-messages.ts";
import { createReplier } from "./inbox-reply.ts";
import type { FacebookAppSetting } from "./oauth.ts";

/** While the app's webhooks bring the same, seconds. */
const repair = 900;

/**
 * Messages of Messenger, comments under the newest posts, and posts of others
 * that name the Page or stand on it; by the app's webhooks, where it has one,
 * and by lists that bring what those miss.
 */
export function createInbox(
  api: Api,
  { app, humanAgent }: { app: FacebookAppSetting | undefined; humanAgent: boolean },
): Inbox {
  return {
    reports: { reactions: { dm: "one", comment: "one", mention: "one" } },
    sources: [
      {
        name: "messages",
        every: { min: 120, max: 300, repair },
        poll: (context, cursor, since) => pollMessages(context, api, cursor, since),
      },
      {
        name: "comments",
        every: { min: 300, max: 900, repair },
        poll: (context, cursor, since) => pollComments(context, api, cursor, since),
      },
      ...(["tagged", "visitor_posts"] as const).map((edge) => ({
        name: edge,
        every: { min: 300, max: 900 },
        poll: (...[context, cursor, since]: Parameters<Inbox["sources"][number]["poll"]>) =>
          pollMentions(context, api, { edge, cursor, since }),
      })),
    ],
    ...(app === undefined ? {} : { hooks: createHooks(api, app) }),
    reply: createReplier(api, { humanAgent }),
    usage: graphUsage,
  };
}
