/** One of several processes that need the same connections at the same moment. It prints `ready` when it runs. */
import { inspect } from "node:util";
import { systemClock } from "../../src/ports/clock.ts";
import { remoteSandbox } from "../../src/sandbox/serve.ts";
import { createSocialService } from "../../src/service.ts";
import { openArenaStore } from "../prove/arena-store.ts";
import type { StorePlace } from "../prove/arena-world.ts";
import { silentLogger } from "../support/logger.ts";
import { rotating } from "../support/rotating/adapter.ts";
import { testKey } from "../support/service.ts";

/** The URLs of the rows and the simulated network. */
export interface RenewerWorld {
  store: StorePlace;
  sandboxUrl: string;
}

/** The work on a profile that needs the connection. */
export interface RenewerOrder {
  profileId: string;
  what: "check" | "post";
}

/** The error of an order; null: it was done. */
export interface RenewerAnswer {
  error: string | null;
}

const { store, sandboxUrl } = JSON.parse(process.env.POSTRIDER_RENEWER ?? "") as RenewerWorld;
const http = remoteSandbox(sandboxUrl, fetch);
const social = createSocialService({
  storage: openArenaStore({ store, time: { fastFrom: 0, speed: 1 } }, systemClock),
  networks: [rotating()],
  encryptionKey: testKey,
  http,
  untrustedHttp: http,
  logger: silentLogger,
});

async function obey({ profileId, what }: RenewerOrder): Promise<void> {
  if (what === "check") {
    await social.profiles.check(profileId);
    return;
  }
  const post = await social.posts.create({ profile_ids: [profileId], text: "All at once." });
  if (post.status !== "published") throw new Error(`The post is ${post.status}: ${inspect(post.targets[0]?.error)}`);
}

function answer(error: string | null): void {
  process.send?.({ error } satisfies RenewerAnswer);
}

process.on("message", (order: RenewerOrder) => {
  obey(order).then(
    () => answer(null),
    (error: unknown) => answer(inspect(error)),
  );
});
// The parent process has ended.
process.on("disconnect", () => process.exit());
await social.start();
process.send?.("ready");
