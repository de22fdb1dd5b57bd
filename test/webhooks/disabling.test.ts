import { beforeEach, describe, expect, it } from "vitest";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

const hour = 3_600_000;
const refusing = { kind: "refuse", answer: { status: 500 }, times: 1e9 } as const;

let bench: WebhookBench;
let id: string;

beforeEach(async () => {
  bench = webhookBench();
  id = (await bench.endpoint("a")).id;
});

const endpoint = () => bench.social.webhooks.get(id);

/** Makes the next attempt of every pending delivery its last, and due. */
async function ripen(attempts = 6): Promise<void> {
  const { rows } = await bench.storage.find("deliveries", { where: { webhook_id: id, status: "pending" } });
  const due_at = bench.clock.now();
  await bench.storage.write([
    ...rows.map((row) => ({
      kind: "update" as const,
      collection: "deliveries" as const,
      id: row.id,
      where: {},
      change: { attempts, due_at },
    })),
    { kind: "update", collection: "endpoints", id, change: { due_at }, where: {} },
  ]);
}

/** So many deliveries end as failed. */
async function failDeliveries(times: number): Promise<void> {
  bench.sandbox.receivers.faults.add(refusing);
  await bench.happen(times);
  await ripen();
  await bench.deliver();
  bench.sandbox.receivers.faults.clear();
}

async function succeed(): Promise<void> {
  await bench.happen();
  await bench.deliver();
}

describe("an endpoint's failures", () => {
  it("disable it at the twentieth in a row, with a reason and the time", async () => {
    await failDeliveries(19);
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 19 });
    await bench.clock.advance(1_000);
    await failDeliveries(1);
    expect(await endpoint()).toMatchObject({
      status: "disabled",
      consecutive_failures: 20,
      disabled_reason: expect.stringMatching(/20 deliveries in a row failed.*returned status 500/),
      updated_at: new Date(bench.clock.now()).toISOString(),
    });
  });

  it("count as the scheduled attempts end, without any call of the host", async () => {
    bench.sandbox.receivers.faults.add(refusing);
    await bench.social.start();
    await bench.happen(20);
    await bench.clock.advance(9.5 * hour);
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 0 });
    expect((await bench.log(id)).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 20 }, () => 6));
    await bench.clock.advance(26 * hour);
    expect(await endpoint()).toMatchObject({ status: "disabled", consecutive_failures: 20 });
    await bench.social.stop();
  });

  it("start from zero after any success", async () => {
    await failDeliveries(19);
    await succeed();
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 0 });
    await failDeliveries(19);
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 19 });
  });

  it("count per finished delivery, not per attempt", async () => {
    bench.sandbox.receivers.faults.add(refusing);
    await bench.happen(30);
    for (let attempts = 0; attempts < 6; attempts++) {
      await ripen(attempts);
      await bench.deliver();
    }
    expect(bench.sent).toHaveLength(180);
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 0 });
  });

  it("do not include tests", async () => {
    await failDeliveries(19);
    bench.sandbox.receivers.faults.add({ ...refusing, times: 3 });
    for (let test = 0; test < 3; test++) await bench.clock.run(() => bench.social.webhooks.test(id));
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 19 });
    await bench.clock.run(() => bench.social.webhooks.test(id));
    expect(await endpoint()).toMatchObject({ status: "active", consecutive_failures: 19 });
  });

  it("do not count for another endpoint", async () => {
    const { id: other } = await bench.endpoint("b");
    bench.sandbox.receivers.faults.add({ ...refusing, operation: "a" });
    await bench.happen(20);
    await ripen();
    await bench.deliver();
    expect((await endpoint()).status).toBe("disabled");
    expect(await bench.social.webhooks.get(other)).toMatchObject({ status: "active", consecutive_failures: 0 });
    expect(bench.taken("b")).toHaveLength(20);
  });
});

/** Responds after a second, and counts the concurrent requests. */
function slowReceiver() {
  const seen = { inFlight: 0, most: 0, times: 0 };
  bench.answer("a", async () => {
    seen.inFlight += 1;
    seen.times += 1;
    seen.most = Math.max(seen.most, seen.inFlight);
    await bench.clock.sleep(1_000);
    seen.inFlight -= 1;
    return new Response("slow");
  });
  return seen;
}

describe("a disabled endpoint", () => {
  const pending = async () => (await bench.log(id)).filter(({ status }) => status === "pending");

  it("keeps pending deliveries, without a next attempt, and records nothing new", async () => {
    await bench.happen(5);
    await bench.social.webhooks.update(id, { status: "disabled" });
    expect(await endpoint()).toMatchObject({ status: "disabled", disabled_reason: expect.any(String) });
    await bench.happen(5);
    await bench.clock.advance(40 * hour);
    await bench.deliver();
    expect(bench.sent).toEqual([]);
    const waiting = await pending();
    expect(waiting).toHaveLength(5);
    expect(waiting.every(({ next_attempt_at, attempts }) => next_attempt_at === null && attempts === 0)).toBe(true);
  });

  it("that failed too often stops immediately, and keeps the rest", async () => {
    bench.sandbox.receivers.faults.add(refusing);
    await bench.happen(40);
    await ripen();
    await bench.deliver();
    expect((await endpoint()).status).toBe("disabled");
    expect(bench.sent.length).toBeGreaterThanOrEqual(20);
    expect(bench.sent.length).toBeLessThanOrEqual(28);
    expect(await pending()).toHaveLength(40 - bench.sent.length);
    await bench.clock.advance(40 * hour);
    await bench.deliver();
    expect(bench.sent.length).toBeLessThanOrEqual(28);
  });

  it("resumes with all waiting deliveries, from zero, with at most eight at the same time", async () => {
    await failDeliveries(20);
    expect((await endpoint()).status).toBe("disabled");
    await bench.social.webhooks.update(id, { status: "active" });
    await bench.happen(100);
    await bench.social.webhooks.update(id, { status: "disabled" });
    const seen = slowReceiver();
    const resumed = await bench.social.webhooks.update(id, { status: "active" });
    expect(resumed).toMatchObject({ status: "active", consecutive_failures: 0 });
    expect(resumed).not.toHaveProperty("disabled_reason");
    await bench.deliver();
    expect(seen).toEqual({ inFlight: 0, most: 8, times: 100 });
    expect(await pending()).toEqual([]);
  });

  it("resumes immediately where the service runs", async () => {
    await bench.social.start();
    await bench.social.webhooks.update(id, { status: "disabled" });
    await bench.clock.advance(1_000);
    await bench.social.webhooks.update(id, { status: "active" });
    await bench.happen();
    await bench.social.webhooks.update(id, { status: "disabled" });
    await bench.clock.advance(60_000);
    await bench.social.webhooks.update(id, { status: "active" });
    await bench.clock.advance(0);
    expect(bench.taken()).toHaveLength(1);
    await bench.social.stop();
  });

  it("still records how the requests under way ended", async () => {
    const seen = slowReceiver();
    await bench.happen(30);
    await bench.clock.run(async () => {
      const run = bench.social.runDue();
      await bench.clock.sleep(1_500);
      await bench.social.webhooks.update(id, { status: "disabled" });
      await run;
    });
    expect(seen.times).toBe(16);
    const log = await bench.log(id);
    expect(log.filter(({ status }) => status === "delivered")).toHaveLength(16);
    expect(await pending()).toHaveLength(14);
  });

  it("that is disabled again, or made active twice, stays unchanged", async () => {
    await failDeliveries(3);
    await bench.social.webhooks.update(id, { status: "active" });
    expect((await endpoint()).consecutive_failures).toBe(3);
    await failDeliveries(17);
    const { disabled_reason } = await endpoint();
    await bench.social.webhooks.update(id, { status: "disabled" });
    expect(disabled_reason).toContain("in a row");
    expect((await endpoint()).disabled_reason).toBe(disabled_reason);
  });
});
