/**
 * One process of the second act: publishes a post and waits for its outcome.
 * The demo starts it, kills it, and starts it again. It is the same program
 * both times, and it is told the same.
 */
import type { CreatePost, Post, SocialService } from "postrider";
import { demoClock, type DemoTime } from "./clock.ts";
import { step } from "./screen.ts";
import { openService, type World } from "./service.ts";

/** What the demo hands to this process, in the environment variable `POSTRIDER_DEMO`. */
export interface Errand {
  world: World;
  time: DemoTime;
  body: CreatePost;
}

const { world, time, body } = JSON.parse(process.env.POSTRIDER_DEMO ?? "null") as Errand;
const clock = demoClock(time);
const social = openService(world, clock);

// From here on this process works off what is due, whoever left it behind.
await social.start();
const { post, replayed } = await social.posts.createOrReplay(body);
if (replayed) step("", `process ${process.pid}: this idempotency key is known, so there is no second post`);
await untilSettled(social, post);
await social.stop();

async function untilSettled(service: SocialService, created: Post): Promise<void> {
  const told = new Set<string>();
  for (let current = created; current.status === "publishing"; current = await service.posts.get(created.id)) {
    for (const { network, error } of current.targets) {
      if (error !== null && !told.has(network + error.message)) step(network, `(${error.message})`);
      told.add(network + error?.message);
    }
    await clock.sleep(1_000);
  }
}
