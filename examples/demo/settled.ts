import type { Post } from "postrider";
import type { Stage } from "./stage.ts";

/** Five seconds each, on the demo's clock. */
const maxWaits = 120;

/** The post once it is settled: on a slow machine that may be later than `create` waits. */
export async function settled(begun: Post, { social, clock }: Pick<Stage, "social" | "clock">): Promise<Post> {
  let post = begun;
  for (let waits = 0; waits < maxWaits && post.status === "publishing"; waits++) {
    await clock.sleep(5_000);
    await social.runDue();
    post = await social.posts.get(begun.id);
  }
  return post;
}
