import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import { type Publisher, readBackRules } from "../contract/publish.ts";
import { defined } from "../shared/defined.ts";
import { neededText, stagedText } from "../shared/staged-text.ts";
import { endpoint, permalink, xId } from "./api.ts";
import { lists, lookFor, parentOf } from "./look-for.ts";
import type { XOptions } from "./options.ts";
import { stage } from "./stage.ts";
import { names } from "./staged.ts";
import { textForms } from "./text.ts";

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

  lookFor,
  textForms,
  lists,
} satisfies Publisher<XOptions>;

/** X refuses keys that it does not know. https://github.com/xdevplatform/docs/blob/main/openapi.json, `POST /2/tweets` (2026-08) */
function postBody(input: CommitInput<XOptions>): JsonObject {
  const { part, index } = input;
  const parent = parentOf(input);
  return defined({
    text: part.text || undefined,
    media: part.media.length === 0 ? undefined : mediaOf(input),
    reply: parent === null ? undefined : { in_reply_to_tweet_id: parent },
    made_with_ai: part.options.made_with_ai,
    paid_partnership: part.options.paid_partnership,
    for_super_followers_only: part.options.subscribers_only,
    ...(index === 0 && ofFirstPart(part.options)),
  });
}

/** What a conversation has from the post that begins it. */
function ofFirstPart({ reply_settings, poll, community_id, share_with_followers, place_id }: XOptions): JsonObject {
  return defined({
    reply_settings,
    poll: poll && { ...poll },
    community_id,
    share_with_followers,
    geo: place_id === undefined ? undefined : { place_id },
  });
}

function mediaOf({ part, staged }: CommitInput<XOptions>): JsonObject {
  const media_ids = part.media.map((_, position) => neededText(staged, names.media(position)));
  return defined({ media_ids, tagged_user_ids: part.options.tagged_user_ids });
}

function warningsFor({ part, staged }: CommitInput<XOptions>): string[] {
  return part.media.flatMap((_, position) => {
    const id = stagedText(staged, names.media(position));
    if (id === null || staged[names.described(id)] !== false) return [];
    return [`X rejected the alt text of file ${position + 1}.`];
  });
}
