import * as z from "zod";
import type { Json } from "../../wire/json.ts";
import type { Replier, Reply } from "../contract/inbox.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import type { InboxStatus } from "./inbox-status.ts";
import { keyOf } from "./inbox-thread.ts";
import { knownAccount } from "./known.ts";

/** Data for a reply: the users to mention, and its visibility. */
const refSchema = z.object({
  people: z.array(z.string()),
  visibility: z.enum(["public", "unlisted", "private", "direct"]).catch("direct"),
});

/** @param own the account's own id */
export function refOf({ account, mentions, visibility }: InboxStatus, own: string): Json {
  const others = (mentions ?? []).filter((each) => each.id !== own).map(({ acct }) => acct);
  const people = [account.id === own ? null : account.acct, ...others].filter(
    (acct): acct is string => acct != null && acct !== "",
  );
  return { people: [...new Set(people)], visibility: visibility ?? null };
}

/** A reply must mention its recipients, because others do not get it. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
export const replier: Replier = {
  asPost({ text, to }: Reply, profile) {
    const { people = [], visibility = "direct" } = refSchema.safeParse(to.ref).data ?? {};
    const names = people.map((acct) => `@${nameOf(acct, profile)}`);
    const missing = names.filter((name) => !isNamed(name, text));
    return {
      part: {
        text: [...missing, text].join(" "),
        media: [],
        link: null,
        title: null,
        post_type: "post",
        options: { visibility },
      },
      previous: { id: to.external_id, url: null, ref: null },
    };
  },
  keyOf: ({ id, ref }) => keyOf({ id, uri: typeof ref === "string" ? ref : null }),
};

/** The name to mention a user by. On some servers a name without a domain is not a mention (2026-11). */
function nameOf(acct: string, profile: ProfileFacts): string {
  if (acct.includes("@") || knownAccount(profile).is_mastodon) return acct;
  return `${acct}@${profile.handle?.split("@").at(-1) ?? profile.host}`;
}

/** True: the text mentions the name, and what follows does not extend it to another name. */
function isNamed(name: string, text: string): boolean {
  const [folded, wanted] = [text.toLowerCase(), name.toLowerCase()];
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1))
    if (!/^(?:[\w@]|[.-]\w)/.test(folded.slice(at + wanted.length, at + wanted.length + 2))) return true;
  return false;
}
