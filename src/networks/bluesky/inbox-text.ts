import { Buffer } from "node:buffer";
import * as z from "zod";
import { withAddress } from "../../text/link-words.ts";

/**
 * A link, mention or hashtag in a text, with its position in UTF-8 bytes.
 * https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/richtext/facet.json (2026-08)
 */
const facetSchema = z.object({
  index: z.object({ byteStart: z.int().nonnegative(), byteEnd: z.int().positive() }),
  features: z.array(z.unknown()),
});
const linkSchema = z.object({ $type: z.literal("app.bsky.richtext.facet#link"), uri: z.string().min(1) });

export const facetsSchema = z.array(facetSchema.nullable().catch(null)).nullish().catch(null);

type Facets = z.infer<typeof facetsSchema>;

/** The text with its links visible: link words that differ from their URL are followed by it. */
export function followedText(text: string, facets: Facets): string {
  const links = (facets ?? []).flatMap((facet) => {
    const uri = facet?.features.map((each) => linkSchema.safeParse(each).data?.uri).find((each) => each !== undefined);
    return facet === null || uri === undefined ? [] : [{ ...facet.index, uri }];
  });
  if (links.length === 0) return text;
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let position = 0;
  for (const { byteStart, byteEnd, uri } of links.sort((one, other) => one.byteStart - other.byteStart)) {
    // Overlapping, or outside the text. The author can write any position.
    if (byteStart < position || byteEnd <= byteStart || byteEnd > bytes.length) continue;
    const words = bytes.toString("utf8", byteStart, byteEnd);
    pieces.push(bytes.toString("utf8", position, byteStart), withAddress(words, uri));
    position = byteEnd;
  }
  return pieces.join("") + bytes.toString("utf8", position);
}
