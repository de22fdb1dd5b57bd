import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/ports/clock.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { createDueWorker, type DueWork } from "../../src/work/due-worker.ts";
import { type ClaimableRow, type Lease, LeaseLost, leaseMs } from "../../src/work/lease.ts";
import { recordingLogger } from "../support/logger.ts";

/** Endpoints `wh_0`, `wh_1` … due at these times, after or before now, milliseconds; null: never. */
async function bench(
  dueIn: readonly (number | null)[],
  given: Partial<DueWork<ClaimableRow>> = {},
  /** The store's clock, where it is not the machine's. */
  storeClock?: Clock,
) {
  const clock = manualClock();
  const storage = memoryStorage({ clock: storeClock ?? clock });
  const logger = recordingLogger();
  const alarms: [inMs: number, id: string][] = [];
  const worked: { id: string; lease: Lease }[] = [];
  const start = clock.now();
  for (const [index, ms] of dueIn.entries()) {
    const due_at = ms === null ? null : start + ms;
    const row = { id: `wh_${index}`, due_at, lease_until: 0, epoch: 0 };
    await storage.write([{ kind: "insert", collection: "endpoints", row }]);
  }
  const worker = createDueWorker<ClaimableRow>(
    { storage, clock, logger, wake: (at, id) => void alarms.push([at - clock.now(), id]) },
    {
      collection: "endpoints",
      async work(row, lease) {
        worked.push({ id: row.id, lease });
        await lease.release(null);
      },
      ...given,
    },
  );
  const read = async (id: string): Promise<ClaimableRow> =>
    fromRow<ClaimableRow>((await storage.get("endpoints", id)) ?? { id: "gone" });
  return { clock, storage, worker, worked, alarms, lines: logger.lines, read, start };
}

const ids = (worked: readonly { id: string }[]): string[] => worked.map(({ id }) => id).sort();

describe("claiming due rows", () => {
  it("processes the due rows, the earliest first where there is a limit", async () => {
    const { worker, worked } = await bench([-1, 0, 1, null, -500]);
    await Promise.all(await worker.claimDue(2));
    expect(ids(worked)).toEqual(["wh_0", "wh_4"]);
    await Promise.all(await worker.claimDue(20));
    expect(ids(worked)).toEqual(["wh_0", "wh_1", "wh_4"]);
  });

  it("gives each row its own lease", async () => {
    const { worker, worked } = await bench([0, 0]);
    await Promise.all(await worker.claimDue(20));
    expect(worked.map(({ lease }) => [lease.id, lease.epoch]).sort()).toEqual([
      ["wh_0", 1],
      ["wh_1", 1],
    ]);
  });

  it("returns while the work is still under way", async () => {
    let finish = (): void => {};
    const work = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const { worker, read, start } = await bench([0], { work });
    const works = await worker.claimDue(20);
    expect(works).toHaveLength(1);
    expect(await worker.claimDue(20)).toEqual([]);
    expect(await read("wh_0")).toMatchObject({ lease_until: start + leaseMs, due_at: start + leaseMs, epoch: 1 });
    finish();
    await works[0];
  });

  it("takes a row over once its holder's lease has ended", async () => {
    const { worker, read, clock } = await bench([0], { work: async () => {} });
    await Promise.all(await worker.claimDue(20));
    await clock.advance(leaseMs - 1);
    expect(await worker.claimDue(20)).toHaveLength(0);
    await clock.advance(1);
    expect(await worker.claimDue(20)).toHaveLength(1);
    expect((await read("wh_0")).epoch).toBe(2);
  });

  it("logs failed work, which then rejects nowhere and stops no other", async () => {
    const seen: string[] = [];
    const { worker, lines } = await bench([0, 0], {
      async work({ id }) {
        if (id === "wh_0") throw new Error("the vault does not open");
        seen.push(id);
      },
    });
    await Promise.all(await worker.claimDue(20));
    expect(seen).toEqual(["wh_1"]);
    expect(lines).toEqual([expect.stringMatching(/^error .*wh_0.*the vault does not open/)]);
  });

  it("does not log a lost lease as a failure", async () => {
    const work = () => Promise.reject(new LeaseLost("gone"));
    const { worker, lines } = await bench([0], { work });
    await Promise.all(await worker.claimDue(20));
    expect(lines).toEqual([expect.stringMatching(/^info .*wh_0.*gone/)]);
  });
});

describe("an alarm for one row", () => {
  it("processes the row when it is due", async () => {
    const { worker, worked } = await bench([0, 0]);
    await worker.work("wh_1");
    expect(ids(worked)).toEqual(["wh_1"]);
  });

  it("that rings early asks for the right moment", async () => {
    const { worker, worked, alarms } = await bench([5_000]);
    await worker.work("wh_0");
    expect(worked).toEqual([]);
    expect(alarms).toEqual([[5_000, "wh_0"]]);
  });

  it.each([
    ["for a row without due work", "wh_0"],
    ["for a deleted row", "wh_9"],
  ])("does nothing %s", async (_, id) => {
    const { worker, worked, alarms } = await bench([null]);
    await worker.work(id);
    expect([worked, alarms]).toEqual([[], []]);
  });

  it("called twice concurrently processes the row once, and is set again for the end of the lease", async () => {
    const { worker, alarms, read } = await bench([0], {
      work: () => new Promise<void>((resolve) => setImmediate(resolve)),
    });
    await Promise.all([worker.work("wh_0"), worker.work("wh_0")]);
    expect((await read("wh_0")).epoch).toBe(1);
    expect(alarms).toEqual([[leaseMs, "wh_0"]]);
  });

  it("rethrows the error of its work", async () => {
    const { worker } = await bench([0], { work: () => Promise.reject(new Error("no")) });
    await expect(worker.work("wh_0")).rejects.toThrow("no");
  });
});

describe("a lease written by a clock that ran ahead", () => {
  const far = 40 * 86_400_000;

  it("counts from when it is first seen, together with the repairs that the row's work returns", async () => {
    const mended: string[] = [];
    const { worker, storage, read, clock, start } = await bench([far], {
      async afterLeaseAhead(id) {
        mended.push(id);
        return [{ kind: "insert", collection: "posts", row: { id: "post_mended" } }];
      },
    });
    const change = { lease_until: start + far };
    await storage.write([{ kind: "update", collection: "endpoints", id: "wh_0", change, where: {} }]);
    expect(await worker.claimDue(20)).toEqual([]);
    const longest = 15 * 60_000;
    expect(await read("wh_0")).toMatchObject({ lease_until: start + longest, due_at: start + longest });
    expect(mended).toEqual(["wh_0"]);
    expect(await storage.get("posts", "post_mended")).not.toBeNull();
    await clock.advance(longest);
    expect(await worker.claimDue(20)).toHaveLength(1);
  });

  it("is searched for again a minute after the last search, not at each claim", async () => {
    const { worker, storage, read, clock, start } = await bench([far]);
    await worker.claimDue(20);
    const change = { lease_until: start + far };
    await storage.write([{ kind: "update", collection: "endpoints", id: "wh_0", change, where: {} }]);
    await clock.advance(59_999);
    await worker.claimDue(20);
    expect(await read("wh_0")).toMatchObject(change);
    await clock.advance(1);
    await worker.claimDue(20);
    expect(await read("wh_0")).toMatchObject({ lease_until: start + 60_000 + 15 * 60_000 });
  });

  it("is not changed while it could be right", async () => {
    const { worker, storage, read, start } = await bench([null]);
    const change = { lease_until: start + 15 * 60_000, due_at: start };
    await storage.write([{ kind: "update", collection: "endpoints", id: "wh_0", change, where: {} }]);
    expect(await worker.claimDue(20)).toEqual([]);
    expect(await read("wh_0")).toMatchObject(change);
  });

  it("is left to the process that has claimed the row meanwhile", async () => {
    const { worker, storage, read, start } = await bench([null], {
      afterLeaseAhead: async (id) => [{ kind: "check", collection: "endpoints", id, where: { epoch: 99 } }],
    });
    const change = { lease_until: start + far };
    await storage.write([{ kind: "update", collection: "endpoints", id: "wh_0", change, where: {} }]);
    expect(await worker.claimDue(20)).toEqual([]);
    expect(await read("wh_0")).toMatchObject(change);
  });
});

it("a machine ahead of the store's clock asks for an alarm by its own clock, and does not ring again and again", async () => {
  const aheadMs = 300_000;
  const { clock, worker, alarms } = await bench([60_000], {}, manualClock());
  clock.jump(aheadMs);
  await worker.work("wh_0");
  expect(alarms).toEqual([[60_000, "wh_0"]]);
});

it("a jump of the clock is handled until the handler has succeeded, and then not again", async () => {
  const seen: number[] = [];
  let isBroken = true;
  const { clock, worker } = await bench([0], {
    async afterJump(_now, byMs) {
      seen.push(byMs);
      if (isBroken) throw new Error("the store is away");
    },
  });
  await Promise.all(await worker.claimDue(20));
  clock.jump(-60_000);
  await expect(worker.claimDue(20)).rejects.toThrow("the store is away");
  isBroken = false;
  await Promise.all(await worker.claimDue(20));
  await Promise.all(await worker.claimDue(20));
  expect(seen).toEqual([-60_000, -60_000]);
});
