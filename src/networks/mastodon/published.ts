import type { CommitInput } from "../contract/commit.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { MastodonOptions } from "./options.ts";
import type { Status } from "./status.ts";
import { warningsFor } from "./warnings.ts";

/** `ref` is the address by which other servers, and the inbox, know it. `url` is always set for own posts; `uri` leads there too. https://docs.joinmastodon.org/entities/Status/ (2026-07) */
export function toPublished(status: Status, input: CommitInput<MastodonOptions>): IdentifiedPart {
  const { id, url, uri } = status;
  const warnings = warningsFor(status, input);
  return { id, url: url ?? uri ?? null, ref: uri ?? null, ...(warnings.length === 0 ? {} : { warnings }) };
}
