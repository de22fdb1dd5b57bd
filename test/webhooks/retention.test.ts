import { beforeEach, describe, expect, it } from "vitest";
import type { Operation } from "../../src/storage/storage.ts";
import { pruneDeliveries } from "../../src/webhooks/retention.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

const day = 86_400_000;
const deliveriesKeptMs = 30 * day;

let bench: WebhookBench;
let id: string;

beforeEach(async () => {
  bench = webhookBench();
  id = (await bench.endpoint("a")).id;
});

const statuses = async (): Promise<string[]> => (await bench.log(id)).map(({ status }) => status).sort();

/** One of each status. */
async function fill(): Promise<void> {
  await bench.happen(3);
  const { rows } = await bench.storage.find("deliveries", { where: { status: "pending" } });
  const ends = ["delivered", "failed"];
  await bench.storage.write(
    rows.slice(0, 2).map(
      (row, index): Operation => ({
        kind: "update",
        collection: "deliveries",
        id: row.id,
        where: {},
        change: { status: ends[index] ?? "", due_at: null },
      }),
    ),
  );
}

describe("old deliveries", () => {
  it("are deleted thirty days after their creation; pending ones stay", async () => {
    await fill();
    await bench.clock.advance(30 * day);
    await pruneDeliveries({ ...bench, deliveriesKeptMs });
    expect(await statuses()).toEqual(["delivered", "failed", "pending"]);
    await bench.clock.advance(1);
    await pruneDeliveries({ ...bench, deliveriesKeptMs });
    expect(await statuses()).toEqual(["pending"]);
  });

  it("are deleted without the younger ones", async () => {
    await fill();
    await bench.clock.advance(day);
    await fill();
    await bench.clock.advance(29 * day + 1);
    await pruneDeliveries({ ...bench, deliveriesKeptMs });
    expect(await statuses()).toEqual(["delivered", "failed", "pending", "pending"]);
  });

  it("are deleted by thousands", async () => {
    await bench.happen(1_001);
    await bench.deliver();
    await bench.clock.advance(30 * day + 1);
    await pruneDeliveries({ ...bench, deliveriesKeptMs });
    expect((await bench.storage.find("deliveries", { where: {}, limit: 1 })).total).toBe(0);
  });

  it("are deleted automatically where the service runs, and where a cron job calls it", async () => {
    await fill();
    await bench.social.webhooks.update(id, { status: "disabled" });
    await bench.clock.advance(30 * day + 1);
    await bench.social.runDue();
    expect(await statuses()).toEqual(["pending"]);
    await bench.social.webhooks.update(id, { status: "active" });
    await bench.deliver();
    await bench.social.start();
    await bench.clock.advance(3_700_000);
    expect(await statuses()).toEqual([]);
    await bench.clock.run(() => bench.social.stop());
  });
});
