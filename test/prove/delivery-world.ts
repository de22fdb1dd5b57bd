import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import type { CreatedEndpoint, CreateEndpoint } from "../../src/webhooks/schema.ts";
import { type DeliveryVerdict, judgeDeliveries } from "../support/delivery-verdict.ts";
import { createProcess, type ProcessOptions, type SimulatedProcess } from "../support/process.ts";
import { type Settlement, watchSettlements } from "../support/settlement-watch.ts";
import { createDeliveryLog, type DeliveryLog } from "./delivery-log.ts";
import { type Random, seededIds } from "./random.ts";

/** A store, simulated networks and receivers, and processes that deliver, all on virtual time. */
export interface DeliveryWorld {
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
  settlements: readonly Settlement[];
  log: DeliveryLog;
  /** Starts a process; `name` is what the log calls it. */
  process(name: string, options?: Partial<ProcessOptions>): SimulatedProcess;
}

export function createDeliveryWorld({ store, random }: { store: "memory" | "sqlite"; random: Random }): DeliveryWorld {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const { storage, settlements } = watchSettlements(
    store === "memory" ? memoryStorage({ clock }) : sqliteStorage(":memory:", { clock }),
  );
  const log = createDeliveryLog({ clock, sandbox, storage });
  const ids = seededIds(random);
  return {
    clock,
    sandbox,
    storage,
    settlements,
    log,
    process(name, { service, ...given } = {}) {
      const line = { clock, sandbox: log.sandboxOf(name), storage: log.storageOf(name) };
      return createProcess({ ...line, ...given, service: { ids, ...service } });
    },
  };
}

/** An endpoint, and the name of its receiver. */
export interface NamedEndpoint extends CreatedEndpoint {
  receiver: string;
}

export async function addEndpoint(
  { sandbox }: DeliveryWorld,
  { social }: SimulatedProcess,
  receiver: string,
  body: Omit<CreateEndpoint, "url"> = {},
): Promise<NamedEndpoint> {
  return { ...(await social.webhooks.create({ url: sandbox.receivers.url(receiver), ...body })), receiver };
}

/** Connects a new account on mastodon: `profile.connected`. */
export async function connectNew(
  { sandbox }: DeliveryWorld,
  { social }: SimulatedProcess,
  username: string,
): Promise<{ profile: Profile; token: string }> {
  const { instance, access_token } = sandbox.mastodon.addAccount({ username });
  const credentials = { instance, access_token };
  return { profile: await social.profiles.connect({ network: "mastodon", credentials }), token: access_token };
}

export async function readDeliveries({ storage }: DeliveryWorld, endpointId: string): Promise<DeliveryRow[]> {
  const { rows } = await storage.find("deliveries", { where: { webhook_id: endpointId } });
  return rows.map((row) => fromRow<DeliveryRow>(row));
}

/** How far a process's signatures may be off, whatever its own clock says, seconds: the store's time counts. */
const toleranceSeconds = 300;

/** What an endpoint that is subscribed to everything from the beginning was told, against what there is. */
export async function judgeEndpoint(
  world: DeliveryWorld,
  { social }: SimulatedProcess,
  endpoint: NamedEndpoint,
): Promise<DeliveryVerdict> {
  const posts: Post[] = [];
  for (const { id } of (await world.storage.find("posts", { where: {} })).rows) posts.push(await social.posts.get(id));
  return judgeDeliveries({
    posts,
    settlements: world.settlements,
    profiles: (await world.storage.find("profiles", { where: {} })).rows.map((row) => fromRow<Profile>(row)),
    endpoint,
    rows: await readDeliveries(world, endpoint.id),
    received: world.sandbox.receivers.deliveries(endpoint.receiver),
    toleranceSeconds,
  });
}

/** Sweeps until everything is published and delivered, asleep in between until something is due. */
export async function sweepUntilDone({ clock, storage }: DeliveryWorld, { social }: SimulatedProcess): Promise<void> {
  const until = clock.monotonic() + longEnoughMs;
  while (clock.monotonic() < until) {
    await social.runDue();
    const targets = await storage.find("targets", { where: { status: { in: ["pending", "publishing"] } }, limit: 1 });
    const deliveries = await storage.find("deliveries", { where: { status: "pending" }, limit: 1 });
    if (targets.total + deliveries.total === 0) return;
    await clock.sleep(targets.total > 0 ? sweepMs : await untilNextDelivery({ clock, storage }));
  }
}

/** Longer than a post may wait for its outcome, which is three days, and its deliveries after that, milliseconds. */
const longEnoughMs = 7 * 86_400_000;
const sweepMs = 30_000;

async function untilNextDelivery({ clock, storage }: Pick<DeliveryWorld, "clock" | "storage">): Promise<number> {
  const order = { column: "due_at", direction: "asc" } as const;
  const { rows } = await storage.find("endpoints", { where: { due_at: { not_null: true } }, order, limit: 1 });
  return Math.max(1_000, Number(rows[0]?.due_at ?? 0) - clock.now());
}
