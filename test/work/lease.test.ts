import { describe, expect, it } from "vitest";
import type { ProfileRow } from "../../src/profiles/rows.ts";
import { type Storage, StorageConflict } from "../../src/storage/storage.ts";
import { claimRow, keepWhile, type Lease, LeaseLost, leaseMs, onlyWhileHeld } from "../../src/work/lease.ts";
import { storeMoment } from "../../src/work/store-time.ts";
import { type ProfileStore, profileStore } from "../profiles/profile-row.ts";

async function claim(store: ProfileStore, { due = false } = {}): Promise<Lease> {
  const claimed = await claimRow(store, {
    collection: "profiles",
    id: "prof_1",
    due,
    moment: await storeMoment(store),
  });
  if (claimed === null) throw new Error("the profile was not claimed");
  return claimed.lease;
}

/** The rest of the stored lease, milliseconds. */
async function leftMs(store: ProfileStore): Promise<number> {
  return (await store.read()).lease_until - store.clock.now();
}

/** The store, whose next writes take so long to arrive, milliseconds. */
function withSlowWrites(store: ProfileStore): ProfileStore & { next(takeMs: readonly number[]): void } {
  const waits: number[] = [];
  const storage: Storage = {
    ...store.storage,
    async write(operations) {
      const takesMs = waits.shift() ?? 0;
      if (takesMs > 0) await store.clock.sleep(takesMs);
      return store.storage.write(operations);
    },
  };
  return { ...store, storage, next: (takeMs) => void waits.splice(0, waits.length, ...takeMs) };
}

/** Records a response, as far as the lease is concerned. Returns the number of its operations on the lease. */
function endRequest(lease: Lease, id: string, { storage }: ProfileStore): Promise<number> {
  return lease.endRequest(id, async (shortening) => {
    if (shortening.length > 0) await storage.write(shortening);
    return shortening.length;
  });
}

const alone = { operations: [] };

describe("claiming a profile", () => {
  it("gives one of two claimers a lease of 25 s under a new epoch", async () => {
    const store = await profileStore({ epoch: 6 });
    const options = { due: false, moment: await storeMoment(store) };
    const claims = await Promise.all(
      [1, 2].map(() => claimRow(store, { collection: "profiles", id: "prof_1", ...options })),
    );
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    expect(await store.read()).toMatchObject({ epoch: 7, lease_until: store.clock.now() + 25_000, due_at: null });
  });

  it("returns the row in its current state", async () => {
    const store = await profileStore();
    const claimed = await claimRow(store, {
      collection: "profiles",
      id: "prof_1",
      due: false,
      moment: await storeMoment(store),
    });
    expect(claimed?.row).toEqual(await store.read());
    expect(claimed?.lease).toMatchObject({ id: "prof_1", epoch: 1 });
  });

  it("returns changes between its read and its claim, too", async () => {
    const store = await profileStore();
    const storage: Storage = {
      ...store.storage,
      async write(operations) {
        await store.change({ status: "disconnected" });
        return store.storage.write(operations);
      },
    };
    const moment = await storeMoment(store);
    const claimed = await claimRow({ ...store, storage }, { collection: "profiles", id: "prof_1", due: false, moment });
    expect(claimed?.row).toMatchObject({ status: "disconnected", epoch: 1 });
  });

  it("fails while another process holds the profile, and succeeds once that lease has ended", async () => {
    const store = await profileStore();
    await claim(store);
    await store.clock.advance(leaseMs - 1);
    expect(
      await claimRow(store, { collection: "profiles", id: "prof_1", due: false, moment: await storeMoment(store) }),
    ).toBeNull();
    await store.clock.advance(1);
    expect((await claim(store)).epoch).toBe(2);
  });

  it("fails when another process was faster, even if that has released the profile already", async () => {
    const store = await profileStore();
    const storage: Storage = {
      ...store.storage,
      async get(collection, id) {
        const row = await store.storage.get(collection, id);
        await store.change({ epoch: 1, lease_until: 0 });
        return row;
      },
    };
    const moment = await storeMoment(store);
    expect(
      await claimRow({ ...store, storage }, { collection: "profiles", id: "prof_1", due: false, moment }),
    ).toBeNull();
  });

  it("fails for a profile that does not exist", async () => {
    const store = await profileStore();
    expect(
      await claimRow(store, { collection: "profiles", id: "prof_2", due: false, moment: await storeMoment(store) }),
    ).toBeNull();
  });

  it.each([
    { name: "nothing is due", dueInMs: null, claimed: false },
    { name: "it is due later", dueInMs: 1, claimed: false },
    { name: "it is due", dueInMs: 0, claimed: true },
  ])("for due work, when $name: $claimed", async ({ dueInMs, claimed }) => {
    const store = await profileStore();
    const now = store.clock.now();
    await store.change({ due_at: dueInMs === null ? null : now + dueInMs });
    expect(
      (await claimRow(store, { collection: "profiles", id: "prof_1", due: true, moment: await storeMoment(store) })) !==
        null,
    ).toBe(claimed);
  });

  it("for due work moves its due time to the lease's end, in case the holder dies", async () => {
    const store = await profileStore({ due_at: 0 });
    await claim(store, { due: true });
    expect((await store.read()).due_at).toBe(store.clock.now() + leaseMs);
  });

  it("for a change leaves the due time unchanged", async () => {
    const store = await profileStore({ due_at: 5 });
    await claim(store);
    expect((await store.read()).due_at).toBe(5);
  });
});

describe("a lease", () => {
  it("gives the store's time by the monotonic clock", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    const start = store.clock.now();
    await store.clock.advance(2_000);
    store.clock.jump(3_600_000);
    expect(lease.now()).toBe(start + 2_000);
  });

  it("is extended to cover a request and ten seconds", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.ensure(60_000);
    expect(await leftMs(store)).toBe(70_000);
  });

  it("is not extended while it is long enough", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.ensure(leaseMs - 11_000);
    await store.clock.advance(1_000);
    await lease.ensure(leaseMs - 11_000);
    expect(await leftMs(store)).toBe(leaseMs - 1_000);
    await store.clock.advance(1);
    await lease.ensure(leaseMs - 11_000);
    expect(await leftMs(store)).toBe(leaseMs);
  });

  it("remembers its extension", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.ensure(60_000);
    await store.clock.advance(40_000);
    await lease.ensure(5_000);
    expect(await leftMs(store)).toBe(30_000);
  });

  it("is as long as two concurrent extensions need, in whatever order the store applies them", async () => {
    const store = await profileStore();
    const slow = withSlowWrites(store);
    const lease = await claim(slow);
    slow.next([500, 0]);
    await store.clock.run(() => Promise.all([lease.ensure(60_000), lease.ensure(300_000)]));
    expect(await leftMs(store)).toBeGreaterThan(300_000);
  });

  it.each([
    [300_000, 60_000],
    [60_000, 300_000],
  ])("is as long as the longest of concurrent requests needs: %i and %i ms", async (first, second) => {
    const store = await profileStore();
    const lease = await claim(store);
    await Promise.all([lease.ensure(first), lease.ensure(second)]);
    expect(await leftMs(store)).toBe(310_000);
    await store.change({ epoch: 2 });
    await lease.ensure(300_000);
  });

  it("is lost when another process has claimed the profile", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await store.change({ epoch: 2, lease_until: store.clock.now() + 1_000 });
    await expect(lease.ensure(60_000)).rejects.toBeInstanceOf(LeaseLost);
    expect(await leftMs(store)).toBe(1_000);
  });

  it("is lost once it has ended, even if no other process has claimed the profile", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await store.clock.advance(leaseMs);
    await expect(lease.ensure(0)).rejects.toBeInstanceOf(LeaseLost);
  });

  it.each([5_001, -5_001])("is abandoned when the wall clock jumps by %i ms", async (jumpMs) => {
    const store = await profileStore();
    const lease = await claim(store);
    store.clock.jump(jumpMs);
    expect(lease.hasClockJumped()).toBe(true);
    await expect(lease.ensure(0)).rejects.toBeInstanceOf(LeaseLost);
  });

  it.each([5_000, -5_000])("tolerates a correction of the wall clock by %i ms", async (jumpMs) => {
    const store = await profileStore();
    const lease = await claim(store);
    store.clock.jump(jumpMs);
    await store.clock.advance(10_000);
    expect(lease.hasClockJumped()).toBe(false);
    await lease.ensure(0);
  });

  it("allows a write only while it is the newest", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    const write = () => store.storage.write([lease.check()]);
    await onlyWhileHeld("profiles", write);
    await store.change({ epoch: 2 });
    await expect(onlyWhileHeld("profiles", write)).rejects.toBeInstanceOf(LeaseLost);
  });

  describe.each([
    ["is long enough", 0, leaseMs],
    ["is extended", 60_000, 70_000],
  ])("that %s", (_, ms, extendedMs) => {
    const row = { id: "int_1", subject_id: "tgt_1", part: 0, number: 1 };
    const operations = [{ kind: "insert", collection: "intents", row } as const];

    it("allows the write that goes with it", async () => {
      const store = await profileStore();
      const lease = await claim(store);
      await lease.beginRequest("int_1", ms, { operations, where: { status: "connected" } });
      expect(await leftMs(store)).toBe(extendedMs);
      expect(await store.storage.get("intents", "int_1")).not.toBeNull();
    });

    it.each<[string, Partial<ProfileRow>]>([
      ["it is the newest", { epoch: 2 }],
      ["the profile matches the condition", { status: "disconnected" }],
    ])("allows such a write only while %s", async (_, change) => {
      const store = await profileStore();
      const lease = await claim(store);
      await store.change(change);
      const begun = lease.beginRequest("int_1", ms, { operations, where: { status: "connected" } });
      await expect(begun).rejects.toBeInstanceOf(LeaseLost);
      expect(await leftMs(store)).toBe(leaseMs);
      expect(await store.storage.get("intents", "int_1")).toBeNull();
    });
  });

  it("does not count another collection's conflict as its loss", async () => {
    const store = await profileStore();
    const write = () =>
      store.storage.write([{ kind: "check", collection: "targets", id: "tgt_1", where: {} } as const]);
    await expect(onlyWhileHeld("profiles", write)).rejects.toBeInstanceOf(StorageConflict);
  });
});

describe("a lease under which a request may publish", () => {
  it("lasts until the request must be over, and is shortened afterwards", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 60_000, alone);
    expect(await leftMs(store)).toBe(70_000);
    await store.clock.advance(1_000);
    expect(await leftMs(store)).toBe(69_000);
    expect(await endRequest(lease, "int_1", store)).toBe(1);
    expect(await leftMs(store)).toBe(leaseMs);
  });

  it("may be extended again after it was shortened", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 60_000, alone);
    await endRequest(lease, "int_1", store);
    await lease.ensure(30_000);
    expect(await leftMs(store)).toBe(40_000);
    await lease.beginRequest("int_2", 120_000, alone);
    expect(await leftMs(store)).toBe(130_000);
  });

  it.each([
    { name: "longer", otherMs: 120_000, leftMs: 130_000 },
    { name: "less long, but longer than a new lease", otherMs: 40_000, leftMs: 50_000 },
  ])("stays long for another concurrent request, which may take $name", async ({ otherMs, leftMs: expected }) => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 60_000, alone);
    await lease.beginRequest("int_2", otherMs, alone);
    await endRequest(lease, "int_1", store);
    expect(await leftMs(store)).toBe(expected);
    await endRequest(lease, "int_2", store);
    expect(await leftMs(store)).toBe(leaseMs);
  });

  it("stays as long as another caller needs", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 60_000, alone);
    await lease.ensure(50_000);
    await endRequest(lease, "int_1", store);
    expect(await leftMs(store)).toBe(60_000);
  });

  it("is never extended by the end of a request, and costs no write when it is short", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 10_000, alone);
    await store.clock.advance(9_000);
    expect(await endRequest(lease, "int_1", store)).toBe(0);
    expect(await leftMs(store)).toBe(leaseMs - 9_000);
  });

  it("stays unchanged when another process holds it by the time of the response", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 60_000, alone);
    await store.change({ epoch: 2, lease_until: store.clock.now() + 70_000 });
    await expect(endRequest(lease, "int_1", store)).rejects.toBeInstanceOf(StorageConflict);
    expect(await leftMs(store)).toBe(70_000);
  });

  it("stays unchanged after a jump of the clock", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await lease.beginRequest("int_1", 60_000, alone);
    store.clock.jump(-3_600_000);
    expect(await endRequest(lease, "int_1", store)).toBe(0);
  });

  it("that could not be extended counts for nothing", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    const refused = lease.beginRequest("int_1", 600_000, { operations: [], where: { status: "disconnected" } });
    await expect(refused).rejects.toBeInstanceOf(LeaseLost);
    await lease.beginRequest("int_2", 60_000, alone);
    expect(await leftMs(store)).toBe(70_000);
  });

  describe("when the write that shortens it and one that extends it cross", () => {
    it.each([
      { name: "the one that shortens it arrives later", takeMs: [5_000, 0] },
      { name: "the one that extends it arrives later", takeMs: [0, 5_000] },
    ])("is long enough for the new request: $name", async ({ takeMs }) => {
      const store = await profileStore();
      const slow = withSlowWrites(store);
      const lease = await claim(slow);
      await lease.beginRequest("int_1", 60_000, alone);
      slow.next(takeMs);
      await store.clock.run(async () => {
        const ended = endRequest(lease, "int_1", slow).catch(() => "conflict");
        const begun = lease.beginRequest("int_2", 60_000, alone).then(() => leftMs(store));
        expect(await begun).toBeGreaterThan(60_000);
        await ended;
      });
      expect(await leftMs(store)).toBeGreaterThan(60_000);
    });

    it("is long enough for the new request, even if both ends fall on the same millisecond", async () => {
      const store = await profileStore();
      const slow = withSlowWrites(store);
      const lease = await claim(slow);
      await lease.beginRequest("int_1", 60_000, alone);
      await store.clock.advance(30_000);
      slow.next([5_000, 0]);
      await store.clock.run(async () => {
        const ended = endRequest(lease, "int_1", slow).catch(() => "conflict");
        await lease.beginRequest("int_2", 30_000, alone);
        expect(await ended).toBe("conflict");
      });
      expect(await leftMs(store)).toBeGreaterThanOrEqual(35_000);
    });
  });
});

describe("long work under a lease", () => {
  it("keeps the lease to the end", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    const result = await store.clock.run(() =>
      keepWhile(lease, store.clock, async () => {
        await store.clock.sleep(600_000);
        return "done";
      }),
    );
    expect(result).toBe("done");
    expect(await leftMs(store)).toBeGreaterThan(0);
  });

  it("releases the lease soon after the work", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await store.clock.run(() => keepWhile(lease, store.clock, () => store.clock.sleep(100_000)));
    await store.clock.advance(600_000);
    expect(await leftMs(store)).toBeLessThan(-500_000);
  });

  it("needs no write when it is short", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await store.clock.advance(leaseMs - 20_000);
    await store.clock.run(() => keepWhile(lease, store.clock, () => store.clock.sleep(4_999)));
    expect(await leftMs(store)).toBe(15_001);
  });

  it("always has ten seconds left, and holds the profile no longer than a new lease when its process dies", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    const left: number[] = [];
    await store.clock.run(() =>
      keepWhile(lease, store.clock, async () => {
        for (let passed = 0; passed < 300; passed++) {
          left.push(await leftMs(store));
          await store.clock.sleep(1_000);
        }
      }),
    );
    expect(Math.min(...left)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...left)).toBeLessThanOrEqual(leaseMs);
  });

  it("does not begin when the profile is lost", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await store.change({ epoch: 2 });
    await store.clock.advance(leaseMs - 1_000);
    let began = false;
    const work = async (): Promise<void> => {
      began = true;
    };
    await expect(keepWhile(lease, store.clock, work)).rejects.toBeInstanceOf(LeaseLost);
    expect(began).toBe(false);
  });

  it("ends when it is lost", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    const work = store.clock.run(() =>
      keepWhile(lease, store.clock, async () => {
        await store.change({ epoch: 2 });
        await store.clock.sleep(600_000);
      }),
    );
    await expect(work).rejects.toBeInstanceOf(LeaseLost);
    expect(store.clock.monotonic()).toBeLessThan(60_000);
  });

  it("rethrows the error of the work", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await expect(keepWhile(lease, store.clock, () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  });
});

describe("releasing a profile", () => {
  it("waits for pending changes of the lease, which would hold the profile afterwards", async () => {
    const store = await profileStore({ due_at: 0 });
    const slow = withSlowWrites(store);
    const lease = await claim(slow, { due: true });
    slow.next([500, 0]);
    await store.clock.run(() => Promise.all([lease.ensure(60_000), lease.release(null)]));
    expect(await store.read()).toMatchObject({ due_at: null, lease_until: 0 });
  });

  it("frees the profile immediately and sets its next due time", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    expect(await lease.release(12_345)).toBe(true);
    expect(await store.read()).toMatchObject({ due_at: 12_345, lease_until: 0, epoch: 1 });
  });

  it("is refused once when work became due meanwhile, and keeps the lease", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    await store.change({ due_at: store.clock.now() + 1 });
    expect(await lease.release(null)).toBe(false);
    expect(await leftMs(store)).toBe(leaseMs);
    expect(await lease.release(null)).toBe(true);
    expect(await store.read()).toMatchObject({ due_at: null, lease_until: 0 });
  });

  it("is refused again when work became due again", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    await store.change({ due_at: 1 });
    await lease.release(null);
    await store.change({ due_at: 2 });
    expect(await lease.release(null)).toBe(false);
  });

  it("is refused again when work became due again at the same moment", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    const at = store.clock.now() + 1;
    await store.change({ due_at: at });
    expect(await lease.release(null)).toBe(false);
    await store.change({ due_at: at });
    expect(await lease.release(null)).toBe(false);
    expect(await lease.release(null)).toBe(true);
  });

  it.each([
    { name: "of the lease's first end", aheadMs: 0 },
    { name: "seven seconds later, by the clock of the process that makes it due", aheadMs: 7_000 },
  ])("is refused when work became due at the moment $name, after an extension", async ({ aheadMs }) => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    const end = store.clock.now() + leaseMs;
    await store.clock.advance(leaseMs - aheadMs - 1_000);
    await lease.ensure(60_000);
    await store.clock.advance(1_000);
    await store.change({ due_at: end });
    expect(await lease.release(null)).toBe(false);
    expect(await lease.release(null)).toBe(true);
  });

  it("after long work sets the due time to the lease's end, in case the holder dies", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    await store.clock.advance(leaseMs - 1);
    expect(await lease.release(null)).toBe(false);
    const { due_at, lease_until } = await store.read();
    expect({ due_at, lease_until }).toEqual({
      due_at: store.clock.now() + leaseMs,
      lease_until: store.clock.now() + leaseMs,
    });
  });

  it("leaves work that became due meanwhile to the next holder, without another read", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    await store.change({ due_at: 1 });
    expect(await lease.release(null)).toBe(false);
    expect(await store.read()).toMatchObject({ due_at: store.clock.now() + leaseMs });
    await lease.giveBack();
    expect(await store.read()).toMatchObject({ due_at: store.clock.now(), lease_until: 0 });
  });

  it("is not possible for a holder that has lost the lease", async () => {
    const store = await profileStore({ due_at: 0 });
    const lease = await claim(store, { due: true });
    await store.change({ epoch: 2 });
    await expect(lease.release(null)).rejects.toBeInstanceOf(LeaseLost);
    await expect(lease.giveBack()).rejects.toBeInstanceOf(LeaseLost);
    expect(await leftMs(store)).toBe(leaseMs);
  });

  it("after a change keeps work that became due meanwhile", async () => {
    const store = await profileStore();
    const lease = await claim(store);
    await store.change({ due_at: 77 });
    await lease.giveBack();
    expect(await store.read()).toMatchObject({ due_at: 77, lease_until: 0 });
  });
});

describe("a lease's time", () => {
  it("starts before the claim is written: a slow store makes a lease look shorter, never longer", async () => {
    const store = await profileStore();
    const storage: Storage = {
      ...store.storage,
      async write(operations) {
        await store.storage.write(operations);
        await store.clock.advance(4_000);
      },
    };
    const moment = await storeMoment(store);
    const claimed = await claimRow({ ...store, storage }, { collection: "profiles", id: "prof_1", due: false, moment });
    expect(claimed?.lease.now()).toBe(store.clock.now());
  });

  it("is in whole milliseconds, though the monotonic clock is finer", async () => {
    const store = await profileStore();
    const readings = [0.1, 0.2, 0.9];
    const finer = { ...store.clock, monotonic: () => store.clock.monotonic() + (readings.shift() ?? 0.95) };
    const claimed = await claimRow(
      { ...store, clock: finer },
      { collection: "profiles", id: "prof_1", due: false, moment: await storeMoment({ ...store, clock: finer }) },
    );
    await store.clock.advance(10);
    expect(claimed?.lease.now()).toBe(store.clock.now());
  });
});
