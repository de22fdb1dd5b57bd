import { describe, expect, it } from "vitest";
import type { RequestUsage } from "../../../src/networks/contract/inbox.ts";
import { graphUsage } from "../../../src/networks/shared/meta/usage.ts";
import { usageOfWindow } from "../../../src/networks/shared/request-usage.ts";

const now = Date.parse("2026-11-27T06:00:00.000Z");

describe("headers that count a window's requests", () => {
  const timeOf = (reset: string): number => Date.parse(reset);
  const end = "2026-11-27T06:05:00.000000Z";

  it.each<[string, Record<string, string>, RequestUsage | null]>([
    ["half", { limit: "300", remaining: "150", reset: end }, { share: 0.5, until: now + 300_000 }],
    ["all", { limit: "300", remaining: "0", reset: end }, { share: 1, until: now + 300_000 }],
    ["more than there are", { limit: "300", remaining: "301", reset: end }, { share: 0, until: now + 300_000 }],
    ["without headers", {}, null],
    ["without a limit", { limit: "0", remaining: "0", reset: end }, null],
    ["without an end", { limit: "300", remaining: "150" }, null],
    ["with an end that is not a time", { limit: "300", remaining: "150", reset: "soon" }, null],
    ["without numbers", { limit: "many", remaining: "some", reset: end }, null],
  ])("show the used share: %s", (_, given, expected) => {
    const headers = new Headers(Object.entries(given).map(([name, value]) => [`x-${name}`, value]));
    const usage = usageOfWindow(headers, { prefix: "x-", timeOf });
    expect(usage).toEqual(expected);
  });
});

describe("headers of the Graph API", () => {
  const load = (call_count: number, total_time = 1) => ({ call_count, total_time, total_cputime: 1 });

  it.each<[string, Record<string, unknown>, RequestUsage | null]>([
    ["the app's calls", { "x-app-usage": load(28) }, { share: 0.28, until: now + 600_000 }],
    ["the app's time", { "x-app-usage": load(28, 90) }, { share: 0.9, until: now + 600_000 }],
    [
      "the highest share",
      { "x-app-usage": load(28), "x-business-use-case-usage": { "1": [load(40), load(85)], "2": [load(3)] } },
      { share: 0.85, until: now + 600_000 },
    ],
    [
      "the end, if the limit is used up",
      { "x-business-use-case-usage": { "1": [{ ...load(100), estimated_time_to_regain_access: 25 }] } },
      { share: 1, until: now + 25 * 60_000 },
    ],
    ["without headers", {}, null],
    ["in another form", { "x-app-usage": [], "x-business-use-case-usage": { "1": "many" } }, null],
  ])("show the used share: %s", (_, given, expected) => {
    const headers = new Headers(Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]));
    expect(graphUsage(headers, now)).toEqual(expected);
  });

  it("that are not JSON show nothing", () => {
    expect(graphUsage(new Headers({ "x-app-usage": "{" }), now)).toBeNull();
  });
});
