import type { Inbox } from "../contract/inbox.ts";
import { graphUsage } from "../shared/meta/usage.ts";
import { restartWalk } from "../shared/walk.ts";
import type { Api } from "./api.ts";
import { access } from "./inbox-access.ts";
import { allPosts, newestPosts, pollComments, restartComments } from "./inbox-comments.ts";
import { createHooks } from "./inbox-hooks.ts";
import { pollMentions } from "./inbox-mentions.ts";
import { pollMessages } from "./inbox-messages.ts";
import { createReplier } from "./inbox-reply.ts";
import { openHours } from "./inbox-window.ts";
import type { FacebookAppSetting } from "./oauth.ts";

/** Polling interval while the app's webhooks bring the same items, seconds. */
const repair = 900;
/** Polling interval of the comments under all posts, seconds. */
const day = 86_400;

/**
 * Messenger messages, comments under the newest posts and, once a day, under older ones, and posts of others that name
 * the Page or stand on it. The app's webhooks bring them, if it has any, and polled lists bring what the webhooks miss.
 */
export function createInbox(
  api: Api,
  { app, humanAgent }: { app: FacebookAppSetting | undefined; humanAgent: boolean },
): Inbox {
  return {
    access,
    reports: { reactions: { dm: "one", comment: "one", mention: "one" } },
    sources: [
      {
        name: "messages",
        every: { min: 120, max: 300, repair },
        poll: (context, cursor, since) => pollMessages(context, api, cursor, since),
        restart: restartWalk,
      },
      {
        name: "comments",
        every: { min: 300, max: 900, repair },
        poll: (context, cursor, since) => pollComments(context, api, { reach: newestPosts, cursor, since }),
        restart: restartComments,
      },
      {
        name: "older_comments",
        every: { min: day, max: day, repair: day },
        poll: (context, cursor, since) => pollComments(context, api, { reach: allPosts, cursor, since }),
        restart: restartComments,
      },
      ...(["tagged", "visitor_posts"] as const).map((edge) => ({
        name: edge,
        every: { min: 300, max: 900 },
        poll: (...[context, cursor, since]: Parameters<Inbox["sources"][number]["poll"]>) =>
          pollMentions(context, api, { edge, cursor, since }),
        restart: restartWalk,
      })),
    ],
    ...(app === undefined ? {} : { hooks: createHooks(api, app) }),
    reply: createReplier(api, { humanAgent }),
    window: { openHours },
    usage: graphUsage,
  };
}
