import type { Storage } from "../../src/storage/storage.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { createFollower } from "./inbox-follower.ts";
import { createScript } from "./inbox-script.ts";
import { type InboxVerdict, judgeInbox } from "./inbox-verdict.ts";
import { createInboxWorld, type InboxWorld, places } from "./inbox-world.ts";
import { type Random, seededRandom } from "./random.ts";
import { calm, randomWeather, type Weather } from "./simulate-weather.ts";

export interface InboxDay extends InboxVerdict {
  seed: number;
  /** Processes that died. */
  kills: number;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** In which an account's lists bring so much and no more. */
const spanMs = 6 * minuteMs;
/** While people write, and everything goes wrong. */
const dayMs = 3 * hourMs;
/** Longer than it takes to read everything again twice, and to ask a network again that was silent. */
const restMs = 4 * hourMs;
/** The same where a list is looked at once a day. */
const longRestMs = 24 * hourMs + restMs;

/** The real code for some virtual hours, everything around it at random; then until all has come to rest. */
export async function simulateInbox(seed: number, watch?: (storage: Storage) => Storage): Promise<InboxDay> {
  const world = await createInboxWorld(seed, watch);
  const random = seededRandom(seed * 4);
  const script = createScript(world, random);
  const followers = world.connected.map((scene) => createFollower(world, scene));
  const day = createDay(world, random);
  const calmMs = world.isPostOld ? longRestMs : restMs;
  world.weather = inboxWeather(random);
  await world.clock.run(async () => {
    day.begin();
    for (const _ of places) void day.keep();
    const startsAt = world.clock.monotonic();
    for (const moment of moments(random)) {
      await world.clock.sleep(Math.max(0, startsAt + moment - world.clock.monotonic()));
      const choice = random.next();
      if (choice < 0.15) day.upset();
      else if (choice < 0.3) void random.of(followers).follow();
      else void script.act();
    }
    await world.clock.sleep(Math.max(0, startsAt + dayMs - world.clock.monotonic()));
    day.calmDown();
    await world.clock.sleep(calmMs / 2);
    // Of those that certainly were not sent, some are given up.
    for (const answer of script.answers)
      if (answer.outcomes.at(-1) !== "not sent" || random.next() < 0.5) await script.repeat(answer);
    await world.clock.sleep(calmMs / 2);
    await day.stop();
    for (const follower of followers) await follower.follow();
  });
  return { seed, kills: day.kills(), ...(await judgeInbox(world, script, followers)) };
}

/** When something happens, milliseconds from the beginning: in a few hours, close together. */
function moments(random: Random): number[] {
  const starts = Array.from({ length: random.between(3, 6) }, () => random.between(0, dayMs - hourMs));
  const count = random.between(30, 80);
  const found = Array.from(
    { length: count },
    () => random.of(starts) + random.of([1, 10, 60]) * random.between(0, minuteMs),
  );
  return found.sort((some, other) => some - other);
}

/** A slow store lets others write between what is read and what is written. */
function inboxWeather(random: Random): Weather {
  return { ...randomWeather(random), slowStore: random.of([0, 0.03, 0.1]) };
}

/** How long what is sent is on its way, and whether all of it is on its way for as long. */
function late(random: Random): { lateSeconds: number; isShuffled: boolean } {
  return { lateSeconds: random.of([0, 5, 60, 300]), isShuffled: random.next() < 0.7 };
}

interface Day {
  /** Some days begin with networks that send late, in no order. */
  begin(): void;
  /** Lets a process live at one place until the day is over, and another one after its death. */
  keep(): Promise<void>;
  /** Something happens to the machines or the networks. */
  upset(): void;
  calmDown(): void;
  stop(): Promise<void>;
  kills(): number;
}

function createDay(world: InboxWorld, random: Random): Day {
  const { clock, sandbox } = world;
  const { facebook, twitch } = sandbox;
  let isOver = false;
  let kills = 0;

  async function live(process: SimulatedProcess): Promise<void> {
    const { social, died } = process;
    const isStarted = await Promise.race([
      social.start().then(
        () => true,
        () => false,
      ),
      died,
    ]);
    if (isStarted === true) await Promise.race([clock.sleep(random.between(10, 240) * minuteMs), died]);
    await Promise.race([social.stop().catch(() => undefined), died]);
  }

  const awhile = (undo: () => void): void => {
    void clock.sleep(random.of([10, 300, 3_600]) * secondMs).then(undo);
  };

  /** How often, how late and in which order what happens is sent. */
  const changeFacebook = (): void => facebook.changeHooks({ times: random.between(1, 3), ...late(random) });
  const changeTwitch = (): void => {
    twitch.changeHooks({ times: random.between(1, 3), ...late(random) });
    twitch.changeHooks({ repeatsUnderNewIds: random.next() < 0.5 });
  };

  const upsets: readonly (() => void)[] = [
    () => world.anyone().kill(),
    () => world.anyone().kill(),
    () => {
      world.isStoreDown = true;
      void clock.sleep(random.of([2, 30, 300]) * secondMs).then(() => {
        world.isStoreDown = false;
      });
    },
    () => {
      world.weather = inboxWeather(random);
      for (const network of [sandbox.bluesky, sandbox.mastodon]) network.lagReads(world.weather.lagSeconds);
      sandbox.bluesky.chat.lag(world.weather.lagSeconds);
    },
    () => random.of(sandbox.networks).rateLimit(random.of([5, 60, 600, 3_600])),
    () => {
      // Few requests in a window: those of the inbox must leave some to answers.
      const scarce = random.of([sandbox.bluesky, sandbox.mastodon]);
      scarce.limitRequests(random.of([20, 60, 200]));
      awhile(() => scarce.limitRequests(null));
    },
    () => {
      // As after a flood of what a server has made up: lists wait, and go on where they were.
      const account = random.of(world.connected).accountId;
      const span = Math.floor(clock.now() / spanMs);
      for (let ahead = 0; ahead < random.between(1, 6); ahead++) {
        const key = `lists/${account}/${span + ahead}`;
        const expiresAt = (span + ahead + 1) * spanMs;
        void world.storage.increment({ key, by: random.of([2, 6, 12]) * 1_000_000, now: clock.now(), expiresAt });
      }
    },
    () => {
      facebook.tellUsage(random.of([50, 81, 100]));
      awhile(() => facebook.tellUsage(null));
    },
    () => facebook.forgetCursors(),
    () => facebook.limitReads(random.of([5, 60, 600, 3_600])),
    changeFacebook,
    changeTwitch,
    () => {
      const silent = random.of([facebook, twitch]);
      silent.changeHooks({ isSilent: true });
      awhile(() => silent.changeHooks({ isSilent: false }));
    },
    () => {
      const forged = random.of([facebook, twitch]);
      forged.changeHooks({ isForged: true });
      awhile(() => forged.changeHooks({ isForged: false }));
    },
    () => facebook.unsubscribe(random.of(facebook.pages())),
    () => sandbox.bluesky.chat.turnLogBy(random.of([1, 3, 100]), random.next() < 0.5),
  ];

  return {
    begin() {
      if (random.next() < 0.5) changeFacebook();
      if (random.next() < 0.5) changeTwitch();
    },
    async keep() {
      while (!isOver) {
        const process = world.spawn();
        await live(process);
        if (process.isDead()) kills += 1;
        else process.kill();
        await clock.sleep(isOver ? 0 : random.of([1, 5, 60, 600]) * secondMs);
      }
    },
    upset: () => random.of(upsets)(),
    calmDown() {
      Object.assign(world, { weather: calm, isStoreDown: false });
      for (const network of sandbox.networks) network.lagReads(0);
      sandbox.bluesky.chat.lag(0);
      const ways = { times: 1, lateSeconds: 0, isShuffled: false, isSilent: false, isForged: false };
      for (const network of [sandbox.bluesky, sandbox.mastodon]) network.limitRequests(null);
      facebook.tellUsage(null);
      facebook.limitReads(0);
      world.silent.clear();
      facebook.changeHooks(ways);
      twitch.changeHooks(ways);
    },
    async stop() {
      isOver = true;
      world.spawn();
    },
    kills: () => kills,
  };
}
