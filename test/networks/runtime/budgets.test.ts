import { describe, expect, it } from "vitest";
import { budgetKey, postsCounter, windowAt, windowBefore } from "../../../src/networks/runtime/budgets.ts";

const hourMs = 3_600_000;
const day_in = "America/Los_Angeles";

describe("a budget's day", () => {
  it.each<[string, string, string, number]>([
    ["of summer time", "2026-07-01T06:59:59.999Z", "2026-06-30", 24],
    ["of winter time", "2026-11-24T08:00:00Z", "2026-11-24", 24],
    ["on which the clocks are put forward", "2026-03-08T12:00:00Z", "2026-03-08", 23],
    ["on which the clocks are put back", "2026-11-01T12:00:00Z", "2026-11-01", 25],
    ["before its clocks are put back", "2026-11-01T08:30:00Z", "2026-11-01", 25],
    ["after its clocks were put back", "2026-11-02T07:59:00Z", "2026-11-01", 25],
  ])("%s has its hours", (_, at, name, hours) => {
    const now = Date.parse(at);
    const { from, until, ...day } = windowAt({ day_in }, now);
    expect(day).toEqual({ name });
    expect((until - from) / hourMs).toBe(hours);
    expect(from <= now && now < until).toBe(true);
  });

  it("ends where the next one begins, in every zone and through a year", () => {
    const zones = [day_in, "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Cairo", "America/Havana", "UTC"];
    for (const zone of zones) {
      let day = windowAt({ day_in: zone }, Date.parse("2026-01-01T12:00:00Z"));
      for (let count = 0; count < 366; count++) {
        const next = windowAt({ day_in: zone }, day.until);
        expect([next.from, windowAt({ day_in: zone }, day.until - 1)]).toEqual([day.until, day]);
        expect(windowBefore({ day_in: zone }, next)).toEqual(day);
        expect(next.name > day.name).toBe(true);
        day = next;
      }
    }
  });
});

it("windows of seconds follow one another", () => {
  const now = Date.parse("2026-11-24T08:07:00Z");
  const window = windowAt({ seconds: 300 }, now);
  expect([window.from, window.until]).toEqual(["08:05", "08:10"].map((at) => Date.parse(`2026-11-24T${at}:00Z`)));
  expect(windowBefore({ seconds: 300 }, window)).toMatchObject({ until: window.from });
});

it("the counter of posts has the key of version 0.1.0, and other budgets have keys of their own", () => {
  const now = Date.parse("2026-11-24T08:00:00Z");
  const { key, expiresAt } = postsCounter({ network: "youtube", app: "app-1" }, { day_in }, now);
  expect(key).toBe('["quota","youtube","app-1","2026-11-24"]');
  expect(expiresAt).toBeGreaterThan(now + 24 * hourMs);
  const holder = { network: "youtube", id: "app-1" } as const;
  const window = windowAt({ day_in }, now);
  const keys = [budgetKey("posts", holder, window), budgetKey("units", holder, window)];
  const more = [budgetKey("units", holder, window, ["lists"]), budgetKey("units", { ...holder, id: "app-2" }, window)];
  expect(new Set([key, ...keys, ...more]).size).toBe(4);
});
