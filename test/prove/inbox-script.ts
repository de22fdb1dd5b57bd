import type { AccountModules } from "../../src/service.ts";
import { SocialError } from "../../src/wire/errors.ts";
import type { ConnectedMailbox, InboxWorld } from "./inbox-world.ts";
import type { Random } from "./random.ts";
import { StoreFailure } from "./simulate-store.ts";

/** What somebody has written to an account. */
export interface Letter {
  /** The network's id. */
  id: string;
  mailbox: ConnectedMailbox;
  /** Words that nobody else says, of each version. */
  marks: string[];
  isRemoved: boolean;
}

/** Somebody new, who came by a link. */
export interface Arrival {
  mailbox: ConnectedMailbox;
  person: string;
  link: string;
}

/** An answer that was given here, under a key of its own. */
export interface Answer {
  mailbox: ConnectedMailbox;
  conversationId: string;
  mark: string;
  key: string;
  /** What requests for it were answered with, in order. `unheard`: nobody heard the answer. */
  outcomes: ("sent" | "not sent" | "nobody knows" | "unheard")[];
  /** Ids of the messages that they were answered with. */
  ids: Set<string>;
  /** What the last refusal said. */
  reason: string;
}

/** What people do in one day. */
export interface Script {
  letters: readonly Letter[];
  answers: readonly Answer[];
  arrivals: readonly Arrival[];
  /** One thing that somebody does; resolves when it is answered, or never will be. */
  act(): Promise<void>;
  /** The answer is asked for again, under its key. */
  repeat(answer: Answer): Promise<void>;
}

/** Every so many letters somebody new writes one. */
const arrivalsAmong = 4;

export function createScript(world: InboxWorld, random: Random): Script {
  const letters: Letter[] = [];
  const answers: Answer[] = [];
  const arrivals: Arrival[] = [];
  let marks = 0;

  /** No mark begins another one. */
  function newMark(kind: "w" | "a"): string {
    marks += 1;
    return `q${kind}${marks}z`;
  }

  const modulesOf = ({ accountId }: ConnectedMailbox): AccountModules => world.anyone().social.forAccount(accountId);

  function someLetter(): Letter | null {
    const open = letters.filter(({ isRemoved }) => !isRemoved);
    return open.length === 0 ? null : random.of(open.slice(-20));
  }

  function write(mailbox = random.of(world.connected)): void {
    const mark = newMark("w");
    const text = `hello ${mark} dört 🦊`;
    const way = random.of(mailbox.ways);
    const arrived = marks % arrivalsAmong === 0 ? mailbox.arrive?.(`link-${mark}`, text) : undefined;
    if (arrived !== undefined) arrivals.push({ mailbox, person: arrived.person, link: `link-${mark}` });
    letters.push({ id: arrived?.id ?? way(text), mailbox, marks: [mark], isRemoved: false });
  }

  /** Longer than a page of any list: at once, or over an hour in which one network may be silent. */
  async function burst(): Promise<void> {
    const pauseMs = random.of([0, 30_000]);
    const only = random.next() < 0.5 ? random.of(world.connected) : undefined;
    if (only !== undefined && pauseMs > 0) world.silent.add(only.network);
    for (let left = random.of([5, 45, 120]); left > 0; left--) {
      write(only);
      await world.clock.sleep(pauseMs);
    }
    if (only !== undefined) world.silent.delete(only.network);
  }

  function follow(): void {
    const sent = answers.filter(({ ids, mailbox }) => ids.size > 0 && mailbox.follow !== null);
    if (sent.length === 0) return;
    const { mailbox, mark: answered } = random.of(sent);
    const id = idOf(mailbox, answered);
    if (id === null) return;
    const mark = newMark("w");
    letters.push({ id: mailbox.follow?.(id, `further ${mark} words`) ?? "", mailbox, marks: [mark], isRemoved: false });
  }

  /** The network's id of an answer, read from the network. */
  function idOf({ network }: ConnectedMailbox, mark: string): string | null {
    const { bluesky, mastodon, twitch } = world.sandbox;
    const onBluesky = [...bluesky.posts(), ...bluesky.chat.messages()];
    const all = { bluesky: onBluesky, mastodon: mastodon.posts(), twitch: twitch.lines(), facebook: [] };
    const found = (all[network] as readonly { id: string; text: string }[]).find(({ text }) => text.includes(mark));
    return found?.id ?? null;
  }

  /** Right after it was written, so that one may be told of before the other. */
  async function writeAndChange(): Promise<void> {
    write();
    await world.clock.sleep(random.of([1, 10, 60]) * 1_000);
    random.of([edit, remove])(letters.at(-1) ?? null);
  }

  function edit(letter = someLetter()): void {
    if (letter === null || letter.isRemoved || letter.mailbox.edit === null) return;
    const mark = newMark("w");
    if (letter.mailbox.edit(letter.id, `hello ${mark} instead`)) letter.marks.push(mark);
  }

  function remove(letter = someLetter()): void {
    if (letter === null || letter.isRemoved) return;
    const before = letter.mailbox.texts().length;
    letter.mailbox.remove(letter.id);
    letter.isRemoved = letter.mailbox.texts().length < before;
  }

  async function someConversation(mailbox: ConnectedMailbox): Promise<string | null> {
    const where = { profile_id: mailbox.profileId };
    const { rows } = await world.storage.find("conversations", { where, isCounted: false });
    const answerable = rows.filter(({ kind }) => mailbox.network !== "facebook" || kind !== "mention");
    return answerable.length === 0 ? null : random.of(answerable).id;
  }

  async function reply(): Promise<void> {
    const mailbox = random.of(world.connected);
    const conversationId = await someConversation(mailbox);
    if (conversationId === null) return;
    const mark = newMark("a");
    const answer: Answer = {
      mailbox,
      conversationId,
      mark,
      key: `key-of-${mark}`,
      outcomes: [],
      ids: new Set(),
      reason: "",
    };
    answers.push(answer);
    const tries = [repeat(answer), ...(random.next() < 0.3 ? [repeat(answer)] : [])];
    await Promise.all(tries);
    if (random.next() < 0.3) {
      await world.clock.sleep(random.of([1, 30, 600]) * 1_000);
      await repeat(answer);
    }
  }

  async function repeat(answer: Answer): Promise<void> {
    const { mailbox, conversationId, mark, key, outcomes, ids } = answer;
    const process = world.anyone();
    const { conversations } = process.social.forAccount(mailbox.accountId).inbox;
    const asked = conversations.reply(conversationId, { text: `we say ${mark} to that`, idempotency_key: key });
    const outcome = await Promise.race([
      asked.then(
        ({ id }) => ({ id }),
        (error: unknown) => ({ error }),
      ),
      process.died,
    ]);
    if (outcome === undefined) outcomes.push("unheard");
    else if ("id" in outcome) {
      outcomes.push("sent");
      ids.add(outcome.id);
    } else {
      outcomes.push(outcomeOf(outcome.error));
      answer.reason = outcome.error instanceof Error ? outcome.error.message : "";
    }
  }

  function outcomeOf(error: unknown): Answer["outcomes"][number] {
    if (SocialError.is(error) && error.code === "conflict" && error.details[0]?.code === "timeout")
      return "nobody knows";
    if (!SocialError.is(error) || error.code !== "publish_failed") {
      if (!isExpected(error)) world.findings.push({ what: "untrue", message: `an answer failed: ${error}` });
      return "unheard";
    }
    return error.details[0]?.code === "timeout" ? "nobody knows" : "not sent";
  }

  async function markRead(): Promise<void> {
    const mailbox = random.of(world.connected);
    const id = await someConversation(mailbox);
    if (id !== null) await modulesOf(mailbox).inbox.conversations.markRead(id);
  }

  /** Somebody has a conversation open while people write. */
  async function watch(): Promise<void> {
    const mailbox = random.of(world.connected);
    for (let left = 40; left > 0; left--) {
      if (left % 4 === 0) write(mailbox);
      const id = await someConversation(mailbox);
      if (id !== null) await modulesOf(mailbox).inbox.conversations.markRead(id);
      await world.clock.sleep(random.between(1, 3_000));
    }
  }

  async function close(): Promise<void> {
    const mailbox = random.of(world.connected);
    const id = await someConversation(mailbox);
    if (id !== null) await modulesOf(mailbox).inbox.conversations.update(id, { status: random.of(["open", "closed"]) });
  }

  /** More of what matters most. */
  const actions: readonly (() => void | Promise<void>)[] = [
    ...Array.from({ length: 8 }, () => () => write()),
    ...Array.from({ length: 5 }, () => reply),
    ...[follow, follow, () => edit(), () => edit(), () => remove(), () => remove()],
    ...[writeAndChange, writeAndChange, writeAndChange, writeAndChange, burst, burst, markRead, watch, watch, close],
  ];

  return {
    letters,
    answers,
    arrivals,
    repeat,
    async act() {
      try {
        await random.of(actions)();
      } catch (error) {
        if (!isExpected(error)) world.findings.push({ what: "untrue", message: `somebody could not go on: ${error}` });
      }
    },
  };
}

function isExpected(error: unknown): boolean {
  return error instanceof StoreFailure || (SocialError.is(error) && error.code === "conflict");
}
