import * as z from "zod";
import { jsonBody, type SandboxRequest } from "../exchange.ts";
import { readAs } from "../parts/fields.ts";
import { refusal } from "./refusal.ts";
import type { Video } from "./state.ts";

const title = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^<>]*$/);
const description = z
  .string()
  .regex(/^[^<>]*$/)
  .refine((text) => Buffer.byteLength(text) <= 5_000);
const tags = z
  .array(z.string().min(1))
  .refine((all) => all.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), 0) + all.length - 1 <= 500);
const language = z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$/);

/**
 * https://developers.google.com/youtube/v3/docs/videos (2026-09); other fields are rejected, unlike by the real one.
 */
const resourceSchema = z.strictObject({
  snippet: z.strictObject({
    title,
    description: description.optional(),
    tags: tags.optional(),
    categoryId: z.string().optional(),
    defaultLanguage: language.optional(),
    defaultAudioLanguage: language.optional(),
  }),
  status: z.strictObject({
    privacyStatus: z.enum(["public", "unlisted", "private"]),
    selfDeclaredMadeForKids: z.boolean(),
    containsSyntheticMedia: z.boolean().optional(),
    license: z.enum(["youtube", "creativeCommon"]).optional(),
    embeddable: z.boolean().optional(),
    publicStatsViewable: z.boolean().optional(),
  }),
  paidProductPlacementDetails: z.strictObject({ hasPaidProductPlacement: z.boolean() }).optional(),
});

const reasons: Readonly<Record<string, string>> = {
  title: "invalidTitle",
  description: "invalidDescription",
  tags: "invalidTags",
  categoryId: "invalidCategoryId",
};

/**
 * The categories that channels may choose. https://developers.google.com/youtube/v3/docs/videoCategories/list (2026-09)
 */
export const categories: Readonly<Record<string, { title: string; assignable: boolean }>> = {
  "1": { title: "Film & Animation", assignable: true },
  "10": { title: "Music", assignable: true },
  "22": { title: "People & Blogs", assignable: true },
  "30": { title: "Movies", assignable: false },
};

/** @throws Refusal */
export function readResource(request: SandboxRequest): { resource: Video["resource"]; parts: string[] } {
  const given = readAs(resourceSchema, jsonBody(request), ([{ path }]) => {
    const field = String(path[1] ?? "");
    const message = `The request metadata is invalid: ${field}.`;
    return refusal(400, reasons[field] ?? "invalidVideoMetadata", message, { domain: "youtube.video" });
  });
  const { categoryId = "22" } = given.snippet;
  if (categories[categoryId]?.assignable !== true)
    throw refusal(400, "invalidCategoryId", "The category is invalid.", { domain: "youtube.video" });
  const parts = (request.url.searchParams.get("part") ?? "").split(",");
  const unnamed = Object.keys(given).filter((part) => !parts.includes(part));
  if (unnamed.length > 0)
    throw refusal(400, "unexpectedPart", `The part parameter does not name ${unnamed.join(", ")}.`);
  return { resource: JSON.parse(JSON.stringify(given)) as Video["resource"], parts };
}
