import { setMaxListeners } from "node:events";
import type { Clock } from "../../src/ports/clock.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { Fault, Faults } from "../../src/sandbox/faults.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import type { SocialService } from "../../src/service.ts";
import { manualClock } from "../../src/testing/clock.ts";
import type { Scene } from "../networks/scene.ts";
import { scenes, withNeeds } from "../networks/scenes.ts";
import type { CrashNetwork } from "../support/crash.ts";
import { createTestService } from "../support/service.ts";

/** The outcome of one post. */
export interface Outcome {
  /** How its target ended: `published`, or the code of its error; `publishing`: it never did. */
  ends: string;
  /** The number of its requests, whether they left this machine or not. */
  sent: number;
  /** Requests that looked for it at the network. */
  looked: number;
  /** From the creation until the target settled. */
  seconds: number;
  /** The number of posts on the network in the end. */
  there: number;
}

/** The place where a post goes out: some incidents depend on it. */
export interface Setting {
  scene: Scene;
  sandbox: Sandbox;
  /** Milliseconds since 1970. */
  now: number;
}

export interface OutcomeOptions {
  post?: ((setting: Setting) => Partial<CreatePost>) | undefined;
  /** The incidents, once the profile is connected. */
  faults: (setting: Setting) => readonly Fault[];
}

export interface OutcomeRun {
  outcome: Outcome;
  post: Post;
  /** The profile in the end. */
  profile: Profile;
  /** The ids of the posts on the network, in order. */
  shown: string[];
  /** The operations requested, in order, from the creation on. */
  operations: string[];
}

/** The operation by which each network is asked whether a post is live. */
const lookOperations: ReadonlySet<string> = new Set(scenes.flatMap(({ operations }) => operations.look));

/** Longer than any wait of the engine, milliseconds. */
const longEnoughMs = 80 * 3_600_000;
/** The time after it has settled, for late or unwanted requests, milliseconds. */
const afterwardsMs = 600_000;

/** Publishes one post in a running service, on a network that fails as scripted, and waits until all is over. */
export async function outcomeOf(network: CrashNetwork, options: OutcomeOptions): Promise<OutcomeRun> {
  const clock = manualClock();
  const { social, sandbox } = createTestService({ clock, scheduler: exactAlarms(clock) });
  const { id: profileId } = await clock.run(() => social.profiles.connect(network.connect(sandbox)));
  const seen = watch(network.faults(sandbox));
  const setting = { scene: network.scene, sandbox, now: clock.now() };
  for (const fault of options.faults(setting)) network.faults(sandbox).add(fault);
  const { id } = await clock.run(async () => {
    await social.start();
    const settled = nextSettlement(social);
    const { networks, ...post } = options.post?.(setting) ?? {};
    const own = withNeeds([network.scene.network], sandbox, networks);
    const created = await social.posts.create({ profile_ids: [profileId], text: "Once.", ...post, networks: own });
    if (created.status === "publishing") await Promise.race([settled, clock.sleep(longEnoughMs)]);
    await clock.sleep(afterwardsMs);
    await social.stop();
    return created;
  });
  const post = await social.posts.get(id);
  const profile = await social.profiles.get(profileId);
  const shown = network.posts(sandbox).map((each) => each.id);
  const outcome = read(post, { seen, there: shown.length });
  return { outcome, post, profile, shown, operations: seen.map(({ operation }) => operation) };
}

function read(post: Post, { seen, there }: { seen: readonly Seen[]; there: number }): Outcome {
  const [target] = post.targets;
  return {
    ends: (target?.status === "failed" ? target.error?.code : target?.status) ?? "nothing",
    sent: seen.filter(({ isCommit }) => isCommit).length,
    looked: seen.filter(({ operation }) => lookOperations.has(operation)).length,
    seconds: (Date.parse(post.updated_at) - Date.parse(post.created_at)) / 1000,
    there,
  };
}

function nextSettlement(social: SocialService): Promise<void> {
  return new Promise((resolve) => {
    social.on("post.published", () => resolve());
    social.on("post.failed", () => resolve());
  });
}

interface Seen {
  operation: string;
  isCommit: boolean;
}

/** Every request to the network from now on. */
function watch(faults: Faults): Seen[] {
  const seen: Seen[] = [];
  const { next } = faults;
  faults.next = (operation, isCommit) => {
    seen.push({ operation, isCommit });
    return next(operation, isCommit);
  };
  return seen;
}

/** Rings every alarm at its exact time, so that only the engine's own waits are measured. */
function exactAlarms(clock: Clock): Scheduler {
  const stopped = new AbortController();
  setMaxListeners(0, stopped.signal); // Every alarm adds a listener, and the test runs for hours.
  let ring: ((key: string) => Promise<void>) | undefined;
  return {
    async start(handler) {
      ring = handler;
    },
    wake(at, key) {
      clock.sleep(at - clock.now(), stopped.signal).then(
        () => ring?.(key),
        () => undefined,
      );
    },
    async stop() {
      ring = undefined;
      stopped.abort();
    },
  };
}
