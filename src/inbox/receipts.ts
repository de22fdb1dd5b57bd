import type { InboxUpdate } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import type { ConversationRow, MessageRow, Receipts, Watermark } from "./rows.ts";

/** The conversation with a receipt. The same object: it already has one that reaches as far. */
export function withReceipt(
  row: ConversationRow,
  { what, until, at }: Extract<InboxUpdate, { fact: "receipt" }> & { at: number },
): ConversationRow {
  const { receipts = {} } = row.private;
  if ((receipts[what]?.until ?? 0) >= until) return row;
  return { ...row, private: { ...row.private, receipts: { ...receipts, [what]: { until, at } } } };
}

/**
 * A message with `delivered_at` and `read_at` from its conversation's receipts. The same object: nothing has changed.
 */
export function withReceiptTimes(row: MessageRow, { delivered, read }: Receipts): MessageRow {
  if (row.direction !== "outbound" || row.state !== "live") return row;
  const sentAt = Date.parse(row.sent_at);
  const reached = (mark: Watermark | undefined): string | null =>
    mark !== undefined && sentAt <= mark.until ? isoTime(mark.at) : null;
  const read_at = row.read_at ?? reached(read);
  // A message that was read was delivered before.
  const delivered_at = row.delivered_at ?? reached(delivered) ?? read_at;
  return read_at === row.read_at && delivered_at === row.delivered_at ? row : { ...row, read_at, delivered_at };
}
