/** Two processes on one store, four profiles on three networks, and a clock that the test moves. */

import type { ConnectProfile, Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { seededIds, seededRandom } from "../prove/random.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey, testNetworks } from "../support/service.ts";
import { act } from "./model-actions.ts";
import type { FaultName, Step } from "./model-steps.ts";
import { type ObservedStore, observeStore } from "./model-store.ts";

export interface ModelWorld {
  clock: ManualClock;
  store: ObservedStore;
  processes: readonly SocialService[];
  profiles: readonly Profile[];
  connections: readonly ConnectProfile[];
  /** The posts that the networks show of each profile, in the order of the profiles. */
  shown(): SandboxPost[][];
  /** Posts in the order of their creation. */
  postIds: string[];
  /** The number of texts so far: each version of each post has its own. */
  versions: number;
  /** Texts of rejected requests. */
  refused: Set<string>;
  /** Accepted retries, as the post's id and the key. */
  retried: Set<string>;
  /** Posts whose cancellation was accepted. */
  cancelled: Set<string>;
  /** The events that the hosts' listeners received, as `id status text`. */
  heard: string[];
  /** Forbidden results. */
  findings: string[];
  /** The webhook's recorded deliveries, as `id status text`, and the number of pending ones. */
  deliveries(): Promise<{ recorded: string[]; pending: number }>;
}

const endings = ["post.published", "post.partially_published", "post.failed"] as const;

export interface MovingWorld {
  world: ModelWorld;
  take(step: Step): Promise<void>;
  /** Ends all faults, and moves time on until no work is left. */
  comeToRest(): Promise<void>;
}

export async function createModelWorld(): Promise<MovingWorld> {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const networks = [sandbox.bluesky, sandbox.mastodon, sandbox.discord];
  const store = observeStore(memoryStorage({ clock }));
  const { storage, stall } = stallingStorage(store.storage, clock);
  const heard: string[] = [];
  const ids = seededIds(seededRandom(1));
  const [first, second] = [0, 1].map(() => {
    const { http, untrustedHttp } = sandbox;
    const ports = { clock, ids, http, untrustedHttp, storage, logger: silentLogger };
    const social = createSocialService({ networks: testNetworks(), encryptionKey: testKey, ...ports });
    for (const name of endings) social.on(name, ({ post }) => heard.push(lineOf(post)));
    return social;
  }) as [SocialService, SocialService];
  const connections = connectionsOf(sandbox);
  const profiles: Profile[] = [];
  for (const connection of connections) profiles.push(await clock.run(() => first.profiles.connect(connection)));
  const endpoint = await clock.run(() =>
    first.webhooks.create({ url: sandbox.receivers.url("host"), events: [...endings] }),
  );
  const processes = [first, second];
  const world: ModelWorld = {
    clock,
    store,
    processes,
    profiles,
    connections,
    shown: () =>
      profiles.map(({ network, external_id }) => {
        const there = networks.find((each) => each.network === network)?.posts() ?? [];
        return there.filter(({ account }) => account === external_id);
      }),
    postIds: [],
    versions: 0,
    refused: new Set(),
    retried: new Set(),
    cancelled: new Set(),
    heard,
    findings: [],
    async deliveries() {
      const { rows } = await store.storage.find("deliveries", { where: { webhook_id: endpoint.id } });
      const bodies = rows.map((row) => JSON.parse((row.private as { body: string }).body) as { data: { post: Post } });
      const pending = rows.filter(({ status }) => status === "pending").length;
      return { recorded: bodies.map(({ data }) => lineOf(data.post)), pending };
    },
  };

  async function take(step: Step): Promise<void> {
    if ("fault" in step) {
      const { fault, network, times, after } = step;
      for (const [index, { faults }] of networks.entries()) {
        if (network !== index && network !== networks.length) continue;
        faults.add({ ...faultFor(fault, index), operation: "commit", times, after });
      }
      return;
    }
    await clock.run(async () => {
      if ("passMs" in step) {
        await clock.sleep(step.passMs);
        if (step.isRun) await Promise.all(processes.map((social) => social.runDue()));
      } else if ("runMs" in step) {
        for (const social of processes) await social.start();
        await clock.sleep(step.runMs);
        await Promise.all(processes.map((social) => social.stop()));
      } else if ("together" in step) {
        stall(step.stallsMs);
        await Promise.all(step.together.map((each) => act(world, each, { isAlone: false })));
        stall([]);
      } else {
        await act(world, step, { isAlone: true });
      }
    });
  }

  async function comeToRest(): Promise<void> {
    for (const network of networks) network.faults.clear();
    for (let hour = 0; hour < 4; hour++) await take({ passMs: 3_600_000, isRun: true });
  }

  return { world, take, comeToRest };
}

function lineOf({ id, status, text }: Post): string {
  return `${id} ${status} ${text}`;
}

/** Each call takes as long as its turn says, so that calls of two processes come in another order. */
function stallingStorage(storage: Storage, clock: ManualClock): { storage: Storage; stall(turnsMs: number[]): void } {
  let turnsMs: readonly number[] = [];
  let turn = 0;
  async function stalled<Value>(call: () => Promise<Value>): Promise<Value> {
    const ms = turnsMs[turn++ % turnsMs.length] ?? 0;
    if (ms > 0) await clock.sleep(ms);
    return call();
  }
  return {
    stall(next) {
      turnsMs = next;
      turn = 0;
    },
    storage: {
      ...storage,
      migrate: () => storage.migrate(),
      get: (...question) => stalled(() => storage.get(...question)),
      find: (...question) => stalled(() => storage.find(...question)),
      write: (operations) => stalled(() => storage.write(operations)),
      claim: (...question) => stalled(() => storage.claim(...question)),
    },
  };
}

function connectionsOf({ bluesky, mastodon, discord }: Sandbox): ConnectProfile[] {
  const { handle, password } = bluesky.addAccount({ handle: "alice.sandbox.example" });
  const { instance, access_token } = mastodon.addAccount({ username: "alice" });
  const bot = { bot_token: discord.addBot(), channel_id: discord.addChannel() };
  const webhook_url = discord.addWebhook({ channel: discord.addChannel() });
  return [
    { network: "bluesky", credentials: { identifier: handle, app_password: password } },
    { network: "mastodon", credentials: { instance, access_token } },
    { network: "discord", credentials: bot },
    // It has no list of its posts to read.
    { network: "discord", credentials: { webhook_url } },
  ];
}

const refusals = [
  { status: 400, json: { error: "InvalidRequest", message: "No." } },
  { status: 422, json: { error: "Validation failed: Text is not nice" } },
  { status: 400, json: { code: 50_006, message: "Cannot send an empty message" } },
] as const;

function faultFor(name: FaultName, network: number): FaultKind {
  switch (name) {
    case "refuse":
      return { kind: "refuse", answer: refusals[network] ?? refusals[0] };
    case "unavailable":
      return { kind: "refuse", answer: { status: 503 } };
    case "unavailable_though_done":
      return { kind: "refuse_though_done", answer: { status: 502 } };
    case "not_sent":
      return { kind: "not_sent", code: "ECONNREFUSED" };
    case "accept_late":
      return { kind: "accept_late", seconds: 8 };
    case "slow":
      return { kind: "slow", seconds: 4 };
    default:
      return { kind: name };
  }
}
