import type { CommitInput } from "../contract/commit.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { MastodonOptions } from "./options.ts";
import type { Status } from "./status.ts";
import { warningsFor } from "./warnings.ts";

/** `ref`, of an answer, is the address by which the inbox knows it. `url` is always set for own posts; `uri` leads there too. https://docs.joinmastodon.org/entities/Status/ (2026-07) */
export function toPublished(status: Status, input: CommitInput<MastodonOptions>): IdentifiedPart {
  const { id, url, uri } = status;
  const warnings = warningsFor(status, input);
  return {
    id,
    url: url ?? uri ?? null,
    ref: isAnswer(input) ? (uri ?? null) : null,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** To somebody else's post: a thread's parts answer each other. */
function isAnswer({ index, previous }: CommitInput<MastodonOptions>): boolean {
  return index === 0 && previous !== null;
}
