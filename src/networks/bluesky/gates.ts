import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { BlueskyOptions } from "./options.ts";
import { createdAt } from "./record.ts";

/** The rules on who may reply and quote. They are separate records, which name the post and have its record key. */
export function gateRecords(input: CommitInput<BlueskyOptions>, uri: string): JsonObject[] {
  const { replies, disable_quotes } = input.part.options;
  const common = { post: uri, createdAt: createdAt(input) };
  const gates: JsonObject[] = [];
  // The rules of the first post apply to its whole thread.
  if (replies !== undefined && replies !== "everyone" && input.index === 0)
    gates.push({ $type: "app.bsky.feed.threadgate", ...common, allow: allowed(replies) });
  if (disable_quotes === true) {
    const embeddingRules = [{ $type: "app.bsky.feed.postgate#disableRule" }];
    gates.push({ $type: "app.bsky.feed.postgate", ...common, embeddingRules });
  }
  return gates;
}

const replyRules: Readonly<Record<string, string>> = {
  mentioned: "app.bsky.feed.threadgate#mentionRule",
  followers: "app.bsky.feed.threadgate#followerRule",
  following: "app.bsky.feed.threadgate#followingRule",
};

function allowed(replies: "nobody" | readonly string[]): JsonObject[] {
  if (replies === "nobody") return [];
  return replies.map((who): JsonObject => {
    const rule = replyRules[who];
    return rule === undefined ? { $type: "app.bsky.feed.threadgate#listRule", list: who } : { $type: rule };
  });
}
