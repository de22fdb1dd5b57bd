import type { JsonObject } from "../../json.ts";
import type { CommitInput, PublishedPart } from "../adapter.ts";
import type { NetworkContext } from "../request.ts";
import { readOptions } from "./options.ts";
import { createdAt } from "./record.ts";
import { xrpc } from "./xrpc.ts";

/**
 * Who may reply and quote: records of their own under the post's record key.
 * They name the post, so they come after it; writing one again changes nothing.
 */
function gateRecords(input: CommitInput, uri: string): JsonObject[] {
  const { replies, disable_quotes } = readOptions(input.part);
  const common = { post: uri, createdAt: createdAt(input) };
  const gates: JsonObject[] = [];
  // The rules of the first post hold for its whole thread.
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

export async function putGates(
  context: NetworkContext,
  published: PublishedPart,
  input: CommitInput,
): Promise<PublishedPart> {
  for (const record of gateRecords(input, published.id)) {
    await context.request({
      method: "POST",
      url: xrpc(String(context.profile.known.pds), "com.atproto.repo.putRecord"),
      body: {
        json: {
          repo: context.profile.external_id,
          collection: record.$type ?? null,
          rkey: input.key,
          record,
        },
      },
    });
  }
  return published;
}
