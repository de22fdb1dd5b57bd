import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DeliveredEvent } from "../../src/ports/events.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { failureOf } from "../support/failure.ts";
import { profileEvent, type WebhookBench, webhookBench } from "../support/webhooks.ts";

let bench: WebhookBench;
let id: string;

beforeEach(async () => {
  bench = webhookBench();
  id = (await bench.endpoint("a")).id;
});

const { payload } = profileEvent();
const events = {
  connected: profileEvent(),
  disconnected: { name: "profile.disconnected", payload } as DeliveredEvent,
  broken: { name: "profile.needs_attention", payload } as DeliveredEvent,
};

/** One delivery per second: delivered, failed, pending, and a test. */
async function fillLog(): Promise<void> {
  const { sandbox, clock, storage, outbox } = bench;
  await outbox.write([], events.connected, clock.now());
  await bench.deliver();
  await clock.advance(1_000);
  sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 500, text: "broken" }, times: 2 });
  await outbox.write([], events.disconnected, clock.now());
  const [row] = (await storage.find("deliveries", { where: { status: "pending" } })).rows;
  const change = { attempts: 6 };
  await storage.write([{ kind: "update", collection: "deliveries", id: row?.id ?? "", change, where: {} }]);
  await bench.deliver();
  await clock.advance(1_000);
  await outbox.write([], events.broken, clock.now());
  await bench.deliver();
  await clock.advance(1_000);
  await clock.run(() => bench.social.webhooks.test(id));
}

const whole = [
  "webhook.test delivered",
  "profile.needs_attention pending",
  "profile.disconnected failed",
  "profile.connected delivered",
];

describe.each([
  ["in memory", memoryStorage],
  ["in SQLite", (options: { clock: ManualClock }) => sqliteStorage(":memory:", options)],
])("the log of an endpoint, %s", (_name, createStorage) => {
  beforeEach(async () => {
    const clock = manualClock();
    const storage = createStorage({ clock });
    bench = webhookBench({ clock, storage });
    id = (await bench.endpoint("a")).id;
    await fillLog();
    return () => storage.close();
  });

  it.each([
    ["nothing", {}, whole],
    ["one status", { status: "failed" }, [whole[2]]],
    ["several statuses", { status: ["failed", "pending"] }, [whole[1], whole[2]]],
    ["one event", { event: "webhook.test" }, [whole[0]]],
    ["several events", { event: ["profile.connected", "profile.disconnected"] }, [whole[2], whole[3]]],
    ["both", { status: ["delivered"], event: ["profile.connected", "profile.disconnected"] }, [whole[3]]],
    ["a status without deliveries", { status: ["failed"], event: ["webhook.test"] }, []],
  ] as const)("is newest first, and filtered by %s", async (_, filter, expected) => {
    const page = await bench.social.webhooks.deliveries.list(id, filter as never);
    expect(page.data.map(({ event, status }) => `${event} ${status}`)).toEqual(expected);
    expect(page.pagination).toEqual({
      limit: 20,
      offset: 0,
      total: expected.length,
      has_more: false,
      next_cursor: null,
    });
  });

  it("comes in pages", async () => {
    const page = (offset: number) => bench.social.webhooks.deliveries.list(id, { limit: 3, offset });
    const [first, second, third] = [await page(0), await page(3), await page(6)];
    const shown = [...first.data, ...second.data].map(({ event, status }) => `${event} ${status}`);
    expect(shown).toEqual(whole);
    expect([first, second, third].map(({ pagination }) => pagination.has_more)).toEqual([true, false, false]);
    expect(third.data).toEqual([]);
  });

  it("shows the fields of the contract, and none without a value", async () => {
    const [test, broken, disconnected, connected] = await bench.log(id);
    const now = bench.clock.now();
    const iso = (ms: number): string => new Date(ms).toISOString();
    const common = { id: expect.stringMatching(/^dlv_[0-9a-z]{26}$/), webhook_id: id, data: payload };
    const { account_id: __, ...data } = payload;
    expect(connected).toStrictEqual({
      ...common,
      data,
      event: "profile.connected",
      status: "delivered",
      attempts: 1,
      created_at: iso(now - 3_000),
      next_attempt_at: null,
      response_status: 200,
      response_body: "taken",
      delivered_at: iso(now - 3_000),
    });
    expect(disconnected).toStrictEqual({
      ...common,
      data,
      event: "profile.disconnected",
      status: "failed",
      attempts: 7,
      created_at: iso(now - 2_000),
      next_attempt_at: null,
      response_status: 500,
      response_body: "broken",
      error: "The receiver returned status 500.",
    });
    expect(broken).toMatchObject({ attempts: 1, next_attempt_at: expect.stringMatching(/^2026-11-21T12:01:0/) });
    expect(test).toMatchObject({ event: "webhook.test", data: { webhook_id: id, message: expect.any(String) } });
  });

  it("shows a delivery that was never attempted without a response, an error or an end", async () => {
    const { id: other } = await bench.endpoint("b");
    await bench.happen();
    const [delivery] = await bench.log(other);
    expect(Object.keys(delivery ?? {}).sort()).toEqual(
      ["attempts", "created_at", "data", "event", "id", "next_attempt_at", "status", "webhook_id"].sort(),
    );
    expect(delivery?.next_attempt_at).toBe(new Date(bench.clock.now()).toISOString());
  });

  it("shows only that endpoint's deliveries", async () => {
    expect(await bench.log((await bench.endpoint("b")).id)).toEqual([]);
  });
});

describe("a manual retry", () => {
  const retry = (deliveryId: string) => bench.social.webhooks.deliveries.retry(id, deliveryId);

  it.each([
    ["delivered", 3],
    ["failed", 2],
    ["pending", 1],
  ])("sends the same bytes under the same id, with a new time: a %s one", async (status, place) => {
    await fillLog();
    const delivery = (await bench.log(id))[place];
    expect(delivery?.status).toBe(status);
    const before = bench.sent
      .map(({ init }) => init)
      .filter((init) => idOf(init) === delivery?.id)
      .at(-1);
    await bench.clock.advance(7_000);
    const answered = await retry(delivery?.id ?? "");
    expect(answered).toMatchObject({
      id: delivery?.id,
      status: "pending",
      next_attempt_at: new Date(bench.clock.now()).toISOString(),
    });
    expect(answered).not.toHaveProperty("delivered_at");
    const sentBefore = bench.sent.length;
    await bench.deliver();
    expect(bench.sent).toHaveLength(sentBefore + 1);
    const after = bench.sent.at(-1)?.init;
    expect(after?.body).toBe(before?.body);
    expect(idOf(after)).toBe(delivery?.id);
    const [oldTime, newTime] = [before, after].map((init) => Number(/t=(\d+)/.exec(signatureOf(init))?.[1]));
    expect(newTime).toBeGreaterThanOrEqual((oldTime ?? 0) + 7);
    expect((await bench.log(id))[place]).toMatchObject({
      status: "delivered",
      attempts: (delivery?.attempts ?? 0) + 1,
    });
  });

  it("goes out immediately where the service runs", async () => {
    await bench.happen();
    await bench.deliver();
    await bench.social.start();
    await bench.clock.advance(1_000);
    await retry((await bench.log(id))[0]?.id ?? "");
    await bench.clock.advance(0);
    expect(bench.taken()).toHaveLength(2);
    await bench.clock.run(() => bench.social.stop());
  });

  it("during a run is not delayed by other deliveries that hang", async () => {
    await bench.happen(2);
    let isFirst = true;
    bench.answer("a", async () => {
      if (!isFirst) return new Promise(() => {});
      isFirst = false;
      return new Response(null, { status: 500 });
    });
    await bench.clock.run(async () => {
      const turn = bench.social.runDue();
      await bench.clock.sleep(3_000);
      const failed = (await bench.log(id)).find(({ attempts }) => attempts === 1);
      bench.answer("a", () => new Response(null, { status: 204 }));
      await retry(failed?.id ?? "");
      await bench.clock.sleep(1_100);
      const delivered = { id: failed?.id, status: "delivered", attempts: 2 };
      expect(await bench.log(id)).toContainEqual(expect.objectContaining(delivered));
      await turn;
    });
    expect(bench.sent).toHaveLength(3);
  });

  it("of a delivery that has failed seven times is one attempt more", async () => {
    await fillLog();
    const failed = (await bench.log(id))[2];
    bench.sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 500 } });
    await retry(failed?.id ?? "");
    await bench.deliver();
    expect((await bench.log(id))[2]).toMatchObject({ status: "failed", attempts: 8, next_attempt_at: null });
  });

  it("gets a conflict while the endpoint is disabled, and sends nothing", async () => {
    await fillLog();
    await bench.social.webhooks.update(id, { status: "disabled" });
    const sent = bench.sent.length;
    const before = await bench.log(id);
    const failure = await failureOf(retry(before[3]?.id ?? ""));
    expect(failure).toMatchObject({ code: "conflict", status: 409 });
    await bench.deliver();
    expect(bench.sent).toHaveLength(sent);
    expect(await bench.log(id)).toEqual(before);
  });

  it("of a test sends the test again, and changes no counter", async () => {
    await bench.clock.run(() => bench.social.webhooks.test(id));
    const before = await bench.social.webhooks.get(id);
    await retry((await bench.log(id))[0]?.id ?? "");
    await bench.deliver();
    expect(bench.taken().map(({ event }) => event)).toEqual(["webhook.test", "webhook.test"]);
    expect(bench.taken()[0]?.body).toBe(bench.taken()[1]?.body);
    expect(await bench.social.webhooks.get(id)).toEqual(before);
  });

  it("throws when the store rejects its write", async () => {
    await fillLog();
    const [delivery] = await bench.log(id);
    vi.spyOn(bench.storage, "write").mockRejectedValueOnce(new Error("the store cannot be reached"));
    await expect(retry(delivery?.id ?? "")).rejects.toThrow("the store cannot be reached");
  });

  it("called twice concurrently sends once", async () => {
    await bench.happen();
    await bench.deliver();
    const deliveryId = (await bench.log(id))[0]?.id ?? "";
    await Promise.all([retry(deliveryId), retry(deliveryId)]);
    await bench.deliver();
    expect(bench.taken()).toHaveLength(2);
  });
});

const idOf = (init: RequestInit | undefined): string | null => new Headers(init?.headers).get("service-delivery");
const signatureOf = (init: RequestInit | undefined): string =>
  new Headers(init?.headers).get("service-signature") ?? "";
