import type { CommitInput } from "../contract/commit.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { MastodonOptions } from "./options.ts";
import type { Status } from "./status.ts";
import { warningsFor } from "./warnings.ts";

/**
 * The published part. `ref` of a reply is the URI that the inbox identifies it by. `url` is always set for the
 * account's own posts; `uri` leads to the same page. https://docs.joinmastodon.org/entities/Status/ (2026-07)
 */
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

/** True: a reply to another user's post. The parts of a thread reply to each other. */
function isAnswer({ index, previous }: CommitInput<MastodonOptions>): boolean {
  return index === 0 && previous !== null;
}
