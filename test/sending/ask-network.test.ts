import { describe, expect, it } from "vitest";
import type { LookQuery, LookResult } from "../../src/networks/contract/look.ts";
import { readBackRules } from "../../src/networks/contract/publish.ts";
import type { Refusal } from "../../src/networks/runtime/error-map.ts";
import { NetworkRefusal } from "../../src/networks/runtime/session.ts";
import { askNetwork, windowOf } from "../../src/sending/ask-network.ts";
import type { IntentRecord, IntentRow } from "../../src/sending/intent.ts";
import type { PartRun } from "../../src/sending/part-run.ts";
import { PublishingError } from "../../src/wire/errors.ts";

const now = 1_790_000_000_000;
const minuteMs = 60_000;

interface Given {
  lookFor?: (input: LookQuery) => Promise<LookResult>;
  /** The clocks of the network and of this machine against the store's, milliseconds. */
  networkAheadMs?: (host: string) => number;
  machineAheadMs?: number;
  lost?: IntentRow[];
  floor?: number;
}

function intentOf(change: Partial<IntentRecord> = {}, number = 1): IntentRow {
  const record = {
    handles: null,
    key: "key",
    following: [],
    opened_at: now - minuteMs,
    hard_end: now - 25_000,
    is_duplicate: false,
  };
  return { id: `int_${number}`, number, private: { ...record, ...change } } as unknown as IntentRow;
}

function runOf({ lookFor, networkAheadMs = () => 0, machineAheadMs = 0, lost = [], floor = 0 }: Given): PartRun {
  return {
    adapter: { spec: { hosts: ["social.example"], name: "Network" } },
    credentials: { context: {}, profile: () => ({ private: { host: null } }) },
    lease: { now: () => now },
    ports: {
      clock: { now: () => now + machineAheadMs },
      outbound: { timeAt: (host: string) => now + networkAheadMs(host) },
    },
    publisher: {
      rules: readBackRules,
      media: [],
      requestFor: () => ({ lookFor: (_: unknown, query: LookQuery) => lookFor?.(query) }),
    },
    unresolvedIntents: lost,
    lastIntentBeforeRetry: floor,
  } as unknown as PartRun;
}

function refusal(change: Partial<Refusal>): NetworkRefusal {
  return new NetworkRefusal({
    code: "network_error",
    message: "No.",
    status: 500,
    effect: "none",
    ...change,
  } as Refusal);
}

describe("a failed look", () => {
  it.each<[string, Error, object]>([
    [
      "while the network is away",
      new PublishingError("network_error", "Away.", { isPassing: true }),
      { pending: "Away.", until: null },
    ],
    [
      "because the credentials are refused",
      new PublishingError("reauthentication_required", "Again."),
      { refused: "Again.", until: null },
    ],
    ["with an unknown effect", refusal({ effect: "unknown" }), { pending: "No.", until: null }],
    [
      "until a later time",
      refusal({ effect: "later", retryAt: now + 5 } as Partial<Refusal>),
      { pending: "No.", until: now + 5 },
    ],
    ["for good", refusal({}), { cannot_tell: "The account could not be read. No." }],
    [
      "because the account is gone",
      refusal({ status: 404, code: "profile_unavailable" }),
      { refused: "No.", until: null, breaks: true },
    ],
    ["for a permission", refusal({ status: 403 }), { refused: "No.", until: null, breaks: false }],
    [
      "for a quota",
      refusal({ status: 429, effect: "later", retryAt: now + 9 } as Partial<Refusal>),
      { refused: "No.", until: now + 9, breaks: false },
    ],
    [
      "for a token",
      refusal({ status: 400, code: "reauthentication_required" }),
      { refused: "No.", until: null, breaks: true },
    ],
  ])("%s gives the matching result", async (_, error, expected) => {
    expect(await askNetwork(runOf({ lookFor: () => Promise.reject(error) }), intentOf())).toEqual(expected);
  });

  it("throws if the error is ours", async () => {
    await expect(
      askNetwork(runOf({ lookFor: () => Promise.reject(new TypeError("broken")) }), intentOf()),
    ).rejects.toThrow("broken");
    const ours = new PublishingError("invalid_request", "wrong");
    await expect(askNetwork(runOf({ lookFor: () => Promise.reject(ours) }), intentOf())).rejects.toThrow("wrong");
  });
});

describe("a look", () => {
  it("is repeated when it shows that the network's clock is behind", async () => {
    const asked: number[] = [];
    let aheadMs = 0;
    const run = runOf({
      networkAheadMs: () => aheadMs,
      lookFor: async ({ since }) => {
        asked.push(since);
        aheadMs = -10 * minuteMs;
        return { absent: true };
      },
    });
    expect(await askNetwork(run, intentOf())).toEqual({ absent: true });
    expect(asked).toEqual([now - 3 * minuteMs, now - 13 * minuteMs]);
  });

  it("is not repeated for a minute", async () => {
    let looks = 0;
    let aheadMs = 0;
    const run = runOf({
      networkAheadMs: () => aheadMs,
      lookFor: async () => {
        looks += 1;
        aheadMs = -minuteMs;
        return { pending: "Being made ready." };
      },
    });
    expect(await askNetwork(run, intentOf())).toEqual({ pending: "Being made ready.", until: null });
    expect(looks).toBe(1);
  });

  it.each([
    [{ is_restored: true }, true],
    [{}, false],
  ])("learns whether only a restored store vouches for the request", async (record, expected) => {
    const run = runOf({
      lookFor: async ({ isRestored }) => {
        expect(isRestored).toBe(expected);
        return { absent: true };
      },
    });
    await askNetwork(run, intentOf(record));
    expect.assertions(1);
  });
});

describe("the time in which a post may have been made", () => {
  const settledMs = 30_000;

  it("begins two minutes before the request, and ends when the network can no longer carry it out", () => {
    expect(windowOf(runOf({}), intentOf())).toEqual({
      from: now - minuteMs - 2 * minuteMs,
      to: now - 25_000 + settledMs + 2 * minuteMs,
      isKnown: true,
    });
  });

  it("begins by the earlier of two clocks, and ends by the later", () => {
    const ahead = windowOf(runOf({ networkAheadMs: () => 5_000, machineAheadMs: -7_000 }), intentOf());
    expect([ahead.from, ahead.to]).toEqual([
      now - 7_000 - 3 * minuteMs,
      now + 5_000 - 25_000 + settledMs + 2 * minuteMs,
    ]);
  });

  it("begins with the first request of this attempt whose response was lost", () => {
    const early = intentOf({ opened_at: now - 9 * minuteMs }, 2);
    expect(windowOf(runOf({ lost: [early], floor: 1 }), intentOf({}, 3)).from).toBe(now - 11 * minuteMs);
    expect(windowOf(runOf({ lost: [early], floor: 2 }), intentOf({}, 3)).from).toBe(now - 3 * minuteMs);
  });

  it("begins with the first lost response of any attempt where the network reports a duplicate", () => {
    const early = intentOf({ opened_at: now - 9 * minuteMs }, 2);
    const { from } = windowOf(runOf({ lost: [early], floor: 2 }), intentOf({ is_duplicate: true }, 3));
    expect(from).toBe(now - 11 * minuteMs);
  });

  it("is a day where a clock that was set back puts the request in the future", () => {
    const { from, isKnown } = windowOf(runOf({}), intentOf({ opened_at: now + 1 }));
    expect([from, isKnown]).toEqual([now - 24 * 60 * minuteMs - 2 * minuteMs, false]);
    expect(windowOf(runOf({}), intentOf({ opened_at: now })).isKnown).toBe(true);
  });
});

describe("the time window of a request, when clocks have moved since", () => {
  const passedMs = 9 * minuteMs;
  const then = { machine: now - passedMs, network: now - passedMs };

  it("begins before the request though the store's clock was set back", () => {
    const putBack = intentOf({ opened_at: now - passedMs + 5 * minuteMs, other_clocks: then });
    const { from, isKnown } = windowOf(runOf({}), putBack);
    expect([from, isKnown]).toEqual([now - passedMs - 2 * minuteMs, true]);
  });

  it("begins before the request though the machine's clock was set back, too", () => {
    const putBack = intentOf({ opened_at: now - passedMs + 5 * minuteMs, other_clocks: then });
    const machineAheadMs = -5 * minuteMs;
    expect(windowOf(runOf({ machineAheadMs }), putBack).from).toBe(now - 5 * minuteMs - passedMs - 2 * minuteMs);
  });

  it("begins before the request though the network's clock was unknown then", () => {
    const putBack = intentOf({ opened_at: now - passedMs + 5 * minuteMs, other_clocks: then });
    const networkAheadMs = () => -10 * minuteMs;
    expect(windowOf(runOf({ networkAheadMs }), putBack).from).toBe(now - 10 * minuteMs - passedMs - 2 * minuteMs);
  });

  it("ends no sooner because the store's clock was set ahead", () => {
    const [asItWas, ahead] = [0, 20 * minuteMs].map((jumpMs) => {
      const opened_at = now - passedMs - jumpMs;
      return windowOf(runOf({}), intentOf({ opened_at, hard_end: opened_at + 25_000, other_clocks: then }));
    });
    expect(ahead?.to).toBe(asItWas?.to);
  });

  it("follows the clocks of an earlier request whose response was lost", () => {
    const early = intentOf({ opened_at: now - minuteMs, other_clocks: then }, 2);
    expect(windowOf(runOf({ lost: [early] }), intentOf({}, 3)).from).toBe(now - passedMs - 2 * minuteMs);
  });
});

describe("the time window of a request", () => {
  it("follows the clock of the host that received it", () => {
    const networkAheadMs = (host: string) => (host === "uploads.example" ? -10 * minuteMs : 0);
    const [plain, elsewhere] = [{}, { host: "uploads.example" }].map((change) =>
      windowOf(runOf({ networkAheadMs }), intentOf(change)),
    );
    expect((plain?.from ?? 0) - (elsewhere?.from ?? 0)).toBe(10 * minuteMs);
  });

  it("ends with the last moment of a job", () => {
    const since = now - minuteMs;
    const { to } = windowOf(runOf({}), intentOf({ job: { handle: "7", since } }));
    expect(to).toBe(since + readBackRules.pendingCapSeconds * 1000 + 2 * minuteMs);
  });
});
