import * as z from "zod";
import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { Published } from "../contract/plan.ts";
import type { CommitRules, Publisher } from "../contract/publish.ts";
import { xrpc } from "./api.ts";
import { recordKey } from "./key.ts";
import { lookFor } from "./look-for.ts";
import type { BlueskyOptions } from "./options.ts";
import { stage } from "./stage.ts";
import { asPlanned, eachPart, publishedPart, publishedTogether, type WrittenPart } from "./writes.ts";

/** The record key makes a create unique: the server rejects a second one, and one look finds the post. */
const rules: CommitRules = {
  hardEndSeconds: 30,
  settleSeconds: { text: 0, image: 0, video: 0 },
  emptyReads: 1,
  betweenLooksSeconds: 60,
  replaySeconds: 0,
  pendingCapSeconds: 3600,
  isKeyed: true,
};

/** https://github.com/bluesky-social/atproto/blob/main/packages/pds/src/api/com/atproto/repo/applyWrites.ts (2026-08) */
const maxWrites = 200;
/**
 * Servers accept 150 KiB of JSON, newer ones 1,000,000 bytes of records.
 * https://github.com/bluesky-social/atproto/blob/main/packages/pds/src/index.ts (2026-11)
 */
const maxWriteBytes = 140_000;

/**
 * Servers from before August 2024 return no results.
 * https://github.com/bluesky-social/atproto/blob/main/lexicons/com/atproto/repo/applyWrites.json (2026-08)
 */
const appliedSchema = z.object({
  commit: z.object({ cid: z.string() }),
  results: z.array(z.object({ uri: z.string(), cid: z.string() })).optional(),
});

export const publisher = {
  rules: () => rules,
  key: recordKey,
  stage,

  partsPerRequest(input) {
    let [parts, writes, bytes] = [0, 0, 0];
    for (const part of eachPart(input)) {
      const creates = createsOf(part);
      writes += creates.length;
      bytes += Buffer.byteLength(JSON.stringify(creates));
      if (parts > 0 && (writes > maxWrites || bytes > maxWriteBytes)) break;
      parts += 1;
    }
    return parts;
  },

  /** Creates all records of all parts in one commit of the repository, so they exist together or not at all. */
  commit(input) {
    return {
      method: "POST",
      url: xrpc(String(input.profile.account_facts.pds), "com.atproto.repo.applyWrites"),
      body: { json: { repo: input.profile.external_id, writes: [...eachPart(input)].flatMap(createsOf) } },
    };
  },

  accepted({ body }, input) {
    const live = publishedIn(body, input);
    return live && { live };
  },

  lookFor,
  textForms: (part) => [part.text],
} satisfies Publisher<BlueskyOptions>;

function createsOf({ input, writes }: WrittenPart): JsonObject[] {
  return writes.map(({ collection, record }) => ({
    $type: "com.atproto.repo.applyWrites#create",
    collection,
    rkey: input.key,
    value: record,
  }));
}

function publishedIn(body: unknown, input: CommitInput<BlueskyOptions>): Published | null {
  const parsed = appliedSchema.safeParse(body);
  if (!parsed.success) return null;
  const { results } = parsed.data;
  const parts = [...eachPart(input)];
  if (results === undefined) return publishedTogether(parts.map(asPlanned));
  const written = parts.flatMap(({ writes }) => writes.map(({ uri }) => uri));
  const isAll = results.length === written.length && results.every(({ uri }, index) => uri === written[index]);
  if (!isAll) return null;
  const contentIds = new Map(results.map(({ uri, cid }) => [uri, cid]));
  return publishedTogether(
    parts.flatMap(({ input: own, writes: [post] }) => {
      const cid = contentIds.get(post.uri);
      return cid === undefined ? [] : publishedPart(own, cid);
    }),
  );
}
