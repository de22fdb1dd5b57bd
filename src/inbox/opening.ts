import { isoTime } from "../ports/clock.ts";
import type { ConversationRow } from "./rows.ts";

const hourMs = 3_600_000;

/** The conversation after an act that lets the account answer for so long. The same object: another act does for longer. */
export function opened(row: ConversationRow, { at, hours }: { at: number; hours: number }): ConversationRow {
  const reply_until = isoTime(at + hours * hourMs);
  return reply_until > (row.reply_until ?? "") ? { ...row, reply_until } : row;
}

/** False: by all that is known, the network takes no more answers. */
export function isOpenAt({ reply_until }: ConversationRow, now: number): boolean {
  return reply_until == null || now <= Date.parse(reply_until);
}
