import { z } from "zod";
import { webAddress } from "../../wire/parse.ts";

const link = webAddress.max(2048);
const picture = z.strictObject({ url: link.describe("Address of the picture.") });

/** https://docs.discord.com/developers/resources/message, "Embed Limits" (2026-08) */
export const embed = z.strictObject({
  title: z.string().min(1).max(256).optional().describe("At most 256 characters."),
  description: z.string().min(1).max(4096).optional().describe("At most 4096 characters, Markdown."),
  url: link.optional().describe("Where the title leads."),
  color: z.int().min(0).max(0xffffff).optional().describe("Color of the edge: red × 65536 + green × 256 + blue."),
  timestamp: z.iso.datetime().optional().describe("A moment shown at the end, ISO 8601."),
  author: z
    .strictObject({
      name: z.string().min(1).max(256).describe("At most 256 characters."),
      url: link.optional().describe("Where the name leads."),
      icon_url: link.optional().describe("A small picture beside the name."),
    })
    .optional()
    .describe("A line above the title."),
  footer: z
    .strictObject({
      text: z.string().min(1).max(2048).describe("At most 2048 characters."),
      icon_url: link.optional().describe("A small picture beside the text."),
    })
    .optional()
    .describe("A line below everything."),
  fields: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(256).describe("At most 256 characters."),
        value: z.string().min(1).max(1024).describe("At most 1024 characters."),
        inline: z.boolean().optional().describe("Beside the field before it. Default false."),
      }),
    )
    .min(1)
    .max(25)
    .optional()
    .describe("Named values, at most 25."),
  image: picture.optional().describe("A large picture."),
  thumbnail: picture.optional().describe("A small picture at the side."),
});

export type Embed = z.infer<typeof embed>;

/** What counts towards the limit that all embeds of a message share. */
export function embedLength({ title = "", description = "", author, footer, fields = [] }: Embed): number {
  const texts = [title, description, author?.name ?? "", footer?.text ?? ""];
  for (const { name, value } of fields) texts.push(name, value);
  return texts.reduce((sum, text) => sum + text.length, 0);
}
