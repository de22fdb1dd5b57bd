import type { ConversationRow } from "../../src/inbox/rows.ts";
import type { AccountModules } from "../../src/service.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { SocialError } from "../../src/wire/errors.ts";
import { type Written, waysToWrite } from "./inbox-people.ts";
import type { ConnectedScene, InboxWorld } from "./inbox-world.ts";
import type { Random } from "./random.ts";
import { StoreFailure } from "./simulate-store.ts";

/** What somebody has written to an account. */
export interface Letter extends Written {
  scene: ConnectedScene;
  /** Words that nobody else says, of each version. */
  marks: string[];
  isRemoved: boolean;
}

/** Somebody new, who came by a link. */
export interface Arrival {
  scene: ConnectedScene;
  /** The person's id. */
  person: string;
  link: string;
}

/** An answer that was given here, under a key of its own. */
export interface Answer {
  scene: ConnectedScene;
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

/** Every so many letters a new person writes one. */
const arrivalsAmong = 4;
/** After so many letters to an account, its lists are filled with events that are not for its inbox. */
const disturbedAfter = 15;

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

  const modulesOf = ({ accountId }: ConnectedScene): AccountModules => world.anyone().social.forAccount(accountId);

  function someLetter(): Letter | null {
    const open = letters.filter(({ isRemoved }) => !isRemoved);
    return open.length === 0 ? null : random.of(open.slice(-20));
  }

  function write(scene = random.of(world.connected)): void {
    const mark = newMark("w");
    const text = `hello ${mark} dört 🦊`;
    const way = random.of(waysToWrite(scene));
    const arrived = marks % arrivalsAmong === 0 ? arrive(scene, text, `link-${mark}`) : null;
    letters.push({ ...(arrived ?? way(text)), scene, marks: [mark], isRemoved: false });
    if (letters.filter((letter) => letter.scene === scene).length % disturbedAfter === 0) scene.disturb?.();
  }

  /** A new person comes by a link, and writes. Null: the network reports no links. */
  function arrive(scene: ConnectedScene, text: string, link: string): Written | null {
    const by = scene.person(`Cy${marks}`);
    if (by.follow === undefined || by.dm === undefined) return null;
    by.follow(link);
    arrivals.push({ scene, person: by.id, link });
    return { id: by.dm(text), by };
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

  /** Whoever was answered replies: an answer in private is shown to nobody else. */
  async function follow(): Promise<void> {
    const sent = answers.filter(({ ids, scene }) => ids.size > 0 && scene.person("Ann").reply !== undefined);
    if (sent.length === 0) return;
    const { scene, mark: answered, conversationId } = random.of(sent);
    const row = await world.storage.get("conversations", conversationId);
    const answeredId = row === null ? "" : fromRow<ConversationRow>(row).participant.id;
    const by = [scene.person("Ann"), scene.person("Bo")].find(({ id }) => id === answeredId);
    const above = scene.idOf((text) => text.includes(answered));
    if (above === null || by?.reply === undefined) return;
    const mark = newMark("w");
    letters.push({ id: by.reply(above, `further ${mark} words`), by, scene, marks: [mark], isRemoved: false });
  }

  /** Right after it was written, so that one may be told of before the other. */
  async function writeAndChange(): Promise<void> {
    write();
    await world.clock.sleep(random.of([1, 10, 60]) * 1_000);
    random.of([edit, remove])(letters.at(-1) ?? null);
  }

  function edit(letter = someLetter()): void {
    if (letter === null || letter.isRemoved || letter.by?.edit === undefined) return;
    const mark = newMark("w");
    if (letter.by.edit(letter.id, `hello ${mark} instead`)) letter.marks.push(mark);
  }

  function remove(letter = someLetter()): void {
    if (letter === null || letter.isRemoved) return;
    const { id, by, scene } = letter;
    letter.isRemoved = by?.unsend?.(id) === true || scene.owner.remove?.(id) === true;
  }

  async function someConversation(scene: ConnectedScene): Promise<string | null> {
    const where = { profile_id: scene.profileId };
    const { rows } = await world.storage.find("conversations", { where, isCounted: false });
    const answerable = rows.filter(({ kind }) => scene.network !== "facebook" || kind !== "mention");
    return answerable.length === 0 ? null : random.of(answerable).id;
  }

  async function reply(): Promise<void> {
    const scene = random.of(world.connected);
    const conversationId = await someConversation(scene);
    if (conversationId === null) return;
    const mark = newMark("a");
    const answer: Answer = {
      scene,
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
    const { scene, conversationId, mark, key, outcomes, ids } = answer;
    const process = world.anyone();
    const { conversations } = process.social.forAccount(scene.accountId).inbox;
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
    const scene = random.of(world.connected);
    const id = await someConversation(scene);
    if (id !== null) await modulesOf(scene).inbox.conversations.markRead(id);
  }

  /** Somebody has a conversation open while people write. */
  async function watch(): Promise<void> {
    const scene = random.of(world.connected);
    for (let left = 40; left > 0; left--) {
      if (left % 4 === 0) write(scene);
      const id = await someConversation(scene);
      if (id !== null) await modulesOf(scene).inbox.conversations.markRead(id);
      await world.clock.sleep(random.between(1, 3_000));
    }
  }

  async function close(): Promise<void> {
    const scene = random.of(world.connected);
    const id = await someConversation(scene);
    if (id !== null) await modulesOf(scene).inbox.conversations.update(id, { status: random.of(["open", "closed"]) });
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
