import * as z from "zod";
import type { OptionChoice, OptionChoices } from "../contract/choices.ts";
import type { NetworkContext } from "../contract/request.ts";
import { pinterestId, readList } from "./api.ts";

const boardSchema = z.object({ id: pinterestId, name: z.string(), is_ads_only: z.boolean().nullish() });
const sectionSchema = z.object({ id: pinterestId, name: z.string() });

/** Enough for 500 entries. */
const maxPages = 2;
/** Maximum number of boards whose sections are read. */
const maxBoardsWithSections = 50;

/**
 * The account's boards, without those for advertisements, which accept no Pins of the account.
 * https://github.com/pinterest/api-description (2025-12)
 */
async function boards(context: NetworkContext): Promise<OptionChoice[]> {
  const { items } = await readList(context, { steps: ["boards"], schema: boardSchema, maxPages });
  return items.filter(({ is_ads_only }) => is_ads_only !== true).map(({ id, name }) => ({ value: id, name }));
}

async function sections(context: NetworkContext): Promise<OptionChoice[]> {
  const found: OptionChoice[] = [];
  for (const { value, name: board } of (await boards(context)).slice(0, maxBoardsWithSections)) {
    const list = { steps: ["boards", value, "sections"], schema: sectionSchema, maxPages };
    const { items } = await readList(context, list);
    found.push(...items.map(({ id, name }) => ({ value: id, name: `${board} / ${name}` })));
  }
  return found;
}

export const choices = { board_id: boards, board_section_id: sections } satisfies OptionChoices;
