import { eventNames } from "../../src/ports/events.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { SocialError } from "../../src/wire/errors.ts";
import { allRows } from "../support/all-rows.ts";
import type { SimulatedProcess } from "../support/process.ts";
import { randomAt } from "./chance.ts";
import { bodyOf, calm, planScene, type SceneAct } from "./plan.ts";
import type { Recording } from "./recording.ts";
import { accountName, createSceneWorld, type SceneWorld } from "./world.ts";

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;
/** After the last act all goes wrong for this long still. */
const troubleMs = hourMs;
/** Longer than all waits of a delivery. */
const maxQuietMs = 96 * hourMs;

/** Plays a scene to its end. The same seed on any storage gives the same recording. */
export async function playScene(seed: number, open: (clock: ManualClock) => Promise<Storage>): Promise<Recording> {
  const plan = planScene(seed);
  const world = await createSceneWorld(plan, open);
  const { clock } = world;
  await clock.run(async () => {
    const stage = await createStage(world);
    world.shares = plan.shares;
    for (const act of plan.acts) {
      await clock.sleep(act.afterMs + 11);
      void stage.perform(act);
    }
    await clock.sleep(troubleMs);
    world.shares = calm;
    await stage.comeToRest();
  });
  await recordWhatIsLeft(world);
  return world.recording;
}

async function recordWhatIsLeft({ storage, recording }: SceneWorld): Promise<void> {
  for (const [collection, rows] of Object.entries(await allRows(storage))) {
    for (const row of rows) recording.add(`left in ${collection}`, row);
  }
}

interface Stage {
  /** Resolves when it is answered, or never. */
  perform(act: SceneAct): Promise<void>;
  /** Until nothing is left to do, or for too long. */
  comeToRest(): Promise<void>;
}

/** What the caller knows: who is connected, which posts were made. */
async function createStage(world: SceneWorld): Promise<Stage> {
  const { plan, clock, sandbox, storage, recording } = world;
  const { kinds } = plan;
  const { networks } = sandbox;
  let process = world.spawn();
  let isOver = false;
  const first = process.social;
  const endpoints = [
    await first.webhooks.create({ url: sandbox.receivers.url("first") }),
    await first.webhooks.create({ url: sandbox.receivers.url("second"), events: ["post.published", "post.failed"] }),
  ];
  const logins = kinds.map((kind) => kind.connect(sandbox, accountName));
  const profiles: string[] = [];
  for (const login of logins) profiles.push((await first.profiles.connect(login)).id);
  const posts: (string | undefined)[] = [];
  const listen = ({ social }: SimulatedProcess): void => {
    for (const name of eventNames) {
      social.on(name, (event) => recording.add("told", name, "post" in event ? event.post : event.profile));
    }
  };
  listen(process);

  /** One process at a time: another one takes the place of a dead one. */
  async function keepRunning(): Promise<void> {
    for (let deaths = 1; ; deaths++) {
      void work(process);
      await process.died;
      recording.add("told", "died");
      await clock.sleep(randomAt(plan.seed, "rest", deaths).of([1, 60, 600]) * secondMs);
      process = world.spawn();
      listen(process);
    }
  }

  async function work({ social, isDead }: SimulatedProcess): Promise<void> {
    if (plan.way === "started") return social.start();
    while (!isDead() && !isOver) {
      await social.runDue().catch((error) => recording.add("told", `runDue failed: ${error}`));
      await clock.sleep(10 * secondMs);
    }
  }

  async function say(act: SceneAct): Promise<unknown> {
    const { social } = process;
    const post = "post" in act ? (posts[act.post] ?? "post_none") : "";
    const profile = "kind" in act ? (profiles[act.kind] ?? "") : "";
    switch (act.do) {
      case "create": {
        const number = posts.push(undefined) - 1;
        const profileIds = act.kinds.map((kind) => profiles[kind] ?? "");
        const body = bodyOf(act.body, { profileIds, pictures: world.pictures, now: clock.now() });
        const made = await social.posts.create(body);
        posts[number] = made.id;
        return made;
      }
      case "update":
        return social.posts.update(post, act.change);
      case "cancel":
        return social.posts.cancel(post);
      case "retry":
        return social.posts.retry(post, { force: act.force });
      case "disconnect":
        return social.profiles.disconnect(profile);
      case "reconnect": {
        const login = logins[act.kind];
        return login === undefined ? undefined : social.profiles.connect(login);
      }
      case "switch_endpoint":
        return social.webhooks.update(endpoints[1]?.id ?? "", { status: act.status });
      case "limit_rate":
        return networks.find(({ network }) => network === logins[act.kind]?.network)?.rateLimit(act.seconds);
      case "expire_tokens":
        return sandbox.bluesky.expireTokens();
      case "lag_reads":
        for (const network of networks) network.lagReads(act.seconds);
        return;
      case "pass":
        return;
    }
  }

  void keepRunning();
  return {
    async perform(act) {
      recording.add("caller", act.do, { ...act, afterMs: undefined });
      try {
        recording.add("caller", act.do, "answered", (await say(act)) ?? null);
      } catch (error) {
        if (!SocialError.is(error)) throw error;
        recording.add("caller", act.do, "refused", error.code, error.message);
      }
    },
    async comeToRest() {
      const until = clock.monotonic() + maxQuietMs;
      while (process.isDead()) await clock.sleep(secondMs);
      await process.social.webhooks.update(endpoints[1]?.id ?? "", { status: "active" });
      while (clock.monotonic() < until && !(await isAtRest(storage))) await clock.sleep(60 * secondMs);
      isOver = true;
      await process.social.stop();
    },
  };
}

async function isAtRest(storage: Storage): Promise<boolean> {
  const status = { in: ["scheduled", "publishing"] };
  const posts = await storage.find("posts", { where: { status }, limit: 1 });
  const deliveries = await storage.find("deliveries", { where: { status: "pending" }, limit: 1 });
  return posts.total + deliveries.total === 0;
}
