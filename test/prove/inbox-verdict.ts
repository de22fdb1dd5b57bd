import type { ConversationRow, MessageRow } from "../../src/inbox/rows.ts";
import type { Conversation, InboxMessage } from "../../src/inbox/schema.ts";
import { saidToStrangers } from "../../src/sandbox/inbox-scene.ts";
import type { IntentRow } from "../../src/sending/intent.ts";
import type { Row } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import type { Finding } from "../support/verdict.ts";
import type { Follower } from "./inbox-follower.ts";
import type { Answer, Letter, Script } from "./inbox-script.ts";
import type { ConnectedScene, InboxWorld } from "./inbox-world.ts";

/** What one day came to. */
export interface InboxVerdict {
  findings: Finding[];
  /** What people have written, and how many answers were given. */
  letters: number;
  answers: number;
  /** Answers of which nobody can tell whether they are there, on networks that can be asked. */
  undecided: number;
  /** The same where the owner has written by hand meanwhile. */
  excused: number;
  /** The same where nobody can be asked. */
  unknowable: number;
  /** Why, one each. */
  reasons: string[];
}

/** Compares what the store shows in the end with what the networks do. */
export async function judgeInbox(
  world: InboxWorld,
  script: Script,
  followers: readonly Follower[],
): Promise<InboxVerdict> {
  const found = await world.storage.find("messages", { where: {}, isCounted: false });
  const letters = script.letters.flatMap((letter) => judgeLetter(world, letter, found.rows));
  const answers = script.answers.flatMap((answer) => judgeAnswer(answer, found.rows));
  const followed = await Promise.all(followers.map((follower) => judgeFollower(world, follower)));
  const strangers = found.rows.flatMap((row) => judgeOwner(world, script, row));
  const overheard = found.rows.flatMap(judgeOverheard);
  const late = await judgeLate(world, found.rows);
  const arrived = await judgeArrivals(world, script);
  const removed = await judgeRemoved(world, script, found.rows);
  const unknown = script.answers.filter(({ outcomes }) => outcomes.at(-1) === "nobody knows");
  const asked = unknown.filter(({ scene }) => scene.lists.messages);
  const excused = asked.filter(
    (answer) =>
      answer.reason.includes(byHand) || isOutOfReach(answer, found.rows) || isBelowRemoved(script, answer, found.rows),
  );
  return {
    findings: [
      ...world.findings,
      ...letters,
      ...answers,
      ...followed.flat(),
      ...strangers,
      ...overheard,
      ...removed,
      ...late,
      ...arrived,
    ],
    letters: script.letters.length,
    answers: script.answers.length,
    undecided: asked.length - excused.length,
    excused: excused.length,
    unknowable: unknown.length - asked.length,
    reasons: excused.map(({ scene, reason }) => `${scene.network}: ${reason}`),
  };
}

/** What is said where the owner has written by hand meanwhile, and nobody could tell which of the two it is. */
const byHand = "with a different text that may be this one";

/** Messages of a conversation that Facebook shows (https://developers.facebook.com/docs/messenger-platform/conversations, 2026-02): of older ones nobody can tell whether they are there. */
const shownByFacebook = 20;

/** So many have come since that the network's list cannot show the answer. */
function isOutOfReach({ scene, mark, reason }: Answer, rows: readonly Row[]): boolean {
  if (scene.network !== "facebook" || !reason.includes("could not read them back to the time of the request"))
    return false;
  const answer = answerRow(rows, mark);
  const since = rows
    .map((row) => fromRow<MessageRow>(row))
    .filter(
      ({ conversation_id, state, sent_at }) =>
        conversation_id === answer?.conversation_id && state === "live" && sent_at >= answer.sent_at,
    );
  return since.length >= shownByFacebook;
}

/** What it answers was removed, and all below that with it: whether it was there, the network tells nobody. */
function isBelowRemoved(script: Script, { mark, reason }: Answer, rows: readonly Row[]): boolean {
  if (!reason.includes("The account could not be read.")) return false;
  const above = answerRow(rows, mark)?.private.reply?.to.external_id;
  return script.letters.some(({ id, isRemoved }) => id === above && isRemoved);
}

/** The message as which an answer is stored. */
function answerRow(rows: readonly Row[], mark: string): MessageRow | undefined {
  return rows
    .map((row) => fromRow<MessageRow>(row))
    .find(({ idempotency_key, text }) => idempotency_key !== null && String(text).includes(mark));
}

function live(rows: readonly Row[], { profileId }: ConnectedScene): Row[] {
  return rows.filter((row) => row.profile_id === profileId && row.state === "live");
}

function judgeLetter(world: InboxWorld, { id, scene, marks, isRemoved }: Letter, rows: readonly Row[]): Finding[] {
  const name = `what was written as ${id} on ${scene.network}`;
  const [row, another] = live(rows, scene).filter((each) => each.external_id === id);
  if (another !== undefined) return [{ what: "twice", message: `${name} stands there twice` }];
  if (row === undefined) {
    // Removed before anybody looked, or sent in vain by a network that does not show it later.
    const isShown = scene.lists.messages && scene.isUnlisted?.(id) !== true;
    const mayBeAbsent = isRemoved || (!isShown && !wasTaken(world, id, messages));
    return mayBeAbsent ? [] : [{ what: "lost", message: `${name} is not there` }];
  }
  if (isRemoved) {
    const mustBeGone = scene.lists.changes || wasTaken(world, id, deletions);
    return mustBeGone && row.deleted_at === null
      ? [{ what: "untrue", message: `${name} was removed, and is still shown` }]
      : [];
  }
  if (row.deleted_at !== null) return [{ what: "lost", message: `${name} is shown as deleted, and is not` }];
  const mustBeNew = scene.lists.changes || wasTaken(world, id, [marks.at(-1) ?? ""]);
  const right = mustBeNew ? marks.slice(-1) : marks;
  return right.some((mark) => String(row.text).includes(mark))
    ? []
    : [{ what: "untrue", message: `${name} says "${row.text}" in place of ${right.join(" or ")}` }];
}

/** What requests hold that tell of a message, and of a deletion. */
const messages = ['"channel.chat.message"', '"user.whisper.message"', '"messaging"', '"verb":"add"'];
const deletions = ['"channel.chat.message_delete"', '"verb":"remove"'];

/** The service said 200 to a request that told this of it. */
function wasTaken({ taken }: InboxWorld, id: string, words: readonly string[]): boolean {
  return taken.some((body) => body.includes(`"${id}"`) && words.some((word) => body.includes(word)));
}

function judgeAnswer({ scene, mark, outcomes, ids }: Answer, rows: readonly Row[]): Finding[] {
  const there = scene.texts().filter((text) => text.includes(mark)).length;
  const shown = live(rows, scene).filter(({ text }) => String(text).includes(mark)).length;
  const name = `the answer ${mark} on ${scene.network} (${outcomes.join(", ")})`;
  const findings: Finding[] = [];
  if (there > 1) findings.push({ what: "twice", message: `${name} is there ${there} times` });
  if (shown > 1) findings.push({ what: "twice", message: `${name} is shown ${shown} times` });
  if (ids.size > 1) findings.push({ what: "twice", message: `${name} has made ${ids.size} messages` });
  if (outcomes.includes("sent") && there === 0) findings.push({ what: "lost", message: `${name} is not there` });
  if (outcomes.includes("sent") && shown === 0) findings.push({ what: "lost", message: `${name} is not shown` });
  if (outcomes.at(-1) === "not sent" && there > 0) findings.push({ what: "untrue", message: `${name} is there` });
  return findings;
}

/** Whoever has followed from the beginning has what is there now. */
async function judgeFollower({ storage }: InboxWorld, follower: Follower): Promise<Finding[]> {
  const { scene, conversations, messages } = follower;
  const where = { profile_id: scene.profileId };
  const [shown, told] = await Promise.all([
    storage.find("conversations", { where, isCounted: false }),
    storage.find("messages", { where: { ...where, state: "live" }, isCounted: false }),
  ]);
  const wrong = [
    ...shown.rows.filter((row) => !isSameConversation(row, conversations.get(row.id))),
    ...told.rows.filter((row) => !isSameMessage(row, messages.get(row.id))),
  ];
  return wrong.map(({ id }) => ({ what: "lost", message: `who follows ${scene.network} has missed ${id}` }));
}

function isSameConversation(row: Row, seen: Conversation | undefined): boolean {
  const { unread_count, status, last_message } = row;
  const now = JSON.stringify([unread_count, status, last_message]);
  return seen !== undefined && JSON.stringify([seen.unread_count, seen.status, seen.last_message]) === now;
}

function isSameMessage(row: Row, seen: InboxMessage | undefined): boolean {
  return seen !== undefined && seen.text === row.text && seen.deleted_at === row.deleted_at;
}

/** Nothing that was written to one account stands in another's inbox. */
function judgeOwner({ connected }: InboxWorld, { letters }: Script, row: Row): Finding[] {
  const letter = letters.find(({ marks }) => marks.some((mark) => String(row.text).includes(mark)));
  if (letter === undefined) return [];
  const scene = connected.find(({ profileId }) => profileId === row.profile_id);
  const isOwn = letter.scene.profileId === row.profile_id && scene?.accountId === row.account_id;
  return isOwn ? [] : [{ what: "untrue", message: `${row.id} was written to somebody else` }];
}

/** What the owner says to people who have not written to the account is none of its inbox. */
function judgeOverheard({ id, text }: Row): Finding[] {
  const isOverheard = String(text).includes(saidToStrangers);
  return isOverheard ? [{ what: "untrue", message: `${id} was said to a stranger, and is shown` }] : [];
}

/** Whatever came first, the link or what was written. */
async function judgeArrivals(world: InboxWorld, { arrivals }: Script): Promise<Finding[]> {
  const { rows } = await world.storage.find("conversations", { where: {}, isCounted: false });
  const conversations = rows.map((row) => fromRow<ConversationRow>(row));
  return arrivals.flatMap(({ scene, person, link }): Finding[] => {
    const begun = conversations.find(
      ({ profile_id, participant }) => profile_id === scene.profileId && participant.id === person,
    );
    // Who is not there at all is missed with what they wrote.
    if (begun === undefined || begun.referral?.ref === link || !world.taken.some((body) => body.includes(link)))
      return [];
    return [{ what: "lost", message: `nobody is told that ${person} came to ${scene.network} by ${link}` }];
  });
}

/** No answer began to be sent after its time was over. */
async function judgeLate({ storage }: InboxWorld, rows: readonly Row[]): Promise<Finding[]> {
  const intents = await storage.find("intents", { where: {}, isCounted: false });
  const answers = rows.map((row) => fromRow<MessageRow>(row));
  const ends = new Map(answers.map(({ id, private: { reply } }) => [id, reply?.send_until]));
  return intents.rows.flatMap((row): Finding[] => {
    const { subject_id, private: record } = fromRow<IntentRow>(row);
    const lateMs = record.opened_at - (ends.get(subject_id) ?? record.opened_at);
    return lateMs > 0 ? [{ what: "untrue", message: `${subject_id} began to be sent ${lateMs} ms too late` }] : [];
  });
}

/** The words of what is shown as deleted stand nowhere. */
async function judgeRemoved({ storage }: InboxWorld, { letters }: Script, rows: readonly Row[]): Promise<Finding[]> {
  const collections = ["conversations", "messages", "pending_updates", "hook_events"] as const;
  const all = await Promise.all(collections.map((name) => storage.find(name, { where: {}, isCounted: false })));
  const words = all.flatMap((found) => found.rows.map((row) => JSON.stringify(row))).join("\n");
  return letters.flatMap(({ id, scene, marks }): Finding[] => {
    const row = live(rows, scene).find((each) => each.external_id === id);
    if (row === undefined || row.deleted_at === null || !marks.some((mark) => words.includes(mark))) return [];
    return [{ what: "untrue", message: `the words of ${id} on ${scene.network} are kept, and it is deleted` }];
  });
}
