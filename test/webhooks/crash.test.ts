import { describe, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { verify } from "../../src/signature/node.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { isWhole, shareNumber } from "../support/share.ts";

interface World {
  clock: ManualClock;
  sandbox: Sandbox;
  storage: Storage;
  profileId: string;
  credentials: { instance: string; access_token: string };
  secret: string;
}

/** A connected profile, and an endpoint that is subscribed to everything that follows. */
async function createWorld(): Promise<World> {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const { social } = createProcess({ clock, sandbox, storage });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  const credentials = { instance, access_token };
  const profile = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
  const { secret } = await social.webhooks.create({ url: sandbox.receivers.url("a") });
  return { clock, sandbox, storage, profileId: profile.id, credentials, secret };
}

type Scenario = (process: SimulatedProcess, world: World) => Promise<unknown>;

const publish: Scenario = ({ social }, { profileId }) =>
  social.posts.create({ profile_ids: [profileId], text: "Hello 🦊", idempotency_key: "the-one-and-only" });

const breakProfile: Scenario = (process, world) => {
  world.sandbox.mastodon.revoke(world.credentials.access_token);
  return publish(process, world);
};

const disconnect: Scenario = ({ social }, { profileId }) => social.profiles.disconnect(profileId);

const reconnect: Scenario = async (process, world) => {
  await disconnect(process, world);
  await world.clock.sleep(1_000);
  await process.social.profiles.connect({ network: "mastodon", credentials: world.credentials });
};

const scenarios: [string, Scenario, events: string[]][] = [
  ["a post is published", publish, ["post.published"]],
  ["a profile breaks, and its post fails", breakProfile, ["post.failed", "profile.needs_attention"]],
  ["a profile is disconnected", disconnect, ["profile.disconnected"]],
  ["a profile is disconnected and connected again", reconnect, ["profile.connected", "profile.disconnected"]],
];

/** Sweeps until nothing is open. */
async function recover({ clock, storage }: World, { social }: SimulatedProcess): Promise<void> {
  for (let sweep = 0; sweep < 400; sweep++) {
    await social.runDue();
    const targets = await storage.find("targets", { where: { status: { in: ["pending", "publishing"] } } });
    const deliveries = await storage.find("deliveries", { where: { status: "pending" } });
    if (targets.total + deliveries.total === 0) return;
    // A post that cannot be read without a connection is looked for for three days.
    await clock.sleep(sweep < 200 ? 30_000 : 3_600_000);
  }
  throw new Error("something stays open");
}

interface Deaths {
  dieAt?: number;
  dieAgainAt?: number;
}

async function crash(scenario: Scenario, { dieAt, dieAgainAt }: Deaths) {
  const world = await createWorld();
  const process = createProcess({ ...world, dieAt, mortalReads: false });
  const recovery = createProcess({ ...world, dieAt: dieAgainAt });
  await world.clock.run(async () => {
    const work = async (): Promise<void> => {
      await scenario(process, world).catch(() => undefined);
      await process.social.runDue();
    };
    await Promise.race([work(), process.died]);
    await Promise.race([recover(world, recovery), recovery.died]);
    await recover(world, createProcess(world));
  });
  return { world, moments: process.moments(), recoveryMoments: recovery.moments() };
}

/** The events that must have exactly one delivery each, derived from the stored rows. */
async function owed({ storage, profileId }: World): Promise<string[]> {
  const posts = (await storage.find("posts", { where: {} })).rows;
  const profile = fromRow<Profile>((await storage.get("profiles", profileId)) ?? { id: "" });
  const ofPosts = posts.map(({ status }) => `post.${String(status)}`);
  return profile.status === "connected" ? ofPosts : [...ofPosts, `profile.${profile.status}`];
}

async function expectAgreement(world: World, deaths: string): Promise<string[]> {
  const { storage, sandbox, secret } = world;
  const rows = (await storage.find("deliveries", { where: {} })).rows.map((row) => fromRow<DeliveryRow>(row));
  const events: string[] = rows.map(({ event }) => event).sort();
  const { social } = createProcess(world);
  for (const row of rows) {
    const received = sandbox.receivers.deliveries().filter(({ id }) => id === row.id);
    expect(row, deaths).toMatchObject({ status: "delivered", due_at: null });
    expect(received.length, deaths).toBeGreaterThanOrEqual(1);
    expect(new Set(received.map(({ body }) => body)), deaths).toEqual(new Set([row.private.body]));
    for (const { body, signature, at } of received) {
      expect(await verify(body, signature, { secret, now: at / 1_000 }), deaths).toMatchObject({ id: row.id });
    }
    const { post } = JSON.parse(row.private.body).data as { post?: Post };
    if (post !== undefined) expect(post, deaths).toEqual(await social.posts.get(post.id));
  }
  expect(
    sandbox.receivers.deliveries().every(({ id }) => rows.some((row) => row.id === id)),
    deaths,
  ).toBe(true);
  // A connection that followed a disconnection leaves no trace in the profile but these two.
  const isReconnected = events.includes("profile.connected");
  expect(events, deaths).toEqual(
    isReconnected ? ["profile.connected", "profile.disconnected"] : (await owed(world)).sort(),
  );
  return events;
}

describe.each(scenarios)("when %s and the process dies", (_, scenario, events) => {
  it("at any moment, the outcome and its one delivery agree, and the delivery arrives", async () => {
    const { world, moments } = await crash(scenario, {});
    expect(await expectAgreement(world, "no death")).toEqual(events);
    expect(moments).toBeGreaterThan(8);
    const seen = new Set<string>();
    for (let dieAt = isWhole ? 0 : shareNumber % 2; dieAt < moments; dieAt += isWhole ? 1 : 2) {
      const run = await crash(scenario, { dieAt });
      seen.add((await expectAgreement(run.world, `dead at ${dieAt}`)).join());
    }
    expect(seen).toContain(events.join());
  });

  it("and the recovering process dies, too, they still agree", async () => {
    const { moments } = await crash(scenario, {});
    for (let dieAt = 1 + (shareNumber % 5); dieAt < moments; dieAt += isWhole ? 5 : 15) {
      const { recoveryMoments } = await crash(scenario, { dieAt });
      for (let dieAgainAt = dieAt % 3; dieAgainAt < Math.min(recoveryMoments, 60); dieAgainAt += 7) {
        const run = await crash(scenario, { dieAt, dieAgainAt });
        await expectAgreement(run.world, `dead at ${dieAt}, and again at ${dieAgainAt}`);
      }
    }
  });
});
