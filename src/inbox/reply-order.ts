import { foldedForms } from "../networks/runtime/match-posts.ts";
import { type IntentRow, type IntentState, unresolvedStates } from "../sending/intent.ts";
import type { Hindrance, SendingContext } from "../sending/subject-run.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { replyPostOf } from "./reply-post.ts";
import type { MessageRow } from "./rows.ts";

/** States of requests for which the service still looks at the network. */
const soughtStates = [...unresolvedStates, "job"] as const satisfies readonly IntentState[];
/** States of requests that were, or may have been, sent. */
const goneStates: ReadonlySet<IntentState> = new Set<IntentState>([...soughtStates, "accepted", "live", "undecided"]);
/**
 * Maximum number of a conversation's replies that are checked for one sent later, the newest first. More would have to
 * be created within seconds.
 */
const newestRead = 50;

/** A reply that is due. */
interface Ready {
  message: MessageRow;
  sending: Pick<SendingContext, "adapter" | "credentials" | "lease" | "textsInFlight">;
  /** Its text, in each form in which the network may show it. */
  says: readonly string[];
  /** True: a key identifies the reply at the network, so a lost request cannot be confused with another. */
  isKeyed: boolean;
}

/**
 * What prevents the sending of a reply: an earlier request of its conversation that may still be running; one with the
 * same text for which the service still looks, because either could be found; or one that was sent after the reply's
 * own request was lost.
 *
 * @param lost the reply's requests whose responses were lost
 */
export async function replyHindrance(
  storage: Storage,
  ready: Ready,
  lost: readonly IntentRow[],
): Promise<Hindrance | null> {
  const sought = await soughtBeside(storage, ready);
  const now = ready.sending.lease.now();
  const ends = sought
    .filter(({ state, private: { hard_end } }) => (state === "open" || !ready.isKeyed) && now < hard_end)
    .map(({ private: { hard_end } }) => hard_end);
  if (ends.length > 0) {
    const reason = "an earlier reply of this conversation may still be in transit";
    return { reason, until: Math.max(...ends), isFinal: false };
  }
  if (!ready.isKeyed && (await isSaidBy(sought, ready))) {
    const reason = "the same text may be live: the outcome of an earlier reply with this text is unknown";
    return { reason, until: null, isFinal: false };
  }
  if (await isOvertaken(storage, ready, lost)) {
    const reason = "the response to its first request was lost, and a later reply of this conversation was sent since";
    return { reason, until: null, isFinal: true };
  }
  return null;
}

/** A request of another reply of the conversation for which the service still looks. */
type Sought = IntentRow & { message: MessageRow };

async function soughtBeside(storage: Storage, { message }: Ready): Promise<Sought[]> {
  const { rows } = await storage.find("intents", {
    where: { profile_id: message.profile_id, state: { in: soughtStates } },
    isCounted: false,
  });
  const others = rows
    .map((row) => fromRow<IntentRow>(row))
    // A repeated look, started by its idempotency key, keeps the outcome undecided.
    .filter(
      ({ subject_id, private: { outcome_before_retry } }) => subject_id !== message.id && outcome_before_retry === null,
    );
  if (others.length === 0) return [];
  const ids = [...new Set(others.map(({ subject_id }) => subject_id))];
  const found = await storage.find("messages", {
    where: { id: { in: ids }, conversation_id: message.conversation_id, state: "open" },
    isCounted: false,
  });
  const open = new Map(found.rows.map((row) => [row.id, fromRow<MessageRow>(row)]));
  return others.flatMap((intent) => {
    const other = open.get(intent.subject_id);
    return other === undefined ? [] : [{ ...intent, message: other }];
  });
}

/** True: one of them has the same text and the same parent. */
async function isSaidBy(sought: readonly Sought[], { message, sending, says }: Ready): Promise<boolean> {
  if (sought.length === 0) return false;
  const { adapter, credentials } = sending;
  const parentOf = (row: MessageRow): string | null => {
    const { previous, parent } = replyPostOf(row, adapter, credentials.context.profile);
    return previous?.id ?? parent ?? null;
  };
  const wordsOf = await sending.textsInFlight(sought.map(({ subject_id }) => subject_id));
  const own = foldedForms(says);
  const parent = parentOf(message);
  return sought.some(({ subject_id, part, message: other }) => {
    const words = foldedForms(wordsOf(subject_id, part) ?? []);
    return parentOf(other) === parent && [...words].some((form) => own.has(form));
  });
}

async function isOvertaken(storage: Storage, { message }: Ready, lost: readonly IntentRow[]): Promise<boolean> {
  const last = lost.at(-1);
  if (last === undefined) return false;
  const { rows } = await storage.find("messages", {
    where: {
      conversation_id: message.conversation_id,
      direction: "outbound",
      state: { in: ["open", "live", "undecided", "merged"] },
    },
    order: { column: "sent_at", direction: "desc" },
    limit: newestRead,
    isCounted: false,
  });
  const ids = rows.map(({ id }) => id).filter((id) => id !== message.id);
  const found = await storage.find("intents", { where: { subject_id: { in: ids } }, isCounted: false });
  return found.rows
    .map((row) => fromRow<IntentRow>(row))
    .some(({ state, private: { opened_at } }) => goneStates.has(state) && opened_at > last.private.opened_at);
}
