import type { CreatePost, Post } from "../../src/posts/schema.ts";
import type { Faults } from "../../src/sandbox/faults.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { createProcess, type ProcessOptions, type SimulatedProcess } from "./process.ts";

/** One network in the crash tests: how an account comes about, and what the world sees of it. */
export interface CrashNetwork {
  name: string;
  /** Makes an account and returns the credentials that connect it. */
  connect(sandbox: Sandbox): { network: "bluesky" | "mastodon" | "discord"; credentials: Record<string, string> };
  posts(sandbox: Sandbox): SandboxPost[];
  faults(sandbox: Sandbox): Faults;
  /** What is posted can be read only this much later. */
  lagReads(sandbox: Sandbox, seconds: number): void;
  threads: boolean;
  /** False: after a lost answer nobody can tell whether the post is there. */
  canBeAsked: boolean;
}

export interface World {
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
  profileId: string;
  picture: string;
}

/** A store, a simulated network and one connected profile. */
async function createWorld(network: CrashNetwork): Promise<World> {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const { social } = createProcess({ storage, sandbox, clock });
  const profile = await clock.run(() => social.profiles.connect(network.connect(sandbox)));
  const picture = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  return { clock, sandbox, storage, profileId: profile.id, picture };
}

export type PostKind = "text" | "media" | "thread";

function bodyFor(kind: PostKind, world: World): CreatePost {
  const base = { profile_ids: [world.profileId], idempotency_key: "the-one-and-only" };
  if (kind === "text") return { ...base, text: "Only once, whatever happens." };
  if (kind === "media") return { ...base, text: "With a picture.", media: [{ url: world.picture, alt: "A square." }] };
  return { ...base, thread: ["The first part.", "The second part.", "The third part."] };
}

/** What the network must show afterwards, in order. */
export function textsFor(kind: PostKind): string[] {
  if (kind === "text") return ["Only once, whatever happens."];
  if (kind === "media") return ["With a picture."];
  return ["The first part.", "The second part.", "The third part."];
}

export interface CrashRun {
  world: World;
  process: SimulatedProcess;
  /** The post as it is in the end; null when it was never stored. */
  post: Post | null;
}

/** Longer than any wait of the engine, milliseconds. */
const longEnoughMs = 3 * 3_600_000;
const sweepMs = 30_000;

/**
 * Publishes in a process that dies at one moment, lets other processes recover
 * whatever is left, and returns how it ended.
 *
 * @param options `beside`: a second worker that sweeps from the beginning, its clock off by `skewMs`
 */
export async function crashRun(
  network: CrashNetwork,
  kind: PostKind,
  options: {
    dieAt?: number;
    mortalReads?: boolean;
    beside?: { skewMs: number };
    prepare?: (world: World) => void;
    /** What all processes but the second worker have in common. */
    machine?: Machine;
  },
): Promise<CrashRun> {
  const world = await createWorld(network);
  options.prepare?.(world);
  const { dieAt, mortalReads = false, beside, machine = {} } = options;
  const process = createProcess({ ...world, ...machine, mortalReads, ...(dieAt === undefined ? {} : { dieAt }) });
  await world.clock.run(async () => {
    const stopBeside = beside === undefined ? undefined : sweepBeside(world, beside.skewMs);
    const create = process.social.posts.create(bodyFor(kind, world)).catch(() => undefined);
    await Promise.race([create, process.died]);
    await recover(world, machine);
    stopBeside?.();
  });
  const found = await world.storage.find("posts", { where: {}, limit: 1 });
  const id = found.rows[0]?.id;
  const { social } = createProcess(world);
  return { world, process, post: id === undefined ? null : await social.posts.get(id) };
}

type Machine = Pick<ProcessOptions, "skewMs" | "storeOnMachine">;

/** A new process that sweeps until nothing is open, or for long enough. */
async function recover(world: World, machine: Machine = {}): Promise<void> {
  const { social } = createProcess({ ...world, ...machine });
  const until = world.clock.monotonic() + longEnoughMs;
  while (world.clock.monotonic() < until) {
    await social.runDue();
    const open = await world.storage.find("targets", {
      where: { status: { in: ["pending", "publishing"] } },
      limit: 1,
    });
    if (open.total === 0) return;
    await world.clock.sleep(sweepMs);
  }
}

/** A second worker, from the beginning to the end. */
function sweepBeside(world: World, skewMs: number): () => void {
  const beside = createProcess({ ...world, skewMs });
  void (async () => {
    while (!beside.isDead()) {
      await beside.social.runDue();
      await world.clock.sleep(1_000);
    }
  })();
  return () => beside.kill();
}
