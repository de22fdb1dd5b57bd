import * as z from "zod";
import type { SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import { graphRefusal } from "../parts/graph.ts";
import { pulledAddress as address, fieldsOf, flag, json } from "../parts/graph-fields.ts";
import type { Caller } from "./accounts.ts";
import { assertProductTags, assertShop, type ProductTags, productTags } from "./shop.ts";

/** The content of a container. */
export interface Draft {
  kind: "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
  product: "FEED" | "REELS" | "STORY";
  /** True: part of a carousel, so it is never published alone. */
  isChild: boolean;
  caption: string;
  /** The URL of its file; null: a carousel, or an uploaded video. */
  address: string | null;
  /** For an uploaded video: its bytes, once they have arrived. */
  sent: { bytes: Uint8Array | null } | null;
  /** The URL of the cover. */
  cover: string | null;
  alt: string;
  children: readonly string[];
  collaborators: readonly string[];
  user_tags: readonly { username: string; x?: number | undefined; y?: number | undefined }[];
  product_tags: ProductTags;
  location_id: string | null;
  share_to_feed: boolean;
  is_trial: boolean;
  is_ai_generated: boolean;
  is_paid_partnership: boolean;
  sponsors: readonly string[];
  /** The id of a reel's music. */
  music: string | null;
}

const username = z.string().regex(/^[\w.]{1,30}$/);
const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);

/** Stricter than the real one, which ignores unknown fields. Same source. */
const bodySchema = z.strictObject({
  image_url: address.optional(),
  video_url: address.optional(),
  upload_type: z.literal("resumable").optional(),
  media_type: z.enum(["REELS", "STORIES", "VIDEO", "CAROUSEL"], { error: "100/2207023" }).optional(),
  is_carousel_item: flag.optional(),
  children: z
    .string()
    .transform((text) => text.split(","))
    .optional(),
  caption: z.string().optional(),
  alt_text: z.string().max(1_000).optional(),
  collaborators: json(z.array(username).max(3)).optional(),
  user_tags: json(z.array(z.strictObject({ username, x: share.optional(), y: share.optional() })).max(20)).optional(),
  product_tags: productTags.optional(),
  location_id: z.string().optional(),
  share_to_feed: flag.optional(),
  cover_url: address.optional(),
  thumb_offset: z.coerce.number().int().min(0).optional(),
  audio_name: z.string().optional(),
  trial_params: json(z.strictObject({ graduation_strategy: z.enum(["MANUAL", "SS_PERFORMANCE"]) })).optional(),
  is_ai_generated: flag.optional(),
  is_paid_partnership: flag.optional(),
  branded_content_sponsor_ids: json(z.array(z.string().regex(/^\d+$/)).max(2)).optional(),
  audio_configuration: json(
    z.strictObject({ audio_id: z.string(), audio_volume: percent.optional(), video_volume: percent.optional() }),
  ).optional(),
});

type Body = z.infer<typeof bodySchema>;

/** @throws Refusal */
export async function readDraft(request: SandboxRequest, caller: Caller): Promise<Draft> {
  const body = readAs(bodySchema, await fieldsOf(request), ([{ path, message }]) =>
    message === "100/2207023"
      ? graphRefusal("100/2207023", "Unknown media type")
      : graphRefusal(100, `(#100) Invalid parameter: ${path.join(".") || message}`),
  );
  assertCaption(body.caption ?? "");
  assertTogether(body);
  if (caller.login === "instagram") assertForOwnLogin(body);
  if (body.product_tags !== undefined) assertShop(caller);
  return toDraft(body);
}

/** What Instagram Login does not support. Same source. */
function assertForOwnLogin(body: Body): void {
  // https://github.com/Cesium1377/n8n-instagram-auto-publisher (2026-08)
  if (body.upload_type !== undefined) throw graphRefusal(100, "(#100) The parameter video_url is required.");
  assertWithout(body, ["is_paid_partnership", "audio_configuration"]);
}

function assertCaption(caption: string): void {
  const hashtags = caption.match(/#[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const mentions = caption.match(/(?<!\w)@[\w.]+/g)?.length ?? 0;
  if ([...caption].length > 2_200 || hashtags > 30 || mentions > 20)
    throw graphRefusal("36004/2207010", "The caption was too long.");
}

function refuse(parameter: string): never {
  throw graphRefusal(100, `(#100) param ${parameter} is not allowed`);
}

function assertWithout(body: Body, parameters: readonly (keyof Body)[]): void {
  const given = parameters.find((name) => body[name] !== undefined);
  if (given !== undefined) refuse(given);
}

const labels = ["is_ai_generated", "is_paid_partnership", "branded_content_sponsor_ids"] as const;
/** Fields of a whole post, which the items of a carousel do not have. */
const ofWholePosts = ["caption", "collaborators", "location_id", ...labels] as const;
const notInStories = ["caption", "collaborators", "product_tags", "location_id", "alt_text"] as const;
const sound = ["audio_name", "audio_configuration"] as const;
const ofReels = ["share_to_feed", "cover_url", "thumb_offset", ...sound, "trial_params"] as const;

/** Which fields can be combined. Same source. */
function assertTogether(body: Body): void {
  const { media_type: type, is_carousel_item: isChild = false } = body;
  if (type === "CAROUSEL") assertCarousel(body);
  else assertOneFile(body);
  if (isChild) {
    if (type !== undefined && type !== "VIDEO") refuse("is_carousel_item");
    assertWithout(body, ofWholePosts);
  }
  if (type === "STORIES") assertWithout(body, notInStories);
  if (type !== "REELS") assertWithout(body, ofReels);
  if (body.image_url === undefined) assertWithout(body, ["alt_text"]);
  assertTags(body, { isStory: type === "STORIES" });
}

function assertCarousel(body: Body): void {
  const { children = [] } = body;
  if (children.length < 2 || children.length > 10 || new Set(children).size < children.length)
    throw graphRefusal("100/2207028", "A carousel needs 2 to 10 children.");
  if (body.image_url !== undefined || hasVideo(body)) refuse("image_url");
}

function assertOneFile(body: Body): void {
  const { media_type: type, is_carousel_item: isChild = false } = body;
  const isVideo = hasVideo(body);
  if (body.upload_type !== undefined && body.video_url !== undefined) refuse("upload_type");
  assertWithout(body, ["children"]);
  if ((body.image_url !== undefined) === isVideo) refuse("image_url");
  if (isVideo && type === undefined) refuse("video_url");
  if (!isVideo && (type === "REELS" || type === "VIDEO")) refuse("media_type");
  if (type === "VIDEO" && !isChild) throw graphRefusal("100/2207023", "VIDEO is for items of a carousel only.");
}

/** Uploaded or fetched. */
function hasVideo({ upload_type, video_url }: Body): boolean {
  return upload_type !== undefined || video_url !== undefined;
}

function assertTags(body: Body, { isStory }: { isStory: boolean }): void {
  const { user_tags = [], product_tags = [], image_url, children } = body;
  if (children !== undefined && user_tags.length + product_tags.length > 0)
    throw graphRefusal(100, "(#100) param user_tags is not allowed");
  assertProductTags(product_tags, { isVideo: image_url === undefined, isReel: body.media_type === "REELS" });
  for (const { x, y } of user_tags) {
    const hasPlace = x !== undefined && y !== undefined;
    if (image_url !== undefined && !hasPlace && !isStory) throw graphRefusal(100, "(#100) user_tags need x and y");
  }
}

function toDraft(body: Body): Draft {
  const { media_type: type, image_url, video_url, upload_type } = body;
  return {
    kind: type === "CAROUSEL" ? "CAROUSEL_ALBUM" : image_url === undefined ? "VIDEO" : "IMAGE",
    product: type === "REELS" ? "REELS" : type === "STORIES" ? "STORY" : "FEED",
    isChild: body.is_carousel_item ?? false,
    caption: body.caption ?? "",
    address: image_url ?? video_url ?? null,
    sent: upload_type === undefined ? null : { bytes: null },
    cover: body.cover_url ?? null,
    alt: body.alt_text ?? "",
    children: body.children ?? [],
    collaborators: body.collaborators ?? [],
    user_tags: body.user_tags ?? [],
    product_tags: body.product_tags ?? [],
    location_id: body.location_id ?? null,
    share_to_feed: body.share_to_feed ?? true,
    is_trial: body.trial_params !== undefined,
    is_ai_generated: body.is_ai_generated ?? false,
    is_paid_partnership: body.is_paid_partnership ?? false,
    sponsors: body.branded_content_sponsor_ids ?? [],
    music: body.audio_configuration?.audio_id ?? null,
  };
}
