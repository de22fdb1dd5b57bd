import type { JsonObject } from "../../wire/json.ts";
import type { CommitInput } from "../contract/commit.ts";
import type { IdentifiedPart, Published, PublishedPart } from "../contract/plan.ts";
import { postCollection } from "./address.ts";
import { recordContentId } from "./content-id.ts";
import { gateRecords } from "./gates.ts";
import type { BlueskyOptions } from "./options.ts";
import { postRecord } from "./record.ts";

/** One record that a commit creates. */
export interface RecordWrite {
  collection: string;
  /** Where it will stand. */
  uri: string;
  record: JsonObject;
}

/** The records of a part: its post, then the rules on who may reply to it and quote it. They go out together or not at all. */
function partWrites(input: CommitInput<BlueskyOptions>): [RecordWrite, ...RecordWrite[]] {
  const post = { collection: postCollection, uri: uriOf(input, postCollection), record: postRecord(input) };
  return [post, ...gateWrites(input)];
}

export function gateWrites(input: CommitInput<BlueskyOptions>): RecordWrite[] {
  return gateRecords(input, uriOf(input, postCollection)).map((record) => {
    const collection = String(record.$type);
    return { collection, uri: uriOf(input, collection), record };
  });
}

/** One part of a request, with its records. */
export interface WrittenPart {
  input: CommitInput<BlueskyOptions>;
  writes: [RecordWrite, ...RecordWrite[]];
}

/** Each part of a request, in order. It refers to those before it as they are going to be. */
export function* eachPart({ following = [], ...input }: CommitInput<BlueskyOptions>): Generator<WrittenPart> {
  let last: WrittenPart = { input, writes: partWrites(input) };
  yield last;
  for (const next of following) {
    const previous = asPlanned(last);
    const own = { ...next, first: last.input.first ?? previous, previous };
    last = { input: own, writes: partWrites(own) };
    yield last;
  }
}

/** Null for none. */
export function publishedTogether([first, ...following]: readonly IdentifiedPart[]): Published | null {
  if (first === undefined || following.length === 0) return first ?? null;
  return { ...first, following };
}

/** A part as others refer to it, known before it is written: its key and its record decide both address and content id. */
export function asPlanned({ input, writes: [post] }: WrittenPart): IdentifiedPart {
  return publishedPart(input, recordContentId(post.record));
}

export function publishedPart(input: CommitInput<BlueskyOptions>, cid: string): IdentifiedPart {
  const { external_id } = input.profile;
  return {
    id: uriOf(input, postCollection),
    url: `https://bsky.app/profile/${external_id}/post/${input.key}`,
    ref: { cid },
    ...warningsOf(input),
  };
}

/** What the post went out without. */
function warningsOf({ part, staged }: CommitInput<BlueskyOptions>): Pick<PublishedPart, "warnings"> {
  const lost = Object.keys(staged).flatMap((name) => /^mention_(.*)_failed$/.exec(name)?.[1] ?? []);
  const warnings = lost
    .filter((handle) => staged[`mention_${handle}`] === null)
    .map((handle) => `@${handle} stays plain text: the handle could not be looked up.`);
  if (part.link?.image_url != null && staged.thumb === null)
    warnings.push("The link card has no image: link.image_url is missing, too large or not an image.");
  return warnings.length === 0 ? {} : { warnings };
}

function uriOf({ profile, key }: CommitInput<BlueskyOptions>, collection: string): string {
  return `at://${profile.external_id}/${collection}/${key}`;
}
