import { describe, expect, it } from "vitest";
import { randomIds } from "../../src/ports/ids.ts";
import { receiverHost } from "../../src/sandbox/receivers.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import type { Webhooks } from "../../src/webhooks/webhooks.ts";
import { connectMastodon } from "../support/connect.ts";
import { createProcess } from "../support/process.ts";
import { webhookBench } from "../support/webhooks.ts";

describe("a receiver that hangs", () => {
  it("with 300 pending deliveries blocks no other endpoint's", async () => {
    const bench = webhookBench();
    const { social, clock, sandbox } = bench;
    await bench.endpoint("hangs", { events: ["profile.connected"] });
    sandbox.receivers.faults.add({ kind: "hang", operation: "hangs", times: 1e9 });
    await social.start();
    await bench.happen(300);
    await clock.advance(30_000);
    for (let index = 0; index < 20; index++) await bench.endpoint(`well-${index}`);
    const start = clock.now();
    await bench.happen(3);
    await clock.advance(30_000);
    const arrivals = bench.taken().map(({ at }) => at - start);
    expect(arrivals).toHaveLength(60);
    // The outbox of this test rings no alarm: the sweep finds what it wrote.
    expect(Math.max(...arrivals)).toBeLessThanOrEqual(30_000);
    await clock.advance(10 * 60_000);
    const hanging = bench.sent.filter(({ url }) => url.endsWith("hangs"));
    expect(new Set(hanging.map(({ init }) => new Headers(init.headers).get("service-delivery"))).size).toBe(303);
    await clock.run(() => social.stop());
  });

  it("delays no delivery that an alarm announces, not even by a second", async () => {
    const bench = webhookBench();
    const { social, clock, sandbox } = bench;
    await bench.endpoint("hangs");
    sandbox.receivers.faults.add({ kind: "hang", operation: "hangs", times: 1e9 });
    await bench.happen(300);
    await social.start();
    await clock.advance(5_000);
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    await bench.endpoint("well");
    await social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } });
    await clock.advance(0);
    expect(bench.taken("well")).toHaveLength(1);
    await clock.run(() => social.stop());
  });

  it.each([
    ["an alarm", 0],
    ["the sweep", 2_000],
  ])("among 600 of one account delays no other account's delivery that %s brings", async (how, maxLateMs) => {
    const bench = webhookBench();
    const { social, clock, sandbox } = bench;
    const [flood, other] = [social.forAccount("flood"), social.forAccount("other")];
    for (let index = 0; index < 600; index++) await flood.webhooks.create({ url: sandbox.receivers.url("hangs") });
    sandbox.receivers.faults.add({ kind: "hang", operation: "hangs", times: 1e9 });
    await bench.happen(5, "flood");
    await other.webhooks.create({ url: sandbox.receivers.url("well") });
    await social.start();
    await clock.advance(5_000);
    const start = clock.now();
    // The outbox of this test rings no alarm.
    if (how === "the sweep") await bench.happen(1, "other");
    else await connectMastodon({ social: other, sandbox, clock });
    await clock.advance(maxLateMs);
    expect(bench.taken("well")).toHaveLength(1);
    expect((bench.taken("well")[0]?.at ?? 0) - start).toBeLessThanOrEqual(maxLateMs);
    expect(bench.sent.filter(({ at }) => at < start).length).toBeGreaterThan(100);
    await clock.run(() => social.stop(0));
  });

  it.each([
    [63, 1],
    [64, 2],
    [64 + 64 + 1, 3],
  ])("is released after sixty-four deliveries, so that others have their turn: %i of them", async (count, turns) => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    await bench.happen(count);
    await bench.deliver();
    expect(bench.taken()).toHaveLength(count);
    expect(await bench.storage.get("endpoints", id)).toMatchObject({ epoch: turns, due_at: null, lease_until: 0 });
  });

  it("gets eight requests at the same time", async () => {
    // A pause without jitter would end with the seventh round, and its delivery take a place there.
    const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(128);
    const bench = webhookBench({ ids: { ...randomIds, bytes } });
    const { clock, sandbox } = bench;
    const { id } = await bench.endpoint("hangs");
    sandbox.receivers.faults.add({ kind: "hang", times: 1e9 });
    await bench.happen(100);
    const start = clock.now();
    await clock.run(async () => {
      await Promise.race([bench.social.runDue(), clock.sleep(75_000)]);
    });
    const rounds = new Map<number, number>();
    for (const { at } of bench.sent) rounds.set((at - start) / 10_000, (rounds.get((at - start) / 10_000) ?? 0) + 1);
    expect([...rounds.values()]).toEqual([8, 8, 8, 8, 8, 8, 8, 8]);
    expect((await bench.log(id)).filter(({ attempts }) => attempts === 1)).toHaveLength(56);
  });
});

interface Flight {
  id: string;
  from: number;
  to: number;
}

/** Two processes on one store, whose requests to receivers take 2 s and are observed. */
function twoProcesses(clock: ManualClock, takesMs: (times: number) => number) {
  const sandbox = createSandbox({ clock });
  const storage = memoryStorage({ clock });
  const flights: Flight[] = [];
  const watched: typeof fetch = async (input, init) => {
    if (new URL(String(input)).hostname !== receiverHost) return sandbox.untrustedHttp(input, init);
    const id = new Headers(init?.headers).get("service-delivery") ?? "";
    const flight = { id, from: clock.now(), to: Infinity };
    flights.push(flight);
    await clock.sleep(takesMs(flights.length));
    const response = await sandbox.untrustedHttp(input, init);
    flight.to = clock.now();
    return response;
  };
  const world = { clock, storage, sandbox };
  const create = (stall?: { at: number; ms: number }) =>
    createProcess({ ...world, stall, service: { untrustedHttp: watched } });
  return { ...world, flights, create };
}

async function register(webhooks: Webhooks, names: readonly string[]): Promise<void> {
  for (const name of names) await webhooks.create({ url: `https://receiver.sandbox.example/${name}` });
}

describe("two processes", () => {
  it("never deliver the same event concurrently, and deliver each once while both live", async () => {
    const clock = manualClock();
    const { sandbox, flights, create } = twoProcesses(clock, (times) => 500 + ((times * 7_919) % 3_000));
    const [one, other] = [create(), create()];
    await register(one.social.webhooks, ["a", "b", "c"]);
    const { instance } = sandbox.mastodon.addAccount({ username: "first" });
    await one.social.start();
    await other.social.start();
    await clock.run(async () => {
      for (let index = 0; index < 30; index++) {
        const { access_token } = sandbox.mastodon.addAccount({ username: `user${index}` });
        const { social } = index % 2 === 0 ? one : other;
        await social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } });
      }
    });
    await clock.advance(120_000);
    expect(sandbox.receivers.deliveries()).toHaveLength(90);
    expect(new Set(flights.map(({ id }) => id)).size).toBe(90);
    expect(flights).toHaveLength(90);
    await clock.run(() => Promise.all([one.social.stop(), other.social.stop()]));
  });

  it("agree on the outcome of a delivery, at whatever call one of them freezes for two minutes", async () => {
    const moments = (await stalled(undefined)).moments;
    expect(moments).toBeGreaterThan(4);
    let takenOver = 0;
    for (let at = 0; at < moments; at++) {
      const { row, endpoint, received, epoch } = await stalled(at);
      expect(row, `stalled at ${at}`).toMatchObject({ status: "delivered", attempts: 1, response_status: 200 });
      expect(row, `stalled at ${at}`).not.toHaveProperty("error");
      expect(endpoint, `stalled at ${at}`).toMatchObject({ consecutive_failures: 0, status: "active" });
      expect(endpoint, `stalled at ${at}`).not.toHaveProperty("last_failed_at");
      expect(new Set(received.map(({ body }) => body)).size, `stalled at ${at}`).toBe(1);
      if (epoch > 1) takenOver += 1;
    }
    expect(takenOver).toBeGreaterThan(1);
  });

  it("accept no change from the process whose lease has ended, neither the count nor the next attempt", async () => {
    const { moments } = await stalled(undefined, { refusesFirst: true });
    let takenOver = 0;
    for (let at = 0; at < moments; at++) {
      const { before, after, epoch } = await overtaken(at);
      if (epoch < 2) continue;
      takenOver += 1;
      expect(before.deliveries, `stalled at ${at}`).toMatchObject([{ status: "pending", attempts: 1 }]);
      expect(after, `stalled at ${at}`).toEqual(before);
    }
    expect(takenOver).toBeGreaterThan(1);
  });

  it("ignore a response that reaches the process whose lease has ended", async () => {
    const { moments } = await stalled(undefined, { refusesFirst: true });
    let stale = 0;
    for (let at = 0; at < moments; at++) {
      const { row, endpoint } = await stalled(at, { refusesFirst: true });
      expect(row, `stalled at ${at}`).toMatchObject({ status: "delivered", response_status: 200 });
      expect(row, `stalled at ${at}`).not.toHaveProperty("error");
      // Either the refusal is on record, and the endpoint counts it, or it is nowhere.
      expect("last_failed_at" in (endpoint ?? {}), `stalled at ${at}`).toBe(row?.attempts === 2);
      if (row?.attempts === 1) stale += 1;
    }
    expect(stale).toBeGreaterThan(0);
  });
});

const refusing = { kind: "refuse", answer: { status: 500 }, times: 100 } as const;

/** One refused delivery by a process that freezes until another has taken over and been refused, too. */
async function overtaken(at: number) {
  const clock = manualClock();
  const { sandbox, storage, create } = twoProcesses(clock, () => 100);
  const setUp = create();
  await register(setUp.social.webhooks, ["a"]);
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  await clock.run(() =>
    setUp.social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
  );
  sandbox.receivers.faults.add(refusing);
  const stored = async () => ({
    deliveries: (await storage.find("deliveries", { where: {} })).rows,
    endpoints: (await storage.find("endpoints", { where: {} })).rows,
  });
  const slow = create({ at, ms: 50_000 });
  return clock.run(async () => {
    const run = slow.social.runDue();
    await clock.sleep(35_000);
    await create().social.runDue();
    const before = await stored();
    await run;
    return { before, after: await stored(), epoch: Number(before.endpoints[0]?.epoch) };
  });
}

/** One delivery by a process that freezes at one moment, with another one beside it. */
async function stalled(at: number | undefined, { refusesFirst = false } = {}) {
  const clock = manualClock();
  const { sandbox, storage, create } = twoProcesses(clock, () => 100);
  const setUp = create();
  await register(setUp.social.webhooks, ["a"]);
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  await clock.run(() =>
    setUp.social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
  );
  if (refusesFirst) sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 500 } });
  const slow = create(at === undefined ? undefined : { at, ms: 120_000 });
  await clock.run(async () => {
    const run = slow.social.runDue();
    await clock.sleep(1_000);
    const beside = create();
    for (let sweep = 0; sweep < 8; sweep++) {
      await beside.social.runDue();
      await clock.sleep(20_000);
    }
    await run;
  });
  const { social } = create();
  const [endpoint] = (await social.webhooks.list()).data;
  const [row, ...more] = (await social.webhooks.deliveries.list(endpoint?.id ?? "")).data;
  expect(more).toEqual([]);
  const stored = await storage.get("endpoints", endpoint?.id ?? "");
  return {
    moments: slow.moments(),
    row,
    endpoint,
    received: sandbox.receivers.deliveries(),
    epoch: Number(stored?.epoch),
  };
}

describe("an account with more endpoints than the worker handles concurrently", () => {
  it("gets the second post as soon as the first", async () => {
    const clock = manualClock();
    const sandbox = createSandbox({ clock });
    const { social } = createProcess({ clock, sandbox, storage: memoryStorage({ clock }) });
    const profile = await connectMastodon({ social, sandbox, clock });
    const names = Array.from({ length: 120 }, (_, number) => `receiver-${number}`);
    await clock.run(async () => {
      for (const name of names) await social.webhooks.create({ url: sandbox.receivers.url(name) });
    });
    for (const operation of names) sandbox.receivers.faults.add({ kind: "slow", seconds: 0.2, operation, times: 9 });
    await social.start();
    for (const text of ["First", "Second", "Third"]) {
      const before = sandbox.receivers.deliveries().length;
      await clock.run(() => social.posts.create({ profile_ids: [profile.id], text }));
      await clock.advance(2_000);
      expect(sandbox.receivers.deliveries().length - before, text).toBe(120);
      await clock.advance(20_000);
    }
    await clock.run(() => social.stop());
  });
});
