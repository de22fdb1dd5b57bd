import * as z from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { LookInput, LookResult } from "../contract/look.ts";
import type { IdentifiedPart } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { postCollection } from "./address.ts";
import { xrpc } from "./api.ts";
import { recordContentId } from "./content-id.ts";
import { errorCode } from "./errors.ts";
import type { BlueskyOptions } from "./options.ts";
import { createdAt } from "./record.ts";
import { gateWrites, publishedPart, type RecordWrite } from "./writes.ts";

const postSchema = z.object({ cid: z.string(), value: z.object({ text: z.string(), createdAt: z.string() }) });
const gateSchema = z.object({ cid: z.string() });

type Found = { body: unknown } | { absent: true } | { pending: string };

type PartSighting = Exclude<LookResult, { live: unknown } | { lists: unknown }> | { live: IdentifiedPart };

/**
 * Reads the records under our keys, at the account's own server: there a record
 * is seen as soon as it is written. Each part is read, although a request
 * writes all of its parts: the first ones may be of an earlier, shorter request.
 */
export async function lookFor(
  context: NetworkContext,
  { following = [], ...input }: LookInput<BlueskyOptions>,
): Promise<LookResult> {
  const found = await locatePart(context, input);
  if (!("live" in found) || following.length === 0) return found;
  const { since, isRestored = false } = input;
  const others: IdentifiedPart[] = [];
  for (const next of following) {
    const previous = others.at(-1) ?? found.live;
    const part = { ...next, first: input.first ?? found.live, previous, since, isRestored };
    const other = await locatePart(context, part);
    if ("absent" in other) break;
    if (!("live" in other)) return other;
    others.push(other.live);
  }
  return { live: { ...found.live, following: others } };
}

async function locatePart(context: NetworkContext, input: LookInput<BlueskyOptions>): Promise<PartSighting> {
  const found = await readRecord(context, input, postCollection);
  if ("absent" in found) return found;
  if ("pending" in found) return found;
  const post = postSchema.safeParse(found.body);
  if (!post.success) return unreadable;
  const { cid, value } = post.data;
  const sent = input.isRestored ? { ...input, created_at: firstTimeOf(value.createdAt, input) } : input;
  if (value.text !== sent.part.text || value.createdAt !== createdAt(sent)) return foreign;
  for (const gate of gateWrites(sent)) {
    const trouble = await troubleWithGate(context, input, gate);
    if (trouble !== null) return trouble;
  }
  return { live: publishedPart(input, cid) };
}

/** The time that the whole thread went out with, out of one part's. */
function firstTimeOf(partTime: string, { index, created_at }: LookInput<BlueskyOptions>): string {
  const at = Date.parse(partTime);
  return Number.isNaN(at) ? created_at : isoTime(at - index);
}

/** A record under our key that says something else was not made by us. */
const foreign = { cannot_tell: "Another post uses this post's record key." };
const unreadable = { pending: "The response of the account's server could not be read." };

/** A post that lacks a rule which was asked for, or has another one, is not the post that was asked for. */
async function troubleWithGate(
  context: NetworkContext,
  input: LookInput<BlueskyOptions>,
  gate: RecordWrite,
): Promise<PartSighting | null> {
  const found = await readRecord(context, input, gate.collection);
  if ("pending" in found) return found;
  const parsed = "absent" in found ? null : gateSchema.safeParse(found.body);
  if (parsed?.success === false) return unreadable;
  if (parsed?.data.cid === recordContentId(gate.record)) return null;
  const asked = gate.collection.endsWith("threadgate") ? "reply to" : "quote";
  return { cannot_tell: `The post is live without the requested rule on who may ${asked} it.` };
}

async function readRecord(
  context: NetworkContext,
  input: LookInput<BlueskyOptions>,
  collection: string,
): Promise<Found> {
  const parameters = {
    repo: input.profile.external_id,
    collection,
    rkey: input.key,
  };
  const url = xrpc(String(input.profile.account_facts.pds), "com.atproto.repo.getRecord", parameters);
  const response = await context.request({ method: "GET", url, accept: [400, 404, 502] });
  if (response.status === 200) return { body: response.body };
  const code = errorCode(response.body);
  // The reference server says it with 400, another one with 404.
  if (response.status !== 502 && code === "RecordNotFound") return { absent: true };
  return { pending: `The account's server does not list its posts now (${code ?? response.status}).` };
}
