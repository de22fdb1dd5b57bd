import { describe, expect, it } from "vitest";
import { randomIds } from "../../src/ports/ids.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

const minute = 60_000;
const hour = 60 * minute;
const waits = [1 * minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour];

/** Ignores every alarm. */
const deafScheduler: Scheduler = { start: async () => {}, wake: () => {}, stop: async () => {} };

const next = async (bench: WebhookBench, id: string): Promise<string | null> =>
  (await bench.log(id))[0]?.next_attempt_at ?? null;

/** Runs until the delivery has settled. Returns the announced time of each next attempt. */
async function follow(bench: WebhookBench, id: string, takesMs: number): Promise<number[]> {
  const announced: number[] = [];
  for (let at = await next(bench, id); at !== null; at = await next(bench, id)) {
    announced.push(Date.parse(at));
    await bench.clock.advance(Date.parse(at) - bench.clock.now() + takesMs + 1_000);
  }
  return announced;
}

describe.each([
  ["with alarms", undefined, 0],
  ["by sweeps only", deafScheduler, 1_000],
] as const)("a delivery that always fails, %s", (_, scheduler, latenessMs) => {
  it.each([
    ["refuses", { kind: "refuse", answer: { status: 500 } }, 0],
    ["hangs", { kind: "hang" }, 10_000],
  ] as const)(
    "is attempted seven times, at the contract's waits and at the announced times: the receiver %s",
    async (__, fault, takesMs) => {
      const bench = webhookBench(scheduler === undefined ? {} : { scheduler });
      const { id } = await bench.endpoint("a");
      bench.sandbox.receivers.faults.add({ ...fault, times: 100 });
      await bench.social.start();
      await bench.happen();
      await bench.clock.advance(45_000);
      const announced = await follow(bench, id, takesMs);
      await bench.clock.advance(2 * hour);

      const sentAt = bench.sent.map(({ at }) => at);
      expect(sentAt).toHaveLength(7);
      for (const [index, wait] of waits.entries()) {
        const waited = (sentAt[index + 1] ?? 0) - (sentAt[index] ?? 0) - takesMs;
        expect(waited, `wait ${index + 1}`).toBeGreaterThanOrEqual(wait);
        expect(waited, `wait ${index + 1}`).toBeLessThanOrEqual(wait * 1.1);
        const late = (sentAt[index + 1] ?? 0) - (announced[index] ?? 0);
        expect(late, `announced ${index + 1}`).toBeGreaterThanOrEqual(0);
        expect(late, `announced ${index + 1}`).toBeLessThanOrEqual(latenessMs);
      }
      expect(await bench.log(id)).toEqual([
        expect.objectContaining({ status: "failed", attempts: 7, next_attempt_at: null, error: expect.any(String) }),
      ]);
      expect(await bench.social.webhooks.get(id)).toMatchObject({ consecutive_failures: 1, status: "active" });
      await bench.social.stop();
    },
  );
});

/** How long after the failed attempt the next one is due, milliseconds. */
async function waitAfter(retryAfter: string, attempts = 0, status = 503): Promise<number> {
  const bench = webhookBench();
  const { id } = await bench.endpoint("a");
  await bench.happen();
  const [row] = (await bench.storage.find("deliveries", { where: {} })).rows;
  await bench.storage.write([
    { kind: "update", collection: "deliveries", id: row?.id ?? "", change: { attempts }, where: {} },
  ]);
  bench.answer("a", () => new Response("later", { status, headers: { "retry-after": retryAfter } }));
  await bench.deliver();
  return Date.parse((await next(bench, id)) ?? "") - bench.clock.now();
}

describe("an update of an endpoint", () => {
  it("rings an alarm when a delivery may wait, and none otherwise", async () => {
    const rung: number[] = [];
    const bench = webhookBench({ scheduler: { ...deafScheduler, wake: (at) => void rung.push(at) } });
    const { id } = await bench.endpoint("a");
    await bench.social.webhooks.update(id, { status: "disabled" });
    expect(rung).toEqual([]);
    await bench.social.webhooks.update(id, { status: "active" });
    expect(rung).toEqual([bench.clock.now()]);
  });
});

describe("a pause", () => {
  it.each([
    [0, minute],
    [255, 63_000],
  ])("is longer by the share of the random byte %i, a twentieth at most", async (byte, wait) => {
    const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(byte);
    const bench = webhookBench({ ids: { ...randomIds, bytes } });
    const { id } = await bench.endpoint("a");
    bench.sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 500 } });
    await bench.happen();
    const sentAt = bench.clock.now();
    await bench.deliver();
    expect(Date.parse((await next(bench, id)) ?? "") - sentAt).toBe(wait);
  });
});

describe("Retry-After", () => {
  // The clock stands at noon of 21 November 2026.
  it.each([
    ["seconds", "120", 2 * minute],
    ["a date", "Sat, 21 Nov 2026 12:10:00 GMT", 10 * minute],
    ["a date on an odd second", "Sat, 21 Nov 2026 13:00:07 GMT", hour + 7_000],
    ["a day", "86400", 24 * hour],
    ["more than a day", "86401", 24 * hour],
    ["a number out of range", "9".repeat(400), 24 * hour],
    ["a far date", "Fri, 31 Dec 9999 23:59:59 GMT", 24 * hour],
  ])("lengthens the wait, by a day at most: %s", async (_, header, wait) => {
    const waited = await waitAfter(header);
    expect(waited).toBeGreaterThanOrEqual(wait);
    expect(waited).toBeLessThanOrEqual(wait * 1.1);
  });

  it.each([
    ["too few seconds", "5"],
    ["none", "0"],
    ["a negative number", "-100"],
    ["a date in the past", "Fri, 20 Nov 2026 12:00:00 GMT"],
    ["half a second", "0.5"],
    ["words", "in a while"],
    ["nothing", ""],
    ["a list", "120, 240"],
  ])("never shortens the wait, and is ignored when it would: %s", async (_, header) => {
    for (const [attempts, wait] of waits.entries()) {
      const waited = await waitAfter(header, attempts);
      expect(waited).toBeGreaterThanOrEqual(wait);
      expect(waited).toBeLessThanOrEqual(wait * 1.1);
    }
  });

  it.each([[301], [400], [429], [500]])("counts with %i, too", async (status) => {
    expect(await waitAfter("600", 0, status)).toBeGreaterThanOrEqual(10 * minute);
  });

  it("does not cause an eighth attempt", async () => {
    expect(await waitAfter("600", 6)).toBeNaN();
  });
});

describe("a receiver that is down for three days", () => {
  it("gets the deliveries still retried afterwards; the rest failed after seven attempts, and none is pending for ever", async () => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    await bench.endpoint("well");
    bench.sandbox.receivers.faults.add({ kind: "not_sent", code: "ECONNREFUSED", operation: "a", times: 1e9 });
    await bench.social.start();
    for (let time = 0; time < 12; time++) {
      await bench.happen();
      await bench.clock.advance(6 * hour);
    }
    expect(bench.taken("well")).toHaveLength(12);
    bench.sandbox.receivers.faults.clear();
    await bench.clock.advance(27 * hour);
    const log = await bench.log(id);
    const arrived = log.filter(({ status }) => status === "delivered");
    const failed = log.filter(({ status }) => status === "failed");
    // Seven attempts take a day and a half: events of the first half of the three days are abandoned.
    expect([failed.length, arrived.length, log.length]).toEqual([7, 5, 12]);
    expect(failed.every(({ attempts }) => attempts === 7)).toBe(true);
    expect(
      bench
        .taken("a")
        .map((each) => each.id)
        .sort(),
    ).toEqual(arrived.map((each) => each.id).sort());
    expect(log.every(({ next_attempt_at }) => next_attempt_at === null)).toBe(true);
    await bench.social.stop();
  });
});
