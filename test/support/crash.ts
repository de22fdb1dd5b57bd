import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { Faults } from "../../src/sandbox/faults.ts";
import type { SandboxPost } from "../../src/sandbox/network.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { IntentRow } from "../../src/sending/intent.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { CreatedEndpoint } from "../../src/webhooks/schema.ts";
import { fixture } from "../media/fixtures.ts";
import { png } from "../media/samples.ts";
import type { Connection, Readers, Scene } from "../networks/scene.ts";
import { optionsFor, withNeeds } from "../networks/scenes.ts";
import { type CommitWatch, createCommitWatch } from "./commit-watch.ts";
import { hostedFiles } from "./hosted-files.ts";
import { memoryStore, type WatchedStore } from "./hosting.ts";
import { createProcess, type ProcessOptions, type SimulatedProcess } from "./process.ts";
import { testBaseUrl, testNetworks } from "./service.ts";
import { type Settlement, watchSettlements } from "./settlement-watch.ts";
import { fakeTransformer } from "./transformer.ts";

/** One network in the crash tests: how an account comes about, and what the world sees of it. */
export interface CrashNetwork {
  name: string;
  scene: Scene;
  /** The same network on a server that is not like the others. */
  isVariant: boolean;
  /** Where it is not set as the scene's is. */
  adapter?(): NetworkAdapter;
  /** What its posts need, where that is not what the scene's do. */
  needs?: Scene["needs"];
  /** Makes an account and returns what connects it. */
  connect(sandbox: Sandbox): Connection;
  posts(sandbox: Sandbox): SandboxPost[];
  faults(sandbox: Sandbox): Faults;
  /** What is posted can be read only this much later. */
  lagReads(sandbox: Sandbox, seconds: number): void;
  /** The sandbox's name for the request that publishes. */
  commit: string;
  /** And for the one that looks for a post; null: there is none. */
  read: string | null;
  /** By which credentials are renewed, where they are. */
  renew?: string;
  threads: boolean;
  /** False: after a lost answer nobody can tell whether the post is there. */
  canBeAsked: boolean;
  /** Why a part need not be decided; null: it must be. Absent: it always must. */
  whyUndecided?(world: World, part: UndecidedPart): string | null;
  /** What is wrong with what it shows, past texts and order; null: nothing. */
  complaint?(shown: readonly SandboxPost[], visibility: Readers): string | null;
}

export interface UndecidedPart {
  /** Position in the thread, from 0. */
  part: number;
  /** It stands on the network. */
  isLive: boolean;
}

/** One connected account of the world. */
export interface CrashAccount {
  network: CrashNetwork;
  profileId: string;
  /** What the network's posts call it. */
  externalId: string;
}

export interface World {
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
  watch: CommitWatch;
  settlements: readonly Settlement[];
  accounts: CrashAccount[];
  /** Subscribed to everything that happens once the profiles are connected. */
  endpoint: CreatedEndpoint;
  picture: string;
  /** Of a format that not every network takes. */
  photo: string;
  /** What the posts' files are kept in. */
  kept: WatchedStore;
  /** What the owners of the accounts have posted past the library, by the networks' ids. */
  byHand: Set<string>;
}

/** A store, simulated networks, a connected profile on each and a webhook endpoint. */
async function createWorld(networks: readonly CrashNetwork[]): Promise<World> {
  const clock = manualClock();
  const kept = memoryStore();
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(kept.store, testBaseUrl)] });
  const { storage, settlements } = watchSettlements(memoryStorage({ clock }));
  const { social } = createProcess({ storage, sandbox, clock });
  const accounts: CrashAccount[] = [];
  for (const network of networks) {
    const profile = await clock.run(() => social.profiles.connect(network.connect(sandbox)));
    accounts.push({ network, profileId: profile.id, externalId: profile.external_id });
  }
  // Only now, to be quick: what connecting tells is judged with real processes and in `prove -- webhooks`.
  const endpoint = await social.webhooks.create({ url: sandbox.receivers.url("proof") });
  const picture = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
  const photo = sandbox.media.put("photo.heic", fixture("still.heic"), { contentType: "image/heic" });
  const watch = createCommitWatch(sandbox);
  const files = { picture, photo, kept };
  return { clock, sandbox, storage, watch, settlements, accounts, endpoint, ...files, byHand: new Set() };
}

/** `fitted`: with a file that is kept before it is sent, and that some of the networks take only made to fit. */
export type PostKind = "text" | "media" | "fitted" | "thread";

/** What is posted, one text a part. */
export interface CrashContent {
  texts: readonly string[];
  /** Where a network knows it. */
  visibility: Readers;
}

function bodyFor(kind: PostKind, { texts, visibility }: CrashContent, world: World): CreatePost {
  const networks = world.accounts.map(({ network }) => network.scene.network);
  const options = visibility === "public" ? {} : optionsFor(networks, visibility);
  const needs = world.accounts.flatMap(({ network: { scene, needs: own } }) => {
    const needed = own?.(world.sandbox);
    return needed === undefined ? [] : [[scene.network, { ...needed, ...options[scene.network] }] as const];
  });
  const said = { ...options, ...Object.fromEntries(needs) };
  const base = {
    profile_ids: world.accounts.map(({ profileId }) => profileId),
    idempotency_key: "the-one-and-only",
    networks: withNeeds(networks, world.sandbox, said),
  };
  const [text = ""] = texts;
  if (kind === "text") return { ...base, text };
  if (kind === "media") return { ...base, text, media: [{ url: world.picture, alt: "A square." }] };
  if (kind === "fitted") return { ...base, text, media: [{ url: world.photo, alt: "A photo of a phone." }] };
  return { ...base, thread: [...texts] };
}

/** What is posted where nothing else is said. */
function textsFor(kind: PostKind): string[] {
  if (kind === "text") return ["Only once, whatever happens."];
  if (kind === "media") return ["With a picture."];
  if (kind === "fitted") return ["With a photo."];
  return ["The first part.", "The second part.", "The third part."];
}

export interface CrashOptions {
  /** The moment at which the process that publishes dies. @default never */
  dieAt?: number | undefined;
  /** The moment at which the process that recovers dies as well. @default never */
  dieAgainAt?: number;
  mortalReads?: boolean;
  /** A call of the process that publishes takes this much longer. */
  stall?: { at: number; ms: number };
  /** When the process that publishes has died, nobody comes for this long, in which the store's clock is put back by `storeBackMs`. */
  absence?: { ms: number; storeBackMs: number };
  /** A second worker that sweeps every second, its clock off by `skewMs`. */
  beside?: { skewMs: number } | undefined;
  prepare?: (world: World) => void | Promise<void>;
  /** @default plain words, for everybody to see */
  content?: CrashContent;
  /** What all processes but the second worker have in common. */
  machine?: Machine;
}

export interface CrashRun {
  kind: PostKind;
  content: CrashContent;
  world: World;
  process: SimulatedProcess;
  /** The first one that recovers. */
  recovery: SimulatedProcess;
  /** The post as it is in the end; null when it was never stored. */
  post: Post | null;
  /** What was recorded for the endpoint. */
  deliveries: DeliveryRow[];
  /** How many files are still kept for the post. */
  filesInUse: number;
}

/** Longer than any wait of the engine, milliseconds. */
const longEnoughMs = 3 * 3_600_000;
const sweepMs = 30_000;

/**
 * Publishes in a process that dies at one moment, lets other processes recover
 * whatever is left, and returns how it ended.
 */
export async function crashRun(
  network: CrashNetwork | readonly CrashNetwork[],
  kind: PostKind,
  options: CrashOptions,
): Promise<CrashRun> {
  const world = await createWorld([network].flat());
  await options.prepare?.(world);
  const { content = { texts: textsFor(kind), visibility: "public" } } = options;
  const { dieAt, dieAgainAt, stall, mortalReads, beside, absence } = options;
  const service = { ...(kind === "fitted" ? fitting(world) : {}), ...setAsTheyAre(world) };
  const machine = { ...options.machine, service };
  const process = createProcess({ ...world, ...machine, dieAt, stall, mortalReads });
  const storePutBack = absence === undefined ? undefined : { at: absence.ms, ms: absence.storeBackMs };
  const later = { ...world, ...machine, storePutBack };
  const recovery = createProcess({ ...later, dieAt: dieAgainAt });
  await world.clock.run(async () => {
    const stopBeside = beside === undefined ? undefined : sweepBeside(world, { ...machine, skewMs: beside.skewMs });
    const create = process.social.posts.create(bodyFor(kind, content, world)).catch(() => undefined);
    await Promise.race([create, process.died]);
    if (process.isDead()) await world.clock.sleep(absence?.ms ?? 0);
    const notBefore = world.clock.monotonic() + (stall === undefined ? 0 : stall.ms + 2 * sweepMs);
    await Promise.race([recover(world, recovery, notBefore), recovery.died]);
    if (recovery.isDead()) await recover(world, createProcess(later), notBefore);
    stopBeside?.();
  });
  const found = await world.storage.find("posts", { where: {}, limit: 1 });
  const id = found.rows[0]?.id;
  const { social } = createProcess({ storage: world.storage, sandbox: world.sandbox, clock: world.clock });
  const post = id === undefined ? null : await social.posts.get(id);
  const recorded = await world.storage.find("deliveries", { where: {} });
  const deliveries = recorded.rows.map((row) => fromRow<DeliveryRow>(row));
  const { total: filesInUse } = await world.storage.find("media_uses", { where: {}, limit: 1 });
  return { kind, content, world, process, recovery, post, deliveries, filesInUse };
}

/** How many requests of the run were given up without an answer that could be read. */
export async function countUnanswered({ world }: CrashRun): Promise<number> {
  const { rows } = await world.storage.find("intents", { where: {} });
  return rows.filter((row) => fromRow<IntentRow>(row).private.unknown_since !== null).length;
}

type Machine = Pick<ProcessOptions, "skewMs" | "storeOnMachine">;

/** With the adapters that are not set as the scenes' are. */
function setAsTheyAre({ accounts }: World): ProcessOptions["service"] {
  const own = accounts.flatMap(({ network }) => network.adapter?.() ?? []);
  if (own.length === 0) return {};
  const names = new Set(own.map(({ spec }) => spec.network));
  return { networks: [...testNetworks().filter(({ spec }) => !names.has(spec.network)), ...own] };
}

/** With what files are kept and made to fit. */
function fitting({ kept }: World): ProcessOptions["service"] {
  return { mediaStore: kept.store, baseUrl: testBaseUrl, mediaTransformers: [fakeTransformer()] };
}

/** Sweeps until nothing is open and everything delivered, but not less than until `notBefore`; or for long enough. */
async function recover({ clock, storage }: World, { social }: SimulatedProcess, notBefore: number): Promise<void> {
  const until = clock.monotonic() + longEnoughMs;
  while (clock.monotonic() < until) {
    await social.runDue();
    const where = { status: { in: ["pending", "publishing"] } };
    const open = await storage.find("targets", { where, limit: 1 });
    const undelivered = await storage.find("deliveries", { where: { status: "pending" }, limit: 1 });
    if (open.total + undelivered.total === 0 && clock.monotonic() >= notBefore) return;
    await clock.sleep(sweepMs);
  }
}

/** A second worker, from the first second to the end: earlier it could take everything away from the process that is watched. */
function sweepBeside(world: World, machine: Pick<ProcessOptions, "skewMs" | "service">): () => void {
  const beside = createProcess({ ...world, ...machine });
  void (async () => {
    while (!beside.isDead()) {
      await world.clock.sleep(1_000);
      await beside.social.runDue();
    }
  })();
  return () => beside.kill();
}
