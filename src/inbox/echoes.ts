import type { Echo } from "../networks/contract/look.ts";
import { isoTime } from "../ports/clock.ts";
import type { BoundPublisher } from "../sending/bound-publisher.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { MessageRow } from "./rows.ts";

/** The newest that are looked at; others had to be written within minutes. */
const maxEchoes = 200;

/** An answer's verbs, which look for it among what the network has told by itself. */
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

/** What the account has written in the conversation since, but for what was given here. */
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
