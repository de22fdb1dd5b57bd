import { createHandler } from "../../src/http/index.ts";
import type { NetworkId } from "../../src/networks/contract/network-id.ts";
import type { Fault } from "../../src/sandbox/faults.ts";
import type { InboxScene } from "../../src/sandbox/inbox-scene.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { testBaseUrl } from "../support/service.ts";
import type { Finding } from "../support/verdict.ts";
import { inboxAdapters, inboxScenes } from "./inbox-people.ts";
import { watchInboxes } from "./inbox-watch.ts";
import { type Random, seededIds, seededRandom } from "./random.ts";
import { createMachine } from "./simulate-machine.ts";
import { exposedStore } from "./simulate-store.ts";
import { calm, exposeSandbox, type Weather } from "./simulate-weather.ts";

/** Everything that one seed is about. */
export interface InboxWorld {
  clock: ManualClock;
  sandbox: Sandbox;
  /** As it is: without faults, and watched. */
  storage: Storage;
  random: Random;
  weather: Weather;
  isStoreDown: boolean;
  /** True: people comment on a post whose comments are listed once a day. */
  isPostOld: boolean;
  /** Networks that answer nothing. */
  silent: Set<NetworkId>;
  findings: Finding[];
  connected: ConnectedScene[];
  /** The bodies of what networks have sent and the service has taken with 200. */
  taken: string[];
  howToFreeze(): "stopped" | "suspended";
  spawn(): SimulatedProcess;
  /** One that lives. */
  anyone(): SimulatedProcess;
}

/** An account that is connected. */
export interface ConnectedScene extends InboxScene {
  accountId: string;
  profileId: string;
}

/** How many processes there are at a time. */
export const places = [0, 1, 2] as const;

/** Answers wait no longer than this for their outcome, milliseconds. */
const publishWaitMs = 25_000;

/** A store, simulated networks with an account on each for one or two accounts of the host's, and three processes. Nothing goes wrong yet. */
export async function createInboxWorld(
  seed: number,
  watch: (storage: Storage) => Storage = (storage) => storage,
): Promise<InboxWorld> {
  const make = seededRandom(seed * 4 + 1);
  const ids = seededIds(seededRandom(seed * 4 + 2));
  const random = seededRandom(seed * 4 + 3);
  const clock = manualClock();
  const sandbox = createSandbox({ clock, seed });
  const findings: Finding[] = [];
  const living: SimulatedProcess[] = [];
  const world: InboxWorld = {
    clock,
    sandbox,
    random,
    findings,
    weather: calm,
    isStoreDown: false,
    isPostOld: seed % 8 === 4,
    connected: [],
    taken: [],
    silent: new Set(),
    storage: watchInboxes(watch(memoryStorage({ clock })), clock, findings),
    howToFreeze: () => random.of(["stopped", "suspended"]),
    spawn() {
      const machine = createMachine(clock, { offMs: 0 });
      const process: SimulatedProcess = createProcess({
        storage: exposedStore(world, machine, () => process.kill()),
        sandbox,
        clock: machine.clock,
        service: { ids, publishWaitMs, networks: inboxAdapters(), baseUrl: testBaseUrl },
      });
      living.push(process);
      return process;
    },
    anyone() {
      const alive = living.filter((process) => !process.isDead());
      return alive.length === 0 ? world.spawn() : random.of(alive);
    },
  };
  listen(world);
  const { social } = world.spawn();
  await clock.run(async () => {
    await social.start();
    for (const accountId of make.of([["acct_1"], ["acct_1", "acct_2"]]))
      for (const open of inboxScenes) {
        const scene = open(sandbox, { name: `${accountId.replace("_", "")}fox`, isPostOld: world.isPostOld });
        const { network, credentials } = scene;
        // Such a day has another one after it: only for the network that lists some comments once a day.
        if (world.isPostOld && network !== "facebook") continue;
        const profile = await social.forAccount(accountId).profiles.connect({ network, credentials });
        world.connected.push({ ...scene, accountId, profileId: profile.id });
      }
    // Until networks have confirmed that they send.
    await clock.sleep(settledMs);
    await social.stop();
  });
  exposeSandbox(sandbox, random, () => world.weather);
  for (const { network, faults } of sandbox.networks) {
    const { next } = faults;
    faults.next = (...asked) => (world.silent.has(network) ? down : next(...asked));
  }
  return world;
}

const down: Fault = { kind: "refuse", answer: { status: 503, text: "<html>Down</html>" } };

const settledMs = 300_000;

/** What is sent comes to whoever lives. A dead process breaks the connection. */
function listen(world: InboxWorld): void {
  const { sandbox, taken } = world;
  const receive = async (request: Request): Promise<Response> => {
    const process = world.anyone();
    const body = await request.clone().text();
    const broken = process.died.then(() => Promise.reject(new TypeError("the connection was closed")));
    const answer = await Promise.race([createHandler(process.social)(request), broken]);
    if (answer.status === 200) taken.push(body);
    return answer;
  };
  sandbox.facebook.sendHooksTo(receive);
  sandbox.twitch.sendHooksTo(receive);
}
