import { setTimeout as wait } from "node:timers/promises";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Arena } from "./arena.ts";
import type { PlannedPost } from "./arena-world.ts";
import { localTime } from "./daylight.ts";

const pollMs = 100;

/** Has all posts made, as the arena's pace is. */
export async function makePosts(arena: Arena, kills: () => number): Promise<void> {
  const { options, processes, plan } = arena;
  const { pace } = options;
  if (pace === "at once") return makeAtOnce(arena);
  const startedAt = performance.now();
  for (const [index, post] of plan.entries()) {
    if (pace === null) await forKills(arena, () => (index / plan.length) * options.kills > kills() + 1);
    else await wait(Math.max(0, startedAt + (index / pace) * 1_000 - performance.now()));
    await forRoom(arena);
    processes.make(bodyOf(arena, post));
  }
  while (processes.unmade() > 0) await wait(pollMs);
}

/** Posts are spread over the kills, so that there is always something to interrupt. */
async function forKills(arena: Arena, isAhead: () => boolean): Promise<void> {
  while (isAhead() && (await countOpen(arena)) > 0) await wait(pollMs);
}

/** So many targets are being published at once. */
const maxUnderWay = 60;

async function forRoom(arena: Arena): Promise<void> {
  while ((await countTargets(arena, ["publishing"])) + arena.processes.unmade() >= maxUnderWay) await wait(pollMs);
}

/** What is to go out later is written down as people there do. */
function bodyOf({ options, timetable, now }: Arena, { key, body, aheadMs }: PlannedPost): CreatePost {
  if (aheadMs === null || options.schedule === undefined) return body;
  const scheduled_at = localTime(now() + aheadMs, options.schedule.zone);
  timetable.schedule(key, Date.parse(scheduled_at));
  return { ...body, scheduled_at };
}

/** Far enough ahead to store them all, milliseconds of the arena's clock for each post. */
const leadMs = 60;

async function makeAtOnce({ plan, social, now }: Arena): Promise<void> {
  const scheduled_at = new Date(now() + 120_000 + plan.length * leadMs).toISOString();
  for (const { body } of plan) await social.posts.create({ ...body, scheduled_at });
}

/** Tells how things stand, until it is stopped. */
export function watch(arena: Arena, say: (open: number, made: number) => void): { stop(): void } {
  const done = new AbortController();
  const telling = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const { total } = await arena.storage.find("posts", { where: {}, limit: 1 });
      say(await countOpen(arena), total);
      await wait(1_000);
    }
  };
  // What it cannot read it does not tell.
  telling().catch(() => undefined);
  return { stop: () => done.abort() };
}

/** Nothing of the engine takes longer than this, seconds by the machine's clock. */
const maxWaitSeconds = 600;

/** Targets first, then what is to be told of them. */
export async function untilSettled(arena: Arena, say: (open: number) => void): Promise<void> {
  const until = performance.now() + maxWaitSeconds * 1_000;
  for (const count of [countOpen, countUndelivered]) {
    for (let open = await count(arena); open > 0 && performance.now() < until; open = await count(arena)) {
      arena.processes.check();
      say(open);
      await wait(pollMs);
    }
  }
}

function countOpen(arena: Arena): Promise<number> {
  return countTargets(arena, ["pending", "publishing"]);
}

async function countTargets({ storage }: Arena, statuses: readonly string[]): Promise<number> {
  return (await storage.find("targets", { where: { status: { in: [...statuses] } }, limit: 1 })).total;
}

async function countUndelivered({ storage }: Arena): Promise<number> {
  return (await storage.find("deliveries", { where: { status: "pending" }, limit: 1 })).total;
}
