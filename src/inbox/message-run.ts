import { createQueue } from "../async/in-turn.ts";
import { breaksProfile } from "../profiles/broken.ts";
import { markNeedsAttention } from "../profiles/credentials.ts";
import { createPostPublisher, publisherOf } from "../sending/post-publisher.ts";
import type { Failure } from "../sending/state.ts";
import type { SubjectKind } from "../sending/subject-kind.ts";
import type { SendingContext, SubjectChange, SubjectRun } from "../sending/subject-run.ts";
import type { Operation } from "../storage/storage.ts";
import { fromRow, toChange } from "../storage/typed.ts";
import { onlyWhileHeld } from "../work/lease.ts";
import { withEchoes } from "./echoes.ts";
import { replyHindrance } from "./reply-order.ts";
import { replyPostOf, replyPublisherOf } from "./reply-post.ts";
import { type MessageRow, type ReplyState, thisTry } from "./rows.ts";
import { type ReplyPorts, settleFailed, settleLive } from "./settle-reply.ts";

/** Replies of one profile that are sent concurrently. */
const atOnce = 4;

/** Replies as a kind of subject that is sent on profiles. */
export function replySubjects(ports: ReplyPorts): SubjectKind {
  return {
    collection: "messages",
    atOnce,
    isAwaited: true,
    goesOutOn: (adapter) => adapter?.inbox?.reply !== undefined,
    run: (row, sending) => createMessageRun(fromRow(row), sending, ports),
    textsOf(row, { adapter, profile }) {
      const message = fromRow<MessageRow>(row);
      const { part } = replyPostOf(message, adapter, profile);
      // A network may have another publisher for replies than for posts, or none for posts.
      const publisher = replyPublisherOf(message, adapter) ?? publisherOf(adapter);
      return (index) => (index === 0 ? publisher.textForms(part, index) : null);
    },
    stageOf(row) {
      const { state } = fromRow<MessageRow>(row);
      if (state === "open") return "open";
      return state === "live" || state === "merged" ? "ended" : "retryable";
    },
  };
}

/** The sending of one reply by its profile's holder. */
function createMessageRun(row: MessageRow, sending: SendingContext, ports: ReplyPorts): SubjectRun {
  const { lease, adapter } = sending;
  let message = row;
  // Writes keep their order.
  const inOrder = createQueue();

  /** A check that the message is unchanged: it may have settled or been retried meanwhile. */
  const isStill = (): Operation => ({
    kind: "check",
    collection: "messages",
    id: row.id,
    where: thisTry(message),
  });

  async function write(): Promise<void> {
    const { due_at, private: record } = message;
    const change = toChange({ due_at, private: record });
    await onlyWhileHeld("profiles", () =>
      ports.storage.write([
        lease.check(),
        { kind: "update", collection: "messages", id: row.id, change, where: thisTry(message) },
      ]),
    );
  }

  function remember(change: Partial<ReplyState>): void {
    message = { ...message, private: { ...message.private, reply: { ...replyOf(message), ...change } } };
  }

  function save({ state = {}, due_at, error }: SubjectChange): Promise<void> {
    if (due_at !== undefined) message = { ...message, due_at };
    remember({ ...state, ...(error === undefined ? {} : { error }) });
    return inOrder(write);
  }

  async function settle(failure: Failure | null): Promise<void> {
    const given = { guard: lease.check(), now: await lease.checkedNow() };
    if (failure === null) return settleLive(ports, adapter, message, given);
    if (breaksProfile(failure.code))
      await markNeedsAttention(sending.credentials.profile(), failure.message, {
        adapter,
        hold: lease,
        ports: sending.ports,
      });
    return settleFailed(ports, message, failure, given);
  }

  const run: SubjectRun = {
    ...sending,
    id: row.id,
    collection: "messages",
    createdAt: row.created_at,
    lane: `conversation:${row.conversation_id}`,
    sendUntil: replyOf(row).send_until,
    guard: () => [isStill()],
    label: "message",
    adviceIfUnknown: "check the conversation before you reply again",
    count: () => 1,
    publisherOf(index, live = replyOf(message).live) {
      const { part, previous } = replyPostOf(message, adapter, sending.credentials.context.profile);
      const publisher = replyPublisherOf(row, adapter);
      const act = createPostPublisher(run, {
        parts: [part],
        index,
        live,
        answers: previous,
        ...(publisher && { publisher }),
      });
      return adapter.inbox?.reply?.needsEchoes === true ? withEchoes(act, ports.storage, row) : act;
    },
    state: () => replyOf(message),
    isOpen: () => message.state === "open",
    error: () => replyOf(message).error,
    prepare: async () => false,
    hindrance(lost) {
      const { rules, textForms } = run.publisherOf(0);
      return replyHindrance(ports.storage, { message, sending, says: textForms(), isKeyed: rules.isKeyed }, lost);
    },
    remember,
    save,
    settle,
  };
  return run;
}

function replyOf({ id, private: { reply } }: MessageRow): ReplyState {
  if (reply === undefined) throw new Error(`The message ${id} is not a reply.`);
  return reply;
}
