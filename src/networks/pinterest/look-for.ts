import * as z from "zod";
import type { CommitInput } from "../contract/commit.ts";
import type { AccountList, ListedPost, LookInput, LookResult } from "../contract/look.ts";
import type { Part } from "../contract/plan.ts";
import type { NetworkContext } from "../contract/request.ts";
import { listsThatShow } from "../shared/shown-lists.ts";
import { stagedText } from "../shared/staged-text.ts";
import { permalink, pinterestId, readList } from "./api.ts";
import type { PinterestOptions } from "./options.ts";
import { names } from "./staged.ts";

type Input = CommitInput<PinterestOptions>;

/**
 * Limit of a list that can be read to its end: 10,000 Pins. The order of Pins is not documented, so only a complete
 * list counts.
 */
const maxPages = 40;

/** https://github.com/pinterest/api-description, `Pin` (2025-12) */
const pinSchema = z.object({
  id: pinterestId,
  created_at: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  link: z.string().nullish(),
  is_owner: z.boolean().nullish(),
  media: z.object({ media_type: z.string().nullish() }).nullish(),
});

/** Looks for a Pin whose response was lost, in its board or section. */
export async function lookFor(context: NetworkContext, input: LookInput<PinterestOptions>): Promise<LookResult> {
  return { parent: null, lists: [await readPins(context, input)] };
}

/** Lists of sections and of non-public boards count once they have shown a Pin. */
export const lists = listsThatShow<PinterestOptions>({ isKnown: isPublic, nameOf, read: readPins });

async function readPins(context: NetworkContext, input: Input): Promise<AccountList> {
  const { board_id, board_section_id: section } = input.part.options;
  const steps = ["boards", board_id, ...(section === undefined ? [] : ["sections", section]), "pins"];
  const { items, isWhole } = await readList(context, { steps, schema: pinSchema, maxPages });
  const own = items.filter(({ is_owner }) => is_owner !== false);
  return { posts: own.map((pin) => toSeen(pin, input.part)), isWhole, showsSuch: isPublic(input), name: nameOf(input) };
}

function isPublic({ part, staged }: Input): boolean {
  return part.options.board_section_id === undefined && stagedText(staged, names.privacy) === "PUBLIC";
}

function nameOf({ part, staged }: Input): string {
  const where = part.options.board_section_id === undefined ? "board" : "section";
  return `pins of a ${where}, ${stagedText(staged, names.privacy) ?? "unknown"}`;
}

function toSeen(pin: z.infer<typeof pinSchema>, part: Part<PinterestOptions>): ListedPost {
  const kind = pin.media?.media_type ?? null;
  return {
    published: { id: pin.id, url: permalink(pin.id), ref: null },
    created_at: timeOf(pin.created_at),
    texts: [words(pin.title, pin.description, pin.link)],
    parent: null,
    isSameKind: kind === null || kind === kindOf(part),
    origin: null,
  };
}

/** `2020-01-01T20:10:40-00:00`; without a time zone it is UTC. Same source. */
function timeOf(text: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

function kindOf({ media }: Part<PinterestOptions>): "image" | "video" | "multiple_images" {
  if (media.length > 1) return "multiple_images";
  return media[0]?.type === "video" ? "video" : "image";
}

/** A Pin's title, description and link together. */
export function textForms({ title, text, link }: Part<PinterestOptions>): string[] {
  return [words(title, text, link?.url)];
}

function words(...parts: (string | null | undefined)[]): string {
  return parts.flatMap((part) => part?.trim() || []).join("\n");
}
