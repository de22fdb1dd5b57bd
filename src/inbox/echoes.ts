import type { Echo } from "../networks/contract/look.ts";
import { isoTime } from "../ports/clock.ts";
import type { BoundPublisher } from "../sending/bound-publisher.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { MessageRow } from "./rows.ts";

/** Maximum number of echoes, the newest first. More would have to be sent within minutes. */
const maxEchoes = 200;

/** A reply's publisher, which also looks for the reply among the messages that the network has sent to the inbox. */
export function withEchoes(act: BoundPublisher, storage: Storage, message: MessageRow): BoundPublisher {
  return {
    ...act,
    requestFor(keys, staged) {
      const attempt = act.requestFor(keys, staged);
      return {
        ...attempt,
        lookFor: async (context, query) =>
          attempt.lookFor(context, { ...query, echoes: await readEchoes(storage, message, query.since) }),
      };
    },
  };
}

/** Reads the account's messages in the conversation since that time, without replies sent by this service. */
async function readEchoes(storage: Storage, { conversation_id }: MessageRow, since: number): Promise<Echo[]> {
  const { rows } = await storage.find("messages", {
    where: { conversation_id, state: "live", direction: "outbound", sent_at: { gte: isoTime(since) } },
    order: { column: "sent_at", direction: "desc" },
    limit: maxEchoes,
    isCounted: false,
  });
  const own = rows.map((row) => fromRow<MessageRow>(row)).filter((each) => each.private.reply === undefined);
  return own.map(({ external_id, text, sent_at, private: { ref } }) => ({
    id: external_id,
    text: text ?? "",
    sent_at: Date.parse(sent_at),
    ref,
  }));
}
