import { createHash } from "node:crypto";
import { type Ids, idPrefixes } from "../../src/ports/ids.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { createCounts, randomAt } from "./chance.ts";
import { createLine } from "./line.ts";
import { calm, picturesInScene, type ScenePlan, type SceneShares } from "./plan.ts";
import { createRecording, type Recording } from "./recording.ts";
import { watchedStorage } from "./watched-storage.ts";

/** Where a scene plays: a store and simulated networks, all of it written down. */
export interface SceneWorld {
  plan: ScenePlan;
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
  recording: Recording;
  /** The addresses of files. */
  pictures: readonly string[];
  /** How often things go wrong now. In the beginning nothing does. */
  shares: SceneShares;
  /** Starts a process that may die. */
  spawn(): SimulatedProcess;
}

/** The account of every network. */
export const accountName = "alice";

/** What goes out now waits no longer than this for its outcome, milliseconds. */
const publishWaitMs = 25_000;

/** @param open gives an empty store */
export async function createSceneWorld(
  plan: ScenePlan,
  open: (clock: ManualClock) => Promise<Storage>,
): Promise<SceneWorld> {
  const clock = manualClock();
  const startedAt = clock.now();
  const sandbox = createSandbox({ clock, seed: plan.seed });
  const opened = await open(clock);
  const ids = scenicIds(plan.seed, startedAt);
  const world: SceneWorld = {
    plan,
    clock,
    sandbox,
    // A server's own time would be another one each time.
    storage: { ...opened, migrate: () => opened.migrate(), now: async () => clock.now() },
    recording: createRecording(() => clock.now() - startedAt),
    pictures: Array.from({ length: picturesInScene }, (_, number) =>
      sandbox.media.put(`picture-${number}.png`, png(8 + number, 8), { contentType: "image/png" }),
    ),
    shares: calm,
    spawn() {
      const kill = (): void => process.kill();
      const process: SimulatedProcess = createProcess({
        storage: store(kill),
        sandbox: { ...sandbox, http: line(kill) },
        clock,
        service: { ids, publishWaitMs },
      });
      return process;
    },
  };
  const store = watchedStorage(world);
  const line = createLine(world);
  // Of the look-alike: it heeds keys here, and was recorded so.
  sandbox.mastodon.addInstance({ host: "look-alike.sandbox.example" });
  for (const { addServer } of plan.kinds) addServer?.(sandbox, accountName, randomAt(plan.seed, "ways"));
  await world.storage.migrate();
  return world;
}

/** Ids that tell when they were made, so that one more changes no other; the random values behind them are as good as any. */
function scenicIds(seed: number, startedAt: number): Ids {
  const made = createCounts();
  return {
    create(kind, nowMs) {
      const id = `${idPrefixes[kind]}${String(nowMs - startedAt).padStart(10, "0")}`;
      return `${id}_${made(id)}`;
    },
    bytes(length) {
      // A single byte is what a wait varies by.
      if (length === 1) return new Uint8Array([127]);
      const hash = createHash("shake256", { outputLength: length });
      return new Uint8Array(hash.update(`${seed} ${made("bytes")}`).digest());
    },
  };
}
