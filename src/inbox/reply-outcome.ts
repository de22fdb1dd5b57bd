import type { NetworkId } from "../networks/contract/network-id.ts";
import { waitAtMost } from "../ports/clock.ts";
import { isConflictIn } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { type PublishingCode, SocialError } from "../wire/errors.ts";
import type { AnswerPorts } from "./ports.ts";
import { type MessageRow, thisTry, toMessage } from "./rows.ts";
import type { InboxMessage } from "./schema.ts";

/** Time between two reads of a reply that another process sends, milliseconds. */
const pollMs = 250;

/**
 * Waits for the outcome of a reply, as long as for that of a publication.
 *
 * @throws SocialError `publish_failed` if it was not sent, or, with `timeout` as the detail's code, if that is not known
 * yet; `conflict` if the outcome cannot be determined
 */
export async function replyOutcome(
  ports: AnswerPorts,
  { id, profile_id, state }: MessageRow,
  network: NetworkId,
): Promise<InboxMessage> {
  if (state === "open") {
    const until = ports.clock.monotonic() + ports.publishWaitMs;
    const work = drive(ports, { id, profile_id, until }).catch((error: unknown) =>
      ports.logger.error("a reply was interrupted; the worker continues it", { message: id, error: String(error) }),
    );
    ports.track(work);
    await waitAtMost(ports.clock, ports.publishWaitMs, work);
    await closeUnsent(ports, id);
  }
  const message = await readMessage(ports, id);
  const { reply } = message.private;
  if (message.state === "live") return toMessage(message);
  if (message.state === "merged" && reply?.merged_into !== undefined)
    return toMessage(await readMessage(ports, reply.merged_into));
  const { code, message: reason } = reply?.error ?? { code: "timeout", message: "" };
  if (message.state === "failed") throw refusedReply(network, code, reason);
  if (message.state === "undecided") throw undecidedReply(network, reason);
  const sought =
    "It may have been sent; the outcome is still unknown. Repeat the request with the same key in a minute.";
  throw refusedReply(network, "timeout", `${sought} ${reason}`.trim());
}

function undecidedReply(network: NetworkId, reason: string): SocialError {
  const message = `The outcome cannot be determined: it may have been sent. ${reason} A new key sends it again.`;
  return new SocialError("conflict", message, { details: [{ network, code: "timeout", message }] });
}

export function refusedReply(network: NetworkId, code: PublishingCode, message: string, field?: string): SocialError {
  const detail = { ...(field === undefined ? {} : { field }), network, code, message };
  return new SocialError("publish_failed", message, { details: [detail] });
}

async function drive(
  ports: AnswerPorts,
  { id, profile_id, until }: { id: string; profile_id: string; until: number },
): Promise<void> {
  for (;;) {
    await ports.workProfile(profile_id);
    const { state, due_at } = await readMessage(ports, id);
    const leftMs = until - ports.clock.monotonic();
    if (state !== "open" || leftMs <= 0) return;
    const untilDueMs = (due_at ?? 0) - (await ports.storage.now());
    await ports.clock.sleep(Math.min(Math.max(untilDueMs, pollMs), leftMs));
  }
}

/** Fails a reply that no process has begun to send within its time limit. */
async function closeUnsent({ storage }: AnswerPorts, id: string): Promise<void> {
  const row = await storage.get("messages", id);
  const message = row === null ? null : fromRow<MessageRow>(row);
  const reply = message?.private.reply;
  if (message?.state !== "open" || reply === undefined || (await storage.now()) <= reply.send_until) return;
  const intents = await storage.find("intents", { where: { subject_id: id }, limit: 1, isCounted: false });
  if (intents.rows.length > 0) return;
  const error = {
    code: "network_error" as const,
    message: "It was not sent: its time limit was reached. Retry.",
  };
  const change = { state: "failed", due_at: null, private: { ...message.private, reply: { ...reply, error } } };
  const where = thisTry(message);
  await storage
    .write([{ kind: "update", collection: "messages", id, change: toChange(change), where }])
    .catch((failure: unknown) => {
      // The profile's holder was faster, or the reply was retried.
      if (!isConflictIn("messages", failure)) throw failure;
    });
}

async function readMessage({ storage }: AnswerPorts, id: string): Promise<MessageRow> {
  const row = await storage.get("messages", id);
  if (row === null) throw new Error(`Message ${id} no longer exists in the store.`);
  return fromRow(row);
}
