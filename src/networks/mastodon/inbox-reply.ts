import { z } from "zod";
import type { Json } from "../../wire/json.ts";
import type { Replier, Reply } from "../contract/inbox.ts";
import type { InboxStatus } from "./inbox-status.ts";
import { keyOf } from "./inbox-thread.ts";

/** What an answer goes by: who must be named in it, and who may see it. */
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

/** Whoever is not named in an answer does not get it. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
export const replier: Replier = {
  asPost({ text, to }: Reply) {
    const { people = [], visibility = "direct" } = refSchema.safeParse(to.ref).data ?? {};
    const named = text.toLowerCase();
    const missing = people.filter((acct) => !named.includes(`@${acct.toLowerCase()}`)).map((acct) => `@${acct}`);
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
