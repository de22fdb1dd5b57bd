import { PublishingError } from "../../wire/errors.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import { type Publisher, readBackRules } from "../contract/publish.ts";
import { idempotencyKey } from "./key.ts";
import { lists, lookFor } from "./look-for.ts";
import { type MastodonOptions, visibilityOf } from "./options.ts";
import { toPublished } from "./published.ts";
import { stage } from "./stage.ts";
import { statusSchema } from "./status.ts";
import { textForms } from "./text.ts";

export const publisher = {
  /** Small servers ignore the Idempotency-Key, so the engine looks for a post before it retries. */
  rules: () => readBackRules,
  key: idempotencyKey,
  stage,

  commit(input) {
    return {
      method: "POST",
      url: `https://${input.profile.host}/api/v1/statuses`,
      headers: { "idempotency-key": input.key },
      body: { json: statusBody(input) },
    };
  },

  accepted({ body }, input) {
    const parsed = statusSchema.safeParse(body);
    return parsed.success ? { live: toPublished(parsed.data, input) } : null;
  },

  lookFor,
  textForms,
  lists,
} satisfies Publisher<MastodonOptions>;

/** Always sends `visibility`, because its default is the user's own setting. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
function statusBody(input: CommitInput<MastodonOptions>): JsonObject {
  const { part, index, previous } = input;
  const options = part.options;
  const { spoiler_text, sensitive, language, quoted_status_id, quote_approval_policy, poll } = options;
  const mediaIds = part.media.map((_, position) => stagedId(input, position));
  return {
    ...(part.text === "" ? {} : { status: part.text }),
    ...(mediaIds.length === 0 ? {} : { media_ids: mediaIds }),
    visibility: visibilityOf(options, index),
    ...(previous === null ? {} : { in_reply_to_id: previous.id }),
    ...(spoiler_text === undefined ? {} : { spoiler_text }),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(language === undefined ? {} : { language }),
    ...(quote_approval_policy === undefined ? {} : { quote_approval_policy }),
    ...(index > 0 || quoted_status_id === undefined ? {} : { quoted_status_id }),
    ...(index > 0 || poll === undefined ? {} : { poll }),
  };
}

function stagedId({ staged }: CommitInput<MastodonOptions>, position: number): Json {
  const id = staged[`media_${position}`];
  if (typeof id !== "string") throw new PublishingError("internal_error", `media_${position} was not staged.`);
  return id;
}
