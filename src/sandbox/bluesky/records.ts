import * as z from "zod";
import { countBytes } from "../../text/bytes.ts";
import { countGraphemes } from "../../text/graphemes.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { SandboxAccount } from "./accounts.ts";
import { invalidRequest, refusal } from "./refusal.ts";

/** What the server checks when a record is written. https://github.com/bluesky-social/atproto/tree/main/lexicons (2026-08) */

const dateTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,20})?(Z|[+-]\d{2}:\d{2})$/)
  .refine((text) => !Number.isNaN(Date.parse(text)));
const did = z.string().regex(/^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/);
const atUri = z.string().regex(/^at:\/\/[a-zA-Z0-9.:_%-]+(\/[a-zA-Z0-9.-]+(\/[a-zA-Z0-9._~:@!$&%')(*+,;=-]+)?)?$/);
const uri = z.string().regex(/^[a-z][a-z.-]{0,80}:[\S]{1,8192}$/);
const cid = z.string().regex(/^b[a-z2-7]{58}$/);
const language = z.string().regex(/^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/);
const strongRef = z.looseObject({ uri: atUri, cid });
const whole = z.number().int();

function text(most: { graphemes: number; bytes: number }): z.ZodString {
  return z
    .string()
    .refine((value) => countBytes(value) <= most.bytes && countGraphemes(value) <= most.graphemes, "too long");
}

const tag = text({ graphemes: 64, bytes: 640 });
const blob = z.looseObject({
  $type: z.literal("blob"),
  ref: z.looseObject({ $link: cid }),
  mimeType: z.string(),
  size: whole,
});

/** A union is open: the server does not check types that it does not know. */
function openUnion(known: Record<string, z.ZodType>): z.ZodType {
  return z.looseObject({ $type: z.string() }).check((context) => {
    const schema = known[context.value.$type];
    const result = schema?.safeParse(context.value);
    if (result?.success === false)
      context.issues.push(
        ...result.error.issues.map((issue) => ({ ...issue, code: "custom" as const, input: context.value })),
      );
  });
}

const aspectRatio = z.looseObject({ width: whole.min(1), height: whole.min(1) });
const external = z.looseObject({ uri, title: z.string(), description: z.string(), thumb: blob.optional() });
const record = z.looseObject({ record: strongRef });
const mediaEmbeds = {
  "app.bsky.embed.images": z.looseObject({
    images: z.array(z.looseObject({ image: blob, alt: z.string(), aspectRatio: aspectRatio.optional() })).max(4),
  }),
  "app.bsky.embed.gallery": z.looseObject({
    items: z
      .array(
        openUnion({ "app.bsky.embed.gallery#image": z.looseObject({ image: blob, alt: z.string(), aspectRatio }) }),
      )
      .max(20),
  }),
  "app.bsky.embed.video": z.looseObject({
    video: blob,
    alt: z.string().optional(),
    aspectRatio: aspectRatio.optional(),
    presentation: z.string().optional(),
    captions: z
      .array(z.looseObject({ lang: language, file: blob }))
      .max(20)
      .optional(),
  }),
  "app.bsky.embed.external": z.looseObject({ external }),
};
const facet = z.looseObject({
  index: z.looseObject({ byteStart: whole.min(0), byteEnd: whole.min(0) }),
  features: z.array(
    openUnion({
      "app.bsky.richtext.facet#link": z.looseObject({ uri }),
      "app.bsky.richtext.facet#mention": z.looseObject({ did }),
      "app.bsky.richtext.facet#tag": z.looseObject({ tag }),
    }),
  ),
});

const schemas: Readonly<Record<string, z.ZodType>> = {
  "app.bsky.feed.post": z.looseObject({
    text: text({ graphemes: 300, bytes: 3000 }),
    createdAt: dateTime,
    facets: z.array(facet).optional(),
    reply: z.looseObject({ root: strongRef, parent: strongRef }).optional(),
    langs: z.array(language).max(3).optional(),
    tags: z.array(tag).max(8).optional(),
    labels: openUnion({
      "com.atproto.label.defs#selfLabels": z.looseObject({
        values: z.array(z.looseObject({ val: z.string().max(128) })).max(10),
      }),
    }).optional(),
    embed: openUnion({
      ...mediaEmbeds,
      "app.bsky.embed.record": record,
      "app.bsky.embed.recordWithMedia": z.looseObject({ record, media: openUnion(mediaEmbeds) }),
    }).optional(),
  }),
  "app.bsky.feed.threadgate": z.looseObject({
    post: atUri,
    createdAt: dateTime,
    allow: z
      .array(openUnion({ "app.bsky.feed.threadgate#listRule": z.looseObject({ list: atUri }) }))
      .max(5)
      .optional(),
  }),
  "app.bsky.feed.postgate": z.looseObject({
    post: atUri,
    createdAt: dateTime,
    embeddingRules: z
      .array(z.looseObject({ $type: z.string() }))
      .max(5)
      .optional(),
  }),
};

/**
 * @param at the record's path in the request: `$.record`
 * @returns the result of the check, as the server reports it
 * @throws Refusal
 */
export function checkRecord(collection: string, value: JsonObject, at: string): "valid" | "unknown" {
  if (value.$type !== collection)
    throw invalidRequest(`Invalid $type: expected ${collection}, got ${String(value.$type)}`);
  const schema = schemas[collection];
  if (schema === undefined) return "unknown";
  const result = schema.safeParse(value);
  if (result.success) return "valid";
  const [issue] = result.error.issues;
  const path = issue?.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  throw invalidRequest(`Invalid ${collection} record: ${issue?.message} at ${at}${path}`);
}

interface BlobLimit {
  accept: RegExp;
  maxSize: number;
}

/** The blobs of a record must belong to the account, be unchanged, and be within the limits of their field. */
export function checkBlobs(account: SandboxAccount, value: Json, options: { maxImageBytes: number }): void {
  const limits: Record<string, BlobLimit> = {
    image: { accept: /^image\//, maxSize: options.maxImageBytes },
    thumb: { accept: /^image\//, maxSize: 1_000_000 },
    video: { accept: /^video\/mp4$/, maxSize: 300_000_000 },
    file: { accept: /^text\/vtt$/, maxSize: 20_000 },
  };
  for (const { place, reference } of blobsIn(value, "")) {
    const limit = limits[place];
    if (limit !== undefined && reference.size > limit.maxSize)
      throw invalidRequest(`blob too big (maximum ${limit.maxSize}, got ${reference.size})`);
    const stored = account.blobs.get(reference.ref.$link);
    if (stored === undefined) throw refusal(400, "BlobNotFound", `Could not find blob: ${reference.ref.$link}`);
    if (stored.mimeType !== reference.mimeType || limit?.accept.test(stored.mimeType) === false)
      throw refusal(400, "InvalidMimeType", `Wrong type of file: ${stored.mimeType}`);
    if (stored.size !== reference.size)
      throw refusal(400, "InvalidSize", `Referenced size does not match: ${stored.size}`);
  }
}

function* blobsIn(value: Json, place: string): Generator<{ place: string; reference: z.infer<typeof blob> }> {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value) && value.$type === "blob") {
    const parsed = blob.safeParse(value);
    if (!parsed.success) throw invalidRequest(`Invalid blob at ${place}`);
    yield { place, reference: parsed.data };
    return;
  }
  for (const [key, each] of Object.entries(value)) yield* blobsIn(each, Array.isArray(value) ? place : key);
}
