import { z } from "zod";
import type { CommitInput, CommitRules, PublishedPart, Publisher } from "../adapter.ts";
import { locate } from "./locate.ts";
import { recordKey } from "./record-key.ts";
import { stage } from "./stage.ts";
import { partWrites, plannedPart, publishedPart } from "./writes.ts";
import { xrpc } from "./xrpc.ts";

/** The record key decides: a second create under it is refused, and one look tells. */
const rules: CommitRules = {
  hardEndSeconds: 30,
  settleSeconds: { text: 0, image: 0, video: 0 },
  emptyReads: 1,
  replaySeconds: 0,
  pendingCapSeconds: 3600,
  isKeyed: true,
};

/** Servers of before August 2024 name no results. https://github.com/bluesky-social/atproto/blob/main/lexicons/com/atproto/repo/applyWrites.json (2026-08) */
const appliedSchema = z.object({
  commit: z.object({ cid: z.string() }),
  results: z.array(z.object({ uri: z.string(), cid: z.string() })).optional(),
});

export const publisher: Publisher = {
  rules: () => rules,
  key: recordKey,
  stage,

  /** All records of the part in one commit of the repository: none of them is ever there without the others. */
  commit(input) {
    return {
      method: "POST",
      url: xrpc(String(input.profile.known.pds), "com.atproto.repo.applyWrites"),
      json: {
        repo: input.profile.external_id,
        writes: partWrites(input).map(({ collection, record }) => ({
          $type: "com.atproto.repo.applyWrites#create",
          collection,
          rkey: input.key,
          value: record,
        })),
      },
    };
  },

  accepted,
  locate,
  says: (part) => [part.text],
};

function accepted(body: unknown, input: CommitInput): PublishedPart | null {
  const parsed = appliedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { results } = parsed.data;
  if (results === undefined) return plannedPart(input);
  const written = partWrites(input).map(({ uri }) => uri);
  const isAll = results.length === written.length && results.every(({ uri }, index) => uri === written[index]);
  const [post] = results;
  return isAll && post !== undefined ? publishedPart(input, post.cid) : null;
}
