import * as z from "zod";
import { findLinks } from "../../text/links.ts";
import type { SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import { graphRefusal } from "../parts/graph.ts";
import { fieldsOf, flag, json, pulledAddress } from "../parts/graph-fields.ts";
import { assertScope, type Holding } from "./accounts.ts";
import { assertPlace } from "./places.ts";

/** The content of a container. */
export interface Draft {
  kind: "TEXT_POST" | "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
  /** True: part of a carousel, so it is never published alone. */
  isChild: boolean;
  text: string;
  /** The URL of its file; null: none. */
  address: string | null;
  alt: string;
  children: readonly string[];
  reply_to: string | null;
  link: string | null;
  topic: string | null;
  quoted: string | null;
  isGhost: boolean;
  isSpoiler: boolean;
  poll: readonly string[];
  /** True: also shared on Instagram. */
  isShared: boolean;
}

const id = z.string().regex(/^\d+$/);
const answer = z.string().min(1).max(25);
const place = z.string().regex(/^\d+$/);

/** Stricter than the real one, which ignores unknown fields. https://github.com/fbsamples/threads_api (2025-12) */
const bodySchema = z.strictObject({
  media_type: z.enum(["TEXT", "IMAGE", "VIDEO", "CAROUSEL"]),
  text: z.string().min(1).optional(),
  image_url: pulledAddress.optional(),
  video_url: pulledAddress.optional(),
  is_carousel_item: flag.optional(),
  children: z
    .string()
    .transform((text) => text.split(","))
    .optional(),
  alt_text: z.string().max(1_000).optional(),
  reply_to_id: id.optional(),
  link_attachment: z.url().optional(),
  topic_tag: z
    .string()
    .regex(/^[^.&#]{1,50}$/)
    .optional(),
  reply_control: z
    .enum(["everyone", "accounts_you_follow", "mentioned_only", "parent_post_author_only", "followers_only"])
    .optional(),
  enable_reply_approvals: flag.optional(),
  quote_post_id: id.optional(),
  is_spoiler_media: flag.optional(),
  text_entities: json(
    z.array(z.strictObject({ entity_type: z.literal("SPOILER"), offset: place, length: place })).max(10),
  ).optional(),
  text_attachment: json(
    z.strictObject({
      plaintext: z.string().min(1).max(10_000),
      link_attachment_url: z.url().optional(),
      text_with_styling_info: z
        .array(z.strictObject({ offset: z.int(), length: z.int(), styling_info: z.array(z.string()) }))
        .optional(),
    }),
  ).optional(),
  poll_attachment: json(
    z.strictObject({ option_a: answer, option_b: answer, option_c: answer.optional(), option_d: answer.optional() }),
  ).optional(),
  gif_attachment: json(z.strictObject({ gif_id: z.string().min(1), provider: z.literal("GIPHY") })).optional(),
  is_ghost_post: flag.optional(),
  location_id: id.optional(),
  allowlisted_country_codes: z
    .string()
    .transform((text) => text.split(","))
    .optional(),
  crossreshare_to_ig: flag.optional(),
  crossreshare_to_ig_dark_mode: flag.optional(),
});

type Body = z.infer<typeof bodySchema>;

/** @throws Refusal */
export async function readDraft(request: SandboxRequest, holding: Holding): Promise<Draft> {
  const body = readAs(bodySchema, await fieldsOf(request), ([{ path, message }]) =>
    graphRefusal(100, `(#100) Invalid parameter: ${path.join(".") || message}`),
  );
  assertText(body);
  assertKind(body);
  assertTogether(body);
  assertAllowed(body, holding);
  return toDraft(body);
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
const maxText = 500;
const maxLinks = 5;

/** An emoji counts as its bytes. https://developers.facebook.com/documentation/threads/posts (2026-04) */
function lengthOf(text: string): number {
  const clusters = [...new Intl.Segmenter("en").segment(text)].map(({ segment }) => segment);
  return clusters.reduce((sum, each) => sum + (emoji.test(each) ? Buffer.byteLength(each) : [...each].length), 0);
}

function assertText({ text = "", link_attachment, text_attachment }: Body): void {
  if (lengthOf(text) > maxText) throw graphRefusal(100, "Param text must be at most 500 characters long.");
  const named = findLinks(text).flatMap(({ kind, value }) => (kind === "url" ? [value] : []));
  const links = new Set([...named, link_attachment, text_attachment?.link_attachment_url].filter(Boolean));
  if (links.size > maxLinks) throw graphRefusal(100, "THREADS_API__LINK_LIMIT_EXCEEDED");
}

function refuse(parameter: string): never {
  throw graphRefusal(100, `(#100) param ${parameter} is not allowed`);
}

/** Same source as the fields. */
function assertKind({ media_type: type, image_url, video_url, children, text, link_attachment }: Body): void {
  if ((image_url !== undefined) !== (type === "IMAGE")) refuse("image_url");
  if ((video_url !== undefined) !== (type === "VIDEO")) refuse("video_url");
  if ((children !== undefined) !== (type === "CAROUSEL")) refuse("children");
  if (type === "TEXT" && text === undefined && link_attachment === undefined)
    throw graphRefusal(100, "(#100) The parameter text is required");
  if (
    children !== undefined &&
    (children.length < 2 || children.length > 20 || new Set(children).size < children.length)
  )
    throw graphRefusal(100, "A carousel has 2 to 20 children.");
}

/** Which fields can be combined. https://developers.facebook.com/documentation/threads/posts (2026-04) */
function assertTogether(body: Body): void {
  const { media_type: type, is_carousel_item: isChild = false } = body;
  const ofTexts = ["link_attachment", "text_attachment", "poll_attachment", "gif_attachment", "is_ghost_post"] as const;
  if (type !== "TEXT") for (const name of ofTexts) if (body[name] !== undefined) refuse(name);
  if (type === "TEXT" && body.is_spoiler_media !== undefined) refuse("is_spoiler_media");
  if (type !== "IMAGE" && type !== "VIDEO" && body.alt_text !== undefined) refuse("alt_text");
  if (isChild && (type === "TEXT" || type === "CAROUSEL" || body.reply_to_id !== undefined)) refuse("is_carousel_item");
  if (body.poll_attachment !== undefined && (body.link_attachment ?? body.text_attachment) !== undefined)
    refuse("poll_attachment");
  if (body.is_ghost_post === true && (body.reply_to_id !== undefined || body.enable_reply_approvals === true))
    refuse("is_ghost_post");
  if (body.crossreshare_to_ig === true && body.crossreshare_to_ig_dark_mode === true) refuse("crossreshare_to_ig");
}

function assertAllowed(body: Body, holding: Holding): void {
  if (body.location_id !== undefined) assertPlace(holding, body.location_id);
  if (body.crossreshare_to_ig === true || body.crossreshare_to_ig_dark_mode === true)
    assertScope(holding, "threads_share_to_instagram");
  const { allowlisted_country_codes: countries } = body;
  if (countries === undefined) return;
  if (!holding.account.may_choose_countries) throw graphRefusal(100, "THREADS_API__FEATURE_NOT_AVAILABLE");
  if (countries.some((country) => !/^[A-Z]{2}$/.test(country)))
    throw graphRefusal(100, "THREADS_API__GEO_GATING_INVALID_COUNTRY_CODES");
}

const kinds = { TEXT: "TEXT_POST", IMAGE: "IMAGE", VIDEO: "VIDEO", CAROUSEL: "CAROUSEL_ALBUM" } as const;

function toDraft(body: Body): Draft {
  const { image_url, video_url } = body;
  const poll: Readonly<Record<string, string | undefined>> = body.poll_attachment ?? {};
  return {
    kind: kinds[body.media_type],
    isChild: body.is_carousel_item ?? false,
    text: body.text ?? "",
    address: image_url ?? video_url ?? null,
    alt: body.alt_text ?? "",
    children: body.children ?? [],
    reply_to: body.reply_to_id ?? null,
    link: body.link_attachment ?? null,
    topic: body.topic_tag ?? /(?<=^|\s)#([\p{L}\p{N}_]+)/u.exec(body.text ?? "")?.[1] ?? null,
    quoted: body.quote_post_id ?? null,
    isGhost: body.is_ghost_post ?? false,
    isSpoiler: body.is_spoiler_media ?? false,
    poll: Object.values(poll).flatMap((each) => each ?? []),
    isShared: (body.crossreshare_to_ig ?? body.crossreshare_to_ig_dark_mode) === true,
  };
}
