import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { postCollection, type RecordAddress, readAddress } from "./address.ts";
import { getAnswer, readAnswer, xrpc } from "./api.ts";
import { timeOfKey } from "./key.ts";
import { resolveHandle } from "./server.ts";

/** A record as others refer to it: address and content id. */
const strongRef = z.object({ uri: z.string(), cid: z.string() });
const replyRefs = z.object({ root: strongRef, parent: strongRef });
const postValue = z.object({ reply: replyRefs.nullish() });

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/defs.json (2026-08) */
const viewerSchema = z.object({ embeddingDisabled: z.boolean().nullish(), replyDisabled: z.boolean().nullish() });

const postsSchema = z.object({
  posts: z.array(strongRef.extend({ record: z.unknown(), viewer: viewerSchema.nullish() })),
});

/** What is known of a record that somebody refers to. */
interface Referred extends z.infer<typeof strongRef> {
  /** The record itself, as far as it was read. */
  value: unknown;
  viewer: z.infer<typeof viewerSchema>;
}

/** What the option names, for the embed: address and content id. */
export async function findQuoted(context: StageContext, address: string): Promise<Json> {
  const option: Option = { name: "quote", address };
  const { uri, cid, viewer } = await find(context, option);
  if (viewer.embeddingDisabled === true) throw refused(option, "its author does not let others quote it");
  return { uri, cid };
}

/** The post that is answered, and the one that its conversation began with. */
export async function findReplied(context: StageContext, address: string): Promise<Json> {
  const option: Option = { name: "reply_to", address };
  const { uri, cid, viewer, value } = await find(context, option);
  if (viewer.replyDisabled === true) throw refused(option, "its author does not let this account reply");
  const parsed = postValue.safeParse(value);
  const parent = { uri, cid };
  return { root: parsed.data?.reply?.root ?? parent, parent };
}

interface Option {
  name: "quote" | "reply_to";
  address: string;
}

async function find(context: StageContext, option: Option): Promise<Referred> {
  const named = readAddress(option.address);
  if (named === null) throw refused(option, "this is not the URL of a post");
  const pds = String(context.profile.account_facts.pds);
  const did = named.author.startsWith("did:") ? named.author : await resolveHandle(context, pds, named.author);
  if (did === null) throw refused(option, "no account has its handle");
  const isOwn = did === context.profile.external_id;
  const record = { ...named, author: did };
  const found = await (isOwn || named.collection !== postCollection ? readRecord : readPost)(context, record);
  if (found !== null) return found;
  if (isOwn || isLongAgo(context, named)) throw refused(option, "it does not exist");
  throw new NotReady(`networks.bluesky.${option.name}: Bluesky does not return ${option.address} yet.`);
}

/** Asked at the account's own server, which has its own records at once and passes the question about others on. */
async function readRecord(
  context: StageContext,
  { author, collection, recordKey }: RecordAddress,
): Promise<Referred | null> {
  const query = { repo: author, collection, rkey: recordKey };
  const url = xrpc(String(context.profile.account_facts.pds), "com.atproto.repo.getRecord", query);
  const response = await context.request({ method: "GET", url, accept: [400, 404] });
  if (response.status !== 200) return null;
  const { uri, cid, value } = readAnswer(strongRef.extend({ value: z.unknown() }), response);
  return { uri, cid, value, viewer: {} };
}

/** Another's post, and what its author lets this account do with it; null while the view service does not show it. */
async function readPost(
  context: StageContext,
  { author, collection, recordKey }: RecordAddress,
): Promise<Referred | null> {
  const query = { uris: `at://${author}/${collection}/${recordKey}` };
  const url = xrpc(String(context.profile.account_facts.pds), "app.bsky.feed.getPosts", query);
  const [post] = (await getAnswer(postsSchema, context, url)).posts;
  if (post === undefined) return null;
  return { uri: post.uri, cid: post.cid, value: post.record, viewer: post.viewer ?? {} };
}

/** What the view service does not show a day after it was made is gone. Only a post's key tells when that was. */
const indexedWithinMs = 24 * 3_600_000;

function isLongAgo(context: StageContext, { collection, recordKey }: RecordAddress): boolean {
  const madeAt = collection === postCollection ? timeOfKey(recordKey) : null;
  return madeAt !== null && madeAt < context.now() - indexedWithinMs;
}

function refused({ name, address }: Option, reason: string): PublishingError {
  return new PublishingError("invalid_request", `networks.bluesky.${name}: ${reason}: ${address}`);
}
