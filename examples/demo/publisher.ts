/**
 * One process of the second act: publishes a post and waits for its outcome.
 * The demo starts it, kills it, and starts it again: the same program both
 * times, and it is told the same.
 */
import type { CreatePost, Post } from "postrider";
import { type DemoTime, demoClock, elapsed } from "./clock.ts";
import { step, timed } from "./screen.ts";
import { openService, type World } from "./service.ts";

/** What the demo tells this process, in the environment variable `POSTRIDER_DEMO`. */
export interface Errand {
  world: World;
  time: DemoTime;
  /** From when what happens is timed, by that time; null: it is not. */
  since: number | null;
  body: CreatePost;
}

const { world, time, since, body } = JSON.parse(process.env.POSTRIDER_DEMO ?? "") as Errand;
const clock = demoClock(time);
const social = openService(world, clock);

// From here on this process works off what is due, whoever left it behind.
await social.start();
const { post, replayed } = await social.posts.createOrReplay(body);
if (replayed) tell("", "(this idempotency key is known: no new post is made)");
await untilSettled(post);
await social.stop();

async function untilSettled(created: Post): Promise<void> {
  const told = new Set<string>();
  for (let current = created; current.status === "publishing"; current = await social.posts.get(created.id)) {
    for (const { network, error } of current.targets) {
      if (error === null || told.has(error.message)) continue;
      told.add(error.message);
      tell(network, `(${error.message})`);
    }
    await clock.sleep(1_000);
  }
}

function tell(network: string, message: string): void {
  step(timed(elapsed(since, clock), network), message);
}
