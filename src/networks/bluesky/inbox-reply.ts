import type { Replier, Reply } from "../contract/inbox.ts";
import { keyOf } from "./inbox-thread.ts";

/** An answer is a post, whose option says what it answers. */
export const replier: Replier = {
  asPost({ text, to }: Reply) {
    const options = { reply_to: to.external_id };
    return { part: { text, media: [], link: null, title: null, post_type: "post", options }, previous: null };
  },
  keyOf: ({ id }) => keyOf(id),
};
