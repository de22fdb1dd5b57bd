/**
 * One process of an arena: works off what is due, and makes the posts that it
 * is sent. It knows nothing of being killed.
 */
import { inspect } from "node:util";
import { demoClock } from "../../examples/demo/clock.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { openArenaService } from "./arena-service.ts";
import { openArenaStore } from "./arena-store.ts";
import type { ArenaWorld } from "./arena-world.ts";

/** What it is told: to make a post, or that somebody has set its machine's clock. */
export type PublisherOrder = { make: CreatePost } | { jumpMs: number };

/** What it says: that it works, or what became of a post that it was sent. */
export type PublisherMessage = { ready: true } | { made: string } | { failed: string; error: string };

function say(message: PublisherMessage): void {
  process.send?.(message);
}

const world = JSON.parse(process.env.POSTRIDER_ARENA ?? "") as ArenaWorld;
const right = demoClock([{ from: world.time.fastFrom, speed: world.time.speed }]);
let { offMs } = world;
const clock = { ...right, now: () => right.now() + offMs };
const social = openArenaService(world, { storage: openArenaStore(world, clock), clock });

function make(body: CreatePost): void {
  const key = body.idempotency_key ?? "";
  social.posts.create(body).then(
    () => say({ made: key }),
    (error: unknown) => say({ failed: key, error: inspect(error) }),
  );
}

process.on("message", (order: PublisherOrder) => {
  if ("make" in order) make(order.make);
  else offMs += order.jumpMs;
});
// Nobody is left to end it.
process.on("disconnect", () => process.exit());
await social.start();
say({ ready: true });
