import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import { type Publisher, readBackRules } from "../contract/publish.ts";
import { endpoint, permalink, xId } from "./api.ts";
import { lists, locate, parentOf } from "./locate.ts";
import type { XOptions } from "./options.ts";
import { stage } from "./stage.ts";
import { names, stagedMedia } from "./staged.ts";
import { says } from "./text.ts";

/** Beside `errors` too: `data.id` decides. https://docs.x.com/x-api/fundamentals/response-codes-and-errors (2026-08) */
const createdSchema = z.object({ data: z.object({ id: xId }) });

export const publisher = {
  /** X knows no key. */
  rules: () => readBackRules,
  stage,

  commit(input) {
    return { method: "POST", url: endpoint(["tweets"]), body: { json: postBody(input) } };
  },

  accepted({ body }, input) {
    const parsed = createdSchema.safeParse(body);
    if (!parsed.success) return null;
    const { id } = parsed.data.data;
    const warnings = warningsFor(input);
    const url = permalink(input.profile.handle, id);
    return { live: { id, url, ref: null, ...(warnings.length === 0 ? {} : { warnings }) } };
  },

  locate,
  says,
  lists,
} satisfies Publisher<XOptions>;

/** X refuses keys that it does not know. https://github.com/xdevplatform/docs/blob/main/openapi.json, `POST /2/tweets` (2026-08) */
function postBody(input: CommitInput<XOptions>): JsonObject {
  const { part, index } = input;
  const { made_with_ai, paid_partnership, subscribers_only } = part.options;
  const parent = parentOf(input);
  return {
    ...(part.text === "" ? {} : { text: part.text }),
    ...(part.media.length === 0 ? {} : { media: mediaOf(input) }),
    ...(parent === null ? {} : { reply: { in_reply_to_tweet_id: parent } }),
    ...(made_with_ai === undefined ? {} : { made_with_ai }),
    ...(paid_partnership === undefined ? {} : { paid_partnership }),
    ...(subscribers_only === undefined ? {} : { for_super_followers_only: subscribers_only }),
    ...(index === 0 ? ofFirstPart(part.options) : {}),
  };
}

/** What a conversation has from the post that begins it. */
function ofFirstPart(options: XOptions): JsonObject {
  const { reply_settings, poll, community_id, share_with_followers, place_id } = options;
  return {
    ...(reply_settings === undefined ? {} : { reply_settings }),
    ...(poll === undefined ? {} : { poll: { ...poll } }),
    ...(community_id === undefined ? {} : { community_id }),
    ...(share_with_followers === undefined ? {} : { share_with_followers }),
    ...(place_id === undefined ? {} : { geo: { place_id } }),
  };
}

function mediaOf({ part, staged }: CommitInput<XOptions>): JsonObject {
  const { tagged_user_ids } = part.options;
  const media_ids = part.media.map((_, position) => {
    const id = stagedMedia(staged, position);
    if (id === null) throw new PublishingError("internal_error", `${names.media(position)} was not staged.`);
    return id;
  });
  return { media_ids, ...(tagged_user_ids === undefined ? {} : { tagged_user_ids }) };
}

function warningsFor({ part, staged }: CommitInput<XOptions>): string[] {
  return part.media.flatMap((_, position) => {
    const id = stagedMedia(staged, position);
    if (id === null || staged[names.described(id)] !== false) return [];
    return [`X did not take the alt text of file ${position + 1}.`];
  });
}
