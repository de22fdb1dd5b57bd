import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Budget } from "../../src/networks/contract/budgets.ts";
import { budgetKey, windowAt } from "../../src/networks/runtime/budgets.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { type ManualClock, manualClock } from "../../src/testing/clock.ts";
import { openToyLists, type ToyLists } from "../support/toy-lists.ts";

const folder = mkdtempSync(join(tmpdir(), "postrider-budgets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let stores = 0;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const midnight = "2026-11-21T00:00:00.000Z";
const cost = { budget: "units", units: 1 };

function units(limit: number, per: Budget["per"] = "app"): Budget[] {
  return [{ name: "units", per, limit, seconds: 24 * 3_600 }];
}

/** Units that were counted for a budget in the current window. */
async function counted(storage: Storage, clock: ManualClock, of: string[] = []): Promise<number> {
  const now = clock.now();
  const window = windowAt({ seconds: 24 * 3_600 }, now);
  const key = budgetKey("units", { network: "mastodon", id: "app-1" }, window, of);
  return storage.increment({ key, by: 0, now, expiresAt: window.until });
}

const statusOf = async ({ social }: ToyLists, tenant = "default") =>
  (await social.forAccount(tenant).inbox.status()).data[0];

/** A service from midnight on, when a window begins. */
async function openAtMidnight(
  openStorage: (clock: ManualClock) => Storage,
  given: Parameters<typeof openToyLists>[0] = {},
): Promise<ToyLists> {
  const clock = manualClock(midnight);
  const toy = await openToyLists({ cost, storage: openStorage(clock), clock, ...given });
  await toy.clock.run(() => toy.social.start());
  return toy;
}

describe.each<[string, (clock: ManualClock) => Storage]>([
  ["memory", (clock) => memoryStorage({ clock })],
  ["SQLite", (clock) => clock.watch(sqliteStorage(join(folder, `${stores++}.db`), { clock }))],
])("a list that takes from a budget, in %s", (_, openStorage) => {
  const open = (given: Parameters<typeof openToyLists>[0] = {}) => openAtMidnight(openStorage, given);

  it("has each request counted before it is sent, and in the end no more than were sent", async () => {
    const clock = manualClock(midnight);
    const storage = openStorage(clock);
    let requests = 0;
    const behind: number[] = [];
    async function onRequest({ path }: { path: string }): Promise<void> {
      if (path !== "/messages") return;
      requests += 1;
      if ((await counted(storage, clock)) < requests) behind.push(requests);
    }
    const toy = await open({ budgets: units(10_000), onRequest, storage, clock });
    for (let index = 0; index < 7; index++) toy.write("account-1", `no. ${index}`);
    await toy.clock.advance(hourMs);
    expect(await toy.texts()).toHaveLength(7);
    expect([behind, requests > 10]).toEqual([[], true]);
    expect(await counted(toy.storage, toy.clock)).toBe(requests);
    expect((await statusOf(toy))?.budgets).toEqual([
      { name: "units", limit: 10_000, spent: requests, until: "2026-11-22T00:00:00.000Z", rests_until: null },
    ]);
  });

  it("rests while its share is used up, says so, and misses nothing", async () => {
    const toy = await open({ budgets: units(100) });
    for (let index = 0; index < 40; index++) toy.write("account-1", `no. ${index}`);
    await toy.clock.advance(20 * minuteMs);
    const status = await statusOf(toy);
    const rests = status?.budgets[0]?.rests_until ?? "";
    expect(Date.parse(rests)).toBeGreaterThan(toy.clock.now());
    expect(status?.sources).toMatchObject([{ next_at: rests, failure: null }]);
    expect((await toy.texts()).length).toBeLessThan(40);
    expect((await toy.publish()).status).toBe("published");
    await toy.clock.advance(48 * hourMs);
    expect(await toy.texts()).toHaveLength(40);
  });

  it("shares the budget with the processes of the same store", async () => {
    const toy = await open({ budgets: units(200) });
    const other = await openToyLists({ cost, budgets: units(200), storage: toy.storage, clock: toy.clock });
    await toy.clock.run(() => other.social.start());
    await toy.join("tenant-2", "account-2");
    await toy.clock.advance(24 * hourMs - minuteMs);
    const sent = [toy, other].flatMap(({ listed }) => [...listed.values()]).reduce((sum, each) => sum + each, 0);
    expect(sent).toBeLessThanOrEqual(170);
    expect(sent).toBe(await counted(toy.storage, toy.clock));
  });

  it("counts rereads, too", async () => {
    const reread = {
      every: { min: 60, max: 60 },
      atOnce: 10,
      perRound: 10,
      cost,
      read: async () => ({ facts: [], gone: [] }),
    };
    const toy = await open({ budgets: units(1_000), inbox: { reread } });
    toy.write("account-1", "Hello");
    await toy.clock.advance(10 * minuteMs);
    const lists = await counted(toy.storage, toy.clock, ["users"]);
    expect(lists).toBe(1);
    expect(await counted(toy.storage, toy.clock, ["users", "default"])).toBe(2);
  });
});

describe("a list that takes from a budget, day by day", () => {
  const open = (given: Parameters<typeof openToyLists>[0] = {}) =>
    openAtMidnight((clock) => memoryStorage({ clock }), given);

  it("uses no more than its part of a window by any time", async () => {
    const toy = await open({ budgets: units(200) });
    await toy.clock.advance(24 * hourMs - minuteMs);
    expect(await counted(toy.storage, toy.clock)).toBeLessThanOrEqual(170);
    expect(await counted(toy.storage, toy.clock)).toBeGreaterThan(150);
    const day = toy.listed.get("account-1") ?? 0;
    await toy.clock.advance(12 * hourMs);
    expect((toy.listed.get("account-1") ?? 0) - day).toBeLessThanOrEqual(200 * 0.45 + 1);
  });

  it("is read less often where many lists share the budget, evenly", async () => {
    const toy = await open({ budgets: units(1_000) });
    const accounts = Array.from({ length: 9 }, (__, index) => `account-${index + 2}`);
    for (const account of accounts) await toy.join(`tenant-${account}`, account);
    await toy.clock.advance(24 * hourMs);
    toy.listed.clear();
    await toy.clock.advance(24 * hourMs - minuteMs);
    const polls = [...toy.listed.values()];
    expect(polls).toHaveLength(10);
    expect(Math.max(...polls)).toBeLessThanOrEqual(2 * Math.min(...polls));
    expect(await counted(toy.storage, toy.clock)).toBeLessThanOrEqual(850);
    expect(await counted(toy.storage, toy.clock)).toBeGreaterThan(600);
  });

  it("leaves the others their share when one account connects many profiles with much to read", async () => {
    const toy = await open({ budgets: units(600) });
    for (let index = 2; index < 6; index++) await toy.join(`tenant-${index}`, `account-${index}`);
    await toy.clock.advance(26 * hourMs);
    for (let index = 10; index < 20; index++) {
      for (let count = 0; count < 100; count++) toy.write(`account-${index}`, `no. ${count}`);
      await toy.join("tenant-1", `account-${index}`);
    }
    await toy.clock.advance(minuteMs);
    toy.write("account-2", "Are you open?");
    await toy.clock.advance(2 * hourMs);
    expect(await toy.texts("tenant-2")).toEqual(["Are you open?"]);
    const elapsed = 0.8 * (4 / 24) + 0.05;
    const [backfill, all] = [await counted(toy.storage, toy.clock, ["backfill"]), elapsed * 600];
    expect(backfill).toBeLessThanOrEqual(0.2 * all);
    expect(backfill).toBeGreaterThan(0.1 * all);
    expect(await counted(toy.storage, toy.clock, ["lists", "tenant-1"])).toBeLessThanOrEqual((2 * all) / 6);
  });

  it("has a budget of each profile's own", async () => {
    const toy = await open({ budgets: units(100, "profile") });
    await toy.join("default", "account-2");
    await toy.clock.advance(24 * hourMs - minuteMs);
    const polls = [...toy.listed.values()];
    expect(polls).toHaveLength(2);
    expect(Math.min(...polls)).toBeGreaterThan(60);
    expect(Math.max(...polls)).toBeLessThanOrEqual(85);
  });
});

it("a list whose budget the network does not have fails, and says so", async () => {
  const toy = await openToyLists({ cost });
  await toy.clock.run(() => toy.social.start());
  await toy.clock.advance(minuteMs);
  expect((await statusOf(toy))?.sources[0]?.failure).toBe('The budget "units" is not in the network\'s spec.');
});
