import { isoTime } from "../ports/clock.ts";
import type { ConversationRow } from "./rows.ts";

const hourMs = 3_600_000;

interface Opening {
  at: number;
  hours: number;
}

/** When the opening ends, milliseconds. */
export function openUntil({ at, hours }: Opening): number {
  return at + hours * hourMs;
}

/** The conversation after an event that allows replies for some hours. The same object: another allows them longer. */
export function opened(row: ConversationRow, opening: Opening): ConversationRow {
  const reply_until = isoTime(openUntil(opening));
  return reply_until > (row.reply_until ?? "") ? { ...row, reply_until } : row;
}

/** False: by the known events, the network accepts no more replies. */
export function isOpenAt({ reply_until }: ConversationRow, now: number): boolean {
  return reply_until === null || now <= Date.parse(reply_until);
}
