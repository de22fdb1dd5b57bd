import * as z from "zod";
import { documentedObject } from "../../wire/documented-object.ts";
import { webAddress } from "../../wire/parse.ts";

const id = z.string().regex(/^\d{1,40}$/, "An id: digits.");

/** https://github.com/pinterest/api-description, `PinCreate` (2025-12; `ai_disclosures` 2026-10) */
export const options = documentedObject({
  /** Id of the board that the Pin goes to. Every Pin needs one. */
  board_id: id.describe("Id of the board that the Pin goes to. Every Pin needs one."),
  /** Id of a section of that board. */
  board_section_id: id.optional().describe("Id of a section of that board."),
  /** Videos: address of a JPEG or PNG as cover. Wins over thumbnail_url and cover_image_key_frame_time. */
  cover_image_url: webAddress
    .max(2048)
    .optional()
    .describe("Videos: address of a JPEG or PNG as cover. Wins over thumbnail_url and cover_image_key_frame_time."),
  /** Videos: the second whose picture is the cover. Default 0. */
  cover_image_key_frame_time: z
    .int()
    .min(0)
    .max(900)
    .optional()
    .describe("Videos: the second whose picture is the cover. Default 0."),
  /** What is shown while the picture loads: `#6E7874`. */
  dominant_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, "A colour such as #6E7874.")
    .optional()
    .describe("What is shown while the picture loads: `#6E7874`."),
  /**
   * It is labelled: `AI_MODIFIED`, made or changed with AI · `SYNTHETIC_PERFORMER`, shows a person who does not exist.
   */
  ai_disclosures: z
    .array(z.enum(["AI_MODIFIED", "SYNTHETIC_PERFORMER"]))
    .min(1)
    .max(2)
    .refine((labels) => new Set(labels).size === labels.length, "Name each once.")
    .optional()
    .describe(
      "It is labelled: `AI_MODIFIED`, made or changed with AI · `SYNTHETIC_PERFORMER`, shows a person who does not exist.",
    ),
});

export type PinterestOptions = z.infer<typeof options>;
