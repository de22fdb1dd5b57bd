import { isoTime } from "../ports/clock.ts";
import type { ConversationRow } from "./rows.ts";

const hourMs = 3_600_000;

interface Opening {
  at: number;
  hours: number;
}

/** When it ends, milliseconds. */
export function openUntil({ at, hours }: Opening): number {
  return at + hours * hourMs;
}

/** The conversation after an act that lets the account answer for so long. The same object: another act does for longer. */
export function opened(row: ConversationRow, opening: Opening): ConversationRow {
  const reply_until = isoTime(openUntil(opening));
  return reply_until > (row.reply_until ?? "") ? { ...row, reply_until } : row;
}

/** False: by all that is known, the network takes no more answers. */
export function isOpenAt({ reply_until }: ConversationRow, now: number): boolean {
  return reply_until === null || now <= Date.parse(reply_until);
}
