import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { Replier, Reply } from "../contract/inbox.ts";
import { chatKey, chatText } from "./chat.ts";
import { chatPublisher } from "./chat-reply.ts";
import { keyOf } from "./inbox-thread.ts";

const chatRef = z.object({ convo: z.string() });

/** A reply is a post whose option names its parent, or a message in its conversation. */
export const replier: Replier = {
  publishers: { dm: chatPublisher },
  asPost({ kind, text, to }) {
    return {
      part: { text, media: [], link: null, title: null, post_type: "post", options: optionsFor(kind, to) },
      previous: null,
    };
  },
  text: (kind) => (kind === "dm" ? chatText : null),
  keyOf({ id, ref }) {
    const { data } = chatRef.safeParse(ref);
    return data === undefined ? keyOf(id) : chatKey(data.convo, id);
  },
};

function optionsFor(kind: Reply["kind"], to: Reply["to"]): JsonObject {
  return kind === "dm" ? chatRef.parse(to.ref) : { reply_to: to.external_id };
}
