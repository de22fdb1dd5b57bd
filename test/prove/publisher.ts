/**
 * One process of an arena: works off what is due, and makes the posts that it
 * is sent. It knows nothing of being killed.
 */
import { inspect } from "node:util";
import type { CreatePost } from "../../src/posts/schema.ts";
import { openArenaService } from "./arena-service.ts";
import type { ArenaWorld } from "./arena-world.ts";

/** What it says: that it works, or what became of a post that it was sent. */
export type PublisherMessage = { ready: true } | { made: string } | { failed: string; error: string };

function say(message: PublisherMessage): void {
  process.send?.(message);
}

const social = openArenaService(JSON.parse(process.env.POSTRIDER_ARENA ?? "") as ArenaWorld);
process.on("message", (body: CreatePost) => {
  const key = body.idempotency_key ?? "";
  social.posts.create(body).then(
    () => say({ made: key }),
    (error: unknown) => say({ failed: key, error: inspect(error) }),
  );
});
await social.start();
say({ ready: true });
