import { beforeEach, describe, expect, it } from "vitest";
import type { CollectionName } from "../../src/storage/schema.ts";
import { type Operation, type Storage, StorageConflict } from "../../src/storage/storage.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { bringDeliveriesForward } from "../../src/webhooks/bring-forward.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";
import { connectMastodon } from "../support/connect.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const delivered = expect.objectContaining({ status: "delivered", due_at: null });

/** Runs due work every five seconds, for so long. */
async function sweepFor({ clock, social }: WebhookBench, ms: number): Promise<void> {
  await clock.run(async () => {
    for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
      await clock.sleep(5_000);
      await social.runDue({ forMs: 1 });
    }
  });
}

async function deliveries({ storage }: WebhookBench): Promise<DeliveryRow[]> {
  const { rows } = await storage.find("deliveries", { where: {}, order: { column: "created_at", direction: "asc" } });
  return rows.map((row) => fromRow<DeliveryRow>(row));
}

describe("a machine whose clock, and so its store's, was a day ahead and is set right", () => {
  it("immediately delivers events that were recorded before and not yet sent", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    bench.clock.jump(dayMs);
    await bench.deliver();
    await bench.happen();
    bench.clock.jump(-dayMs);
    await sweepFor(bench, 10_000);
    expect(bench.taken("a")).toHaveLength(1);
  });

  it("retries a failed delivery after a minute", async () => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    bench.clock.jump(dayMs);
    bench.sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 500 } });
    await bench.happen();
    await bench.deliver();
    bench.clock.jump(-dayMs);
    await sweepFor(bench, 30_000);
    expect(bench.taken("a")).toHaveLength(0);
    await sweepFor(bench, minuteMs);
    expect(bench.taken("a")).toHaveLength(1);
    expect(await bench.log(id)).toEqual([expect.objectContaining({ status: "delivered", attempts: 2 })]);
  });

  it.each([5, 10])(
    "retries after a minute a delivery that fails %i s after it was sent, and continues with other due ones",
    async (seconds) => {
      const bench = webhookBench();
      await bench.endpoint("a");
      bench.clock.jump(dayMs);
      let sent = 0;
      const taken = new Set<string>();
      bench.answer("a", async (request) => {
        sent += 1;
        // Every concurrent request fails, so that the next ones begin then.
        if (sent <= 8) return bench.clock.sleep(seconds * 1_000).then(() => new Response(null, { status: 500 }));
        taken.add(((await request.json()) as { id: string }).id);
        return new Response(null, { status: 204 });
      });
      await bench.happen(20);
      await bench.clock.run(async () => {
        const delivering = bench.social.runDue();
        await bench.clock.sleep(2_000);
        bench.clock.jump(-dayMs);
        await bench.social.runDue();
        await delivering;
      });
      await sweepFor(bench, 2 * minuteMs);
      expect(taken.size).toBe(20);
    },
  );

  it("immediately delivers the outcome of a post whose request was under way", async () => {
    const bench = webhookBench();
    const { clock, social, sandbox } = bench;
    const profile = await connectMastodon(bench);
    await bench.endpoint("a");
    clock.jump(dayMs);
    sandbox.mastodon.faults.add({ kind: "slow", seconds: 20, operation: "commit" });
    await clock.run(async () => {
      const post = social.posts.create({ profile_ids: [profile.id], text: "Once" });
      await clock.sleep(10_000);
      clock.jump(-dayMs);
      await post;
    });
    await sweepFor(bench, minuteMs);
    expect(bench.taken("a").map(({ event }) => event)).toEqual(["post.published"]);
  });
});

describe("a clock that is set", () => {
  it.each([
    ["an hour ahead", hourMs],
    ["an hour back", -hourMs],
  ])("%s: the wait for a seventh attempt is no longer than a day more", async (_, jumpMs) => {
    const bench = webhookBench();
    await bench.endpoint("a");
    await bench.happen();
    const [waiting] = await deliveries(bench);
    const due_at = bench.clock.now() + dayMs;
    const change = { attempts: 6, due_at };
    await bench.storage.write([{ kind: "update", collection: "deliveries", id: waiting?.id ?? "", change, where: {} }]);
    bench.clock.jump(jumpMs);
    await sweepFor(bench, minuteMs);
    expect(bench.taken("a")).toHaveLength(0);
    const [after] = await deliveries(bench);
    expect(after?.due_at).toBeLessThanOrEqual(due_at);
    expect(after?.due_at).toBeGreaterThanOrEqual(due_at - hourMs);
  });

  it.each([
    ["ahead, or a machine that slept, does not shorten the pause that a receiver has asked for", hourMs, 12 * hourMs],
    ["back replaces that pause by the service's own", -hourMs, Math.ceil(minuteMs * 1.05)],
  ])("%s", async (_, jumpMs, pauseMs) => {
    const bench = webhookBench();
    await bench.endpoint("a");
    await bench.happen();
    bench.answer("a", () => new Response("later", { status: 503, headers: { "retry-after": String(43_200) } }));
    await bench.deliver();
    const askedAt = bench.clock.now();
    bench.clock.jump(jumpMs);
    await bench.deliver();
    const [waiting] = await deliveries(bench);
    expect((waiting?.due_at ?? 0) - Math.min(askedAt, bench.clock.now())).toBeGreaterThanOrEqual(pauseMs);
    expect((waiting?.due_at ?? 0) - Math.min(askedAt, bench.clock.now())).toBeLessThanOrEqual(pauseMs * 1.06);
  });

  it("brings forward only the deliveries too far ahead for their attempts, of every endpoint, however many", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    await bench.endpoint("b");
    await bench.happen(250);
    const now = bench.clock.now();
    const aheadOf = [2 * dayMs, minuteMs, 2 * dayMs, 2 * dayMs, 7 * hourMs, 7 * hourMs, 2 * dayMs, dayMs, dayMs];
    const rows = await deliveries(bench);
    for (const [place, { id }] of rows.entries()) {
      const attempts = place % aheadOf.length;
      const change = { attempts, due_at: now + (aheadOf[attempts] ?? 0) };
      await bench.storage.write([{ kind: "update", collection: "deliveries", id, change, where: {} }]);
    }
    await bringDeliveriesForward(bench.storage, now);
    const left = new Map<number, Set<number>>();
    for (const { attempts, due_at } of await deliveries(bench))
      left.set(attempts, (left.get(attempts) ?? new Set()).add((due_at ?? 0) - now));
    const longest = (ms: number): number => Math.ceil(ms * 1.05);
    expect([...left].sort(([one], [other]) => one - other)).toEqual([
      [0, new Set([0])],
      [1, new Set([minuteMs])],
      [2, new Set([longest(5 * minuteMs)])],
      [3, new Set([longest(30 * minuteMs)])],
      [4, new Set([longest(2 * hourMs)])],
      [5, new Set([longest(6 * hourMs)])],
      [6, new Set([longest(dayMs)])],
      [7, new Set([0])],
      [8, new Set([0])],
    ]);
  });

  it.each<[string, "deliveries" | "endpoints", (bench: WebhookBench, id: string) => Promise<unknown>, object[]]>([
    ["reads again where a delivery has changed meanwhile", "deliveries", (bench) => bench.deliver(), [delivered]],
    ["skips an endpoint that is deleted", "deliveries", (bench, id) => bench.social.webhooks.delete(id), []],
    ["skips an endpoint that is deleted later", "endpoints", (bench, id) => bench.social.webhooks.delete(id), []],
  ])("%s", async (_, collection, interfere, left) => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    await bench.happen();
    let isFirst = true;
    const storage: typeof bench.storage = {
      ...bench.storage,
      async write(operations) {
        if (isFirst && operations[0]?.collection === collection) {
          isFirst = false;
          await interfere(bench, id);
        }
        return bench.storage.write(operations);
      },
    };
    await bringDeliveriesForward(storage, bench.clock.now() - dayMs);
    expect(isFirst).toBe(false);
    expect(await deliveries(bench)).toEqual(left);
  });
});

/** The bench's storage, in which writes to a collection fail. */
function failing({ storage }: WebhookBench, collection: CollectionName, fail: (operation: Operation) => Error) {
  const seen = { writes: 0 };
  const broken: Storage = {
    ...storage,
    async write(operations) {
      const [operation] = operations;
      if (operation?.collection !== collection) return storage.write(operations);
      seen.writes += 1;
      throw fail(operation);
    },
  };
  return { seen, broken };
}

describe("bringing deliveries forward", () => {
  let bench: WebhookBench;
  let id: string;

  beforeEach(async () => {
    bench = webhookBench();
    id = (await bench.endpoint("a")).id;
  });

  it("skips an endpoint without deliveries ahead", async () => {
    await bench.happen();
    await bench.storage.write([{ kind: "update", collection: "endpoints", id, change: { due_at: null }, where: {} }]);
    await bringDeliveriesForward(bench.storage, bench.clock.now());
    expect(await bench.storage.get("endpoints", id)).toMatchObject({ due_at: null });
    await bringDeliveriesForward(bench.storage, bench.clock.now() - 1);
    expect(await bench.storage.get("endpoints", id)).toMatchObject({ due_at: bench.clock.now() - 1 });
  });

  it.each(["deliveries", "endpoints"] as const)(
    "throws the error of a store that rejects its %s, immediately",
    async (each) => {
      await bench.happen();
      const { broken, seen } = failing(bench, each, () => new Error("the disk is full"));
      await expect(bringDeliveriesForward(broken, bench.clock.now() - dayMs)).rejects.toThrow("the disk is full");
      expect(seen.writes).toBe(1);
    },
  );

  it("gives up on deliveries that change again and again, after twenty retries", async () => {
    await bench.happen();
    const { broken, seen } = failing(bench, "deliveries", (operation) => new StorageConflict(0, operation, "where"));
    await expect(bringDeliveriesForward(broken, bench.clock.now() - dayMs)).rejects.toThrow(StorageConflict);
    expect(seen.writes).toBe(21);
  });
});
