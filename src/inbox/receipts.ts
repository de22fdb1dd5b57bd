import type { InboxUpdate } from "../networks/contract/inbox.ts";
import { isoTime } from "../ports/clock.ts";
import type { ConversationRow, MessageRow, Receipts, Watermark } from "./rows.ts";

/** The conversation with a receipt. The same object: one that reaches as far is known. */
export function withReceipt(
  row: ConversationRow,
  { what, until, at }: Extract<InboxUpdate, { fact: "receipt" }> & { at: number },
): ConversationRow {
  const { receipts = {} } = row.private;
  if ((receipts[what]?.until ?? 0) >= until) return row;
  return { ...row, private: { ...row.private, receipts: { ...receipts, [what]: { until, at } } } };
}

/** A message with when it was delivered and read, as far as its conversation's receipts reach. The same object: it says so already. */
export function withReceiptTimes(row: MessageRow, { delivered, read }: Receipts): MessageRow {
  if (row.direction !== "outbound" || row.state !== "live") return row;
  const sentAt = Date.parse(row.sent_at);
  const reached = (mark: Watermark | undefined): string | null =>
    mark !== undefined && sentAt <= mark.until ? isoTime(mark.at) : null;
  const read_at = row.read_at ?? reached(read);
  // What was read was delivered before.
  const delivered_at = row.delivered_at ?? reached(delivered) ?? read_at;
  return read_at === row.read_at && delivered_at === row.delivered_at ? row : { ...row, read_at, delivered_at };
}
