import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

const id = z.string().regex(/^\d{1,40}$/, "An id: digits.");

/** https://github.com/pinterest/api-description, `PinCreate` (2025-12; `ai_disclosures` 2026-10) */
export const options = documentedObject({
  /** Id of the board to create the Pin on. Required. */
  board_id: id.describe("Id of the board to create the Pin on. Required."),
  /** Id of a section of that board. */
  board_section_id: id.optional().describe("Id of a section of that board."),
  /** Videos: URL of a JPEG or PNG cover image. Takes precedence over thumbnail_url and cover_image_key_frame_time. */
  cover_image_url: webAddress
    .max(2048)
    .optional()
    .describe(
      "Videos: URL of a JPEG or PNG cover image. Takes precedence over thumbnail_url and cover_image_key_frame_time.",
    ),
  /** Videos: offset of the frame used as the cover, seconds. Default 0. */
  cover_image_key_frame_time: z
    .int()
    .min(0)
    .max(900)
    .optional()
    .describe("Videos: offset of the frame used as the cover, seconds. Default 0."),
  /** Colour shown while the image loads: `#6E7874`. */
  dominant_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "A colour such as #6E7874.")
    .optional()
    .describe("Colour shown while the image loads: `#6E7874`."),
  /**
   * AI labels of the Pin: `AI_MODIFIED`, made or changed with AI · `SYNTHETIC_PERFORMER`, shows a person who does not
   * exist.
   */
  ai_disclosures: z
    .array(z.enum(["AI_MODIFIED", "SYNTHETIC_PERFORMER"]))
    .min(1)
    .max(2)
    .refine((labels) => new Set(labels).size === labels.length, "Each value may appear only once.")
    .optional()
    .describe(
      "AI labels of the Pin: `AI_MODIFIED`, made or changed with AI · `SYNTHETIC_PERFORMER`, shows a person who does not exist.",
    ),
});

export type PinterestOptions = z.infer<typeof options>;
