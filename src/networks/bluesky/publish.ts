import { z } from "zod";
import type { CommitInput, CommitRules, LocateInput, PublishedPart, Publisher, Sighting } from "../adapter.ts";
import type { NetworkContext } from "../request.ts";
import { errorCode } from "./errors.ts";
import { putGates } from "./gates.ts";
import { postCollection, postRecord } from "./record.ts";
import { recordKey } from "./record-key.ts";
import { stage } from "./stage.ts";
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

const createdSchema = z.object({ uri: z.string(), cid: z.string() });
const foundSchema = createdSchema.extend({ value: z.object({ text: z.string(), createdAt: z.string() }) });

export const publisher: Publisher = {
  rules: () => rules,
  key: recordKey,
  stage,

  commit(input) {
    return {
      method: "POST",
      url: xrpc(String(input.profile.known.pds), "com.atproto.repo.createRecord"),
      json: {
        repo: input.profile.external_id,
        collection: postCollection,
        rkey: input.key,
        record: postRecord(input),
      },
    };
  },

  accepted(body, input) {
    const parsed = createdSchema.safeParse(body);
    return parsed.success ? publishedPart(parsed.data, input) : null;
  },

  confirm: putGates,
  locate,
  says: (part) => [part.text],
};

function publishedPart({ uri, cid }: z.infer<typeof createdSchema>, input: CommitInput): PublishedPart {
  return {
    id: uri,
    url: `https://bsky.app/profile/${input.profile.external_id}/post/${input.key}`,
    ref: { cid },
  };
}

/** Reads the record under our key, at the account's own server: there a record is seen as soon as it is written. */
async function locate(context: NetworkContext, input: LocateInput): Promise<Sighting> {
  const url = xrpc(String(input.profile.known.pds), "com.atproto.repo.getRecord", {
    repo: input.profile.external_id,
    collection: postCollection,
    rkey: input.key,
  });
  const response = await context.request({ method: "GET", url, accept: [400, 502] });
  if (response.status === 200) return compare(response.body, input);
  const code = errorCode(response.body);
  if (response.status === 400 && code === "RecordNotFound") return { absent: true };
  return { pending: `The account's server does not show its posts now (${code ?? response.status}).` };
}

/** A record under our key that says something else was not made by us. */
function compare(body: unknown, input: LocateInput): Sighting {
  const parsed = foundSchema.safeParse(body);
  if (!parsed.success) return { pending: "The account's server gave an answer that could not be read." };
  const wanted = postRecord(input);
  const { text, createdAt } = parsed.data.value;
  if (text !== wanted.text || createdAt !== wanted.createdAt)
    return { cannot_tell: "Another post stands under this post's record key." };
  return { live: publishedPart(parsed.data, input) };
}
