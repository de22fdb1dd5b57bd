import type { Profile } from "../../src/profiles/schema.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { CreatedEndpoint } from "../../src/webhooks/schema.ts";
import { png } from "../media/samples.ts";
import type { Connection, ServerWays } from "../networks/scene.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { type Settlement, watchSettlements } from "../support/settlement-watch.ts";
import type { Finding } from "../support/verdict.ts";
import { type Random, seededIds, seededRandom } from "./random.ts";
import { createLine } from "./simulate-line.ts";
import { createMachine, type Machine, type WallClock } from "./simulate-machine.ts";
import { type ProfileKind, profileKinds } from "./simulate-networks.ts";
import { exposedStore } from "./simulate-store.ts";
import { watchStore } from "./simulate-watch.ts";
import { calm, exposeSandbox, type Weather } from "./simulate-weather.ts";

/** Everything that one seed is about. */
export interface SimulatedWorld {
  clock: ManualClock;
  sandbox: Sandbox;
  /** As it is: without faults, and watched. */
  storage: Storage;
  /** What goes wrong is drawn from here. */
  random: Random;
  weather: Weather;
  isStoreDown: boolean;
  /** What must not be, as it was seen. */
  findings: Finding[];
  settlements: readonly Settlement[];
  profileNews: readonly string[];
  accounts: SimulatedAccount[];
  picture: string;
  /** What owners have posted past the library, by the networks' ids. */
  byHand: Map<string, PostedByHand>;
  /** Sets a machine's wall clock off. There is one for all, the store's included; or one for each, and the store's is right. */
  setOff(slot: number, offMs: number): void;
  /** How often the store's clock was set. */
  storeJumps: number;
  howToFreeze(): "stopped" | "suspended";
  /** Starts a process at one of the three places for one. */
  spawn(slot: number, dieAt?: number): LivingProcess;
  /** Aborted with the next change in the store. */
  nextChange(): AbortSignal;
}

export interface LivingProcess extends SimulatedProcess {
  machine: Machine;
}

/** One account of the host's, and what belongs to it. */
export interface SimulatedAccount {
  id: string;
  profiles: SimulatedProfile[];
  /** Subscribed to everything, always. */
  endpoint: CreatedEndpoint;
  /** Disabled and resumed. */
  other: CreatedEndpoint;
}

export interface SimulatedProfile {
  id: string;
  externalId: string;
  kind: ProfileKind;
  body: Connection;
  /** Its server's own. */
  ways: ServerWays | null;
}

export interface PostedByHand {
  profileId: string;
  /** The text that it resembles; null: none. */
  similarTo: string | null;
}

/** What goes out now waits no longer than this for its outcome, milliseconds. */
const publishWaitMs = 25_000;

/** A store, simulated networks, and one or two accounts with one to four profiles each. Nothing goes wrong yet. */
export async function createSimulatedWorld(seed: number): Promise<SimulatedWorld> {
  const make = seededRandom(seed * 4 + 1);
  const ids = seededIds(seededRandom(seed * 4 + 2));
  const random = seededRandom(seed * 4 + 3);
  const clock = manualClock();
  const sandbox = createSandbox({ clock, seed });
  const isOneMachine = make.next() < 0.3;
  const walls = [0, 1, 2].map(() => ({ offMs: 0 }));
  const wallOf = (slot: number): WallClock => walls[isOneMachine ? 0 : slot] as WallClock;
  let change = new AbortController();
  const onChange = (): void => {
    change.abort();
    change = new AbortController();
  };
  const memory = memoryStorage({
    clock: isOneMachine ? { ...clock, now: () => clock.now() + wallOf(0).offMs } : clock,
  });
  const watched = watchStore(memory, onChange);
  const { storage, settlements } = watchSettlements(watched.storage);
  const world: SimulatedWorld = {
    clock,
    sandbox,
    storage,
    random,
    weather: calm,
    isStoreDown: false,
    findings: watched.findings,
    settlements,
    profileNews: watched.profileNews,
    accounts: [],
    picture: sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" }),
    byHand: new Map(),
    storeJumps: 0,
    setOff(slot, offMs) {
      wallOf(slot).offMs = offMs;
      if (isOneMachine) world.storeJumps += 1;
    },
    // A machine that sleeps takes its store with it.
    howToFreeze: () => (isOneMachine ? "stopped" : random.of(["stopped", "suspended"])),
    nextChange: () => change.signal,
    spawn(slot, dieAt) {
      const machine = createMachine(clock, wallOf(slot));
      const store = exposedStore(world, machine, () => process.kill());
      const process: SimulatedProcess = createProcess({
        storage: store,
        sandbox: line(machine, () => process),
        clock: machine.clock,
        dieAt,
        service: { ids, publishWaitMs },
      });
      return { ...process, machine };
    },
  };
  const line = createLine(world);
  for (const kind of profileKinds) kind.prepare?.(sandbox);
  const { social } = world.spawn(0);
  await clock.run(async () => {
    for (const id of make.of([["acct_1"], ["acct_1", "acct_2"]]))
      world.accounts.push(await addAccount(world, social, id, make));
  });
  exposeSandbox(sandbox, random, () => world.weather);
  return world;
}

async function addAccount(
  { sandbox }: SimulatedWorld,
  social: SocialService,
  id: string,
  make: Random,
): Promise<SimulatedAccount> {
  const { webhooks, profiles } = social.forAccount(id);
  const endpoint = await webhooks.create({ url: sandbox.receivers.url(`${id}-all`) });
  const other = await webhooks.create({ url: sandbox.receivers.url(`${id}-sometimes`) });
  const connected: SimulatedProfile[] = [];
  for (let number = make.between(1, 4); number > 0; number--) {
    const kind = make.of(profileKinds);
    const name = `${id.replace("_", "")}n${number}`;
    const ways = kind.addServer?.(sandbox, name, make) ?? null;
    const body = kind.connect(sandbox, name);
    const profile: Profile = await profiles.connect(body);
    connected.push({ id: profile.id, externalId: profile.external_id, kind, body, ways });
  }
  return { id, profiles: connected, endpoint, other };
}
