import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BudgetUsedUp, createListBudgets, type Reservation } from "../../src/inbox/list-budgets.ts";
import type { InboxRow } from "../../src/inbox/rows.ts";
import type { Budget } from "../../src/networks/contract/budgets.ts";
import { noReactions } from "../../src/networks/contract/inbox.ts";
import { windowAt } from "../../src/networks/runtime/budgets.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import type { Lease } from "../../src/work/lease.ts";
import { fakeAdapter } from "../networks/fake-network.ts";
import { type Random, seededRandom } from "../prove/random.ts";

const folder = mkdtempSync(join(tmpdir(), "postrider-budgets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let stores = 0;

const hourMs = 3_600_000;
const day_in = "America/Los_Angeles";
/** The clocks are put back on the second day. */
const begin = Date.parse("2026-10-31T07:00:00Z");

/** An inbox that reads one list, in a process of its own each time. */
interface Reader {
  tenant: string;
  row: InboxRow;
  isNew: boolean;
  requests: number;
  /** Not asked before this, milliseconds. */
  waitsUntil: number;
}

/** Counts what lists have used of one day, without a store. */
interface Tally {
  all: number;
  backfill: number;
  byTenant: Map<string, number>;
  tenants: Set<string>;
}

const emptyTally = (): Tally => ({ all: 0, backfill: 0, byTenant: new Map(), tenants: new Set() });

function openReaders(random: Random): Reader[] {
  const tenants = random.between(1, 6);
  return Array.from({ length: random.between(1, 14) }, (_, index) => {
    // The first has more profiles than others.
    const tenant = `tenant-${random.next() < 0.5 ? 1 : random.between(1, tenants)}`;
    const known = { account_id: tenant, profile_id: `prof_${index}`, id: `inb_${index}` };
    const row = { ...known, network: "mastodon", app_id: "app-1", private: {} } as unknown as InboxRow;
    return { tenant, row, isNew: random.next() < 0.5, requests: random.between(1, 3), waitsUntil: 0 };
  });
}

/** Reads the lists of some inboxes for three days, as often as they may or at times that chance chooses. */
async function runModel(storage: Storage, seed: number): Promise<{ looks: number; refusals: number; used: number[] }> {
  const random = seededRandom(seed);
  const budget: Budget = { name: "units", per: "app", limit: random.between(60, 2_000), day_in };
  const cost = { budget: "units", units: random.between(1, 5) };
  const source = { name: "list", every: { min: 60, max: 60 }, cost, poll: async () => Promise.reject(new Error("no")) };
  const inbox = { reports: { reactions: noReactions }, sources: [source] };
  const adapter = { spec: { ...fakeAdapter().spec, budgets: [budget] } };
  const readers = openReaders(random);
  const days = new Map<string, Tally>();
  const outcome = { looks: 0, refusals: 0 };
  let now = begin;
  const lease = { now: () => now } as Lease;
  const dayNames: string[] = [];
  while (now < begin + 3 * 24 * hourMs) {
    const day = windowAt(budget, now);
    if (!days.has(day.name)) {
      days.set(day.name, emptyTally());
      dayNames.push(day.name);
    }
    const tally = days.get(day.name) ?? emptyTally();
    const before = days.get(dayNames.at(-2) ?? "");
    const reader = random.of(readers);
    if (reader.waitsUntil <= now) {
      tally.tenants.add(reader.tenant);
      const accounts = Math.max(tally.tenants.size, before?.tenants.size ?? 0);
      const room = budget.limit * ((0.8 * (now - day.from)) / (day.until - day.from) + 0.05);
      const most = budget.limit * 0.85;
      const reserved = 3 * cost.units;
      const used = tally.byTenant.get(reader.tenant) ?? 0;
      const part = Math.min(1, 2 / accounts);
      const bound = (share: number): number => Math.max(share * most < reserved ? reserved : 0, share * room);
      const fits =
        tally.all + reserved <= bound(1) &&
        used + reserved <= bound(part) &&
        (!reader.isNew || tally.backfill + reserved <= bound(0.2));
      const budgets = createListBudgets({ storage, adapter, inbox, row: reader.row, lease });
      const reservation: Reservation | BudgetUsedUp = await budgets
        .reserve(cost, { isBackfill: reader.isNew })
        .catch((error: unknown) => {
          if (error instanceof BudgetUsedUp) return error;
          throw error;
        });
      expect(reservation instanceof BudgetUsedUp, `seed ${seed}, look ${outcome.looks}`).toBe(!fits);
      if (reservation instanceof BudgetUsedUp) {
        outcome.refusals += 1;
        expect(reservation.until > now && reservation.until <= Math.max(day.until, now + 1_000)).toBe(true);
        if (random.next() < 0.7) reader.waitsUntil = reservation.until;
      } else {
        outcome.looks += 1;
        for (let count = 0; count < reader.requests; count++) await reservation.takeRequest();
        await reservation.end();
        const units = reader.requests * cost.units;
        tally.all += units;
        tally.byTenant.set(reader.tenant, used + units);
        if (reader.isNew) tally.backfill += units;
        if (random.next() < 0.2) reader.isNew = !reader.isNew;
      }
      reader.row = { ...reader.row, private: budgets.into(reader.row.private) };
      expect(reader.row.private.budgets?.units?.from).toBe(day.from);
    }
    now += random.between(1, 20) * 60_000;
  }
  return { ...outcome, used: [...days.values()].map(({ all }) => all / budget.limit) };
}

describe.each<[string, () => Storage, number]>([
  ["memory", () => memoryStorage({ clock: manualClock(begin) }), 60],
  ["SQLite", () => sqliteStorage(join(folder, `${stores++}.db`)), 4],
])("the shares of a budget in %s", (_, open, runs) => {
  it.each(Array.from({ length: runs }, (__, index) => index + 1))("are those of the model, seed %i", async (seed) => {
    const storage = open();
    await storage.migrate();
    const { looks, refusals, used } = await runModel(storage, seed);
    expect(looks + refusals).toBeGreaterThan(0);
    expect(Math.max(...used)).toBeLessThanOrEqual(0.85);
    await storage.close();
  });
});

it("the models refuse often enough, and allow most of the budget", async () => {
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, index) => runModel(memoryStorage({ clock: manualClock(begin) }), index + 1)),
  );
  expect(all.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(1_000);
  expect(Math.max(...all.flatMap(({ used }) => used))).toBeGreaterThan(0.7);
});
