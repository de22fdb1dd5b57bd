import { describe, expect, it } from "vitest";
import type { Part } from "../../src/networks/contract/plan.ts";
import { NotReady } from "../../src/networks/contract/request.ts";
import type { Refusal } from "../../src/networks/runtime/error-map.ts";
import { NetworkRefusal } from "../../src/networks/runtime/session.ts";
import { emptyTargetState, type TargetState } from "../../src/publishing/rows.ts";
import { progressFromError, progressFromStage, putOff, timeOfDay, withoutAbsence } from "../../src/sending/progress.ts";
import type { SubjectRun } from "../../src/sending/subject-run.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { LeaseLost } from "../../src/work/lease.ts";

const now = Date.parse("2026-11-22T14:03:20.000Z");
const maxRetryMs = 1_800_000;

interface Given {
  sendUntil?: number | null;
  /** Renews credentials; absent: the network cannot. */
  refresh?: () => void;
}

function runOf(patience: TargetState["patience"] = null, { sendUntil = null, refresh }: Given = {}) {
  const state: TargetState = { ...emptyTargetState(), patience };
  const run = {
    lease: { now: () => now },
    ports: { maxRetryMs },
    adapter: { connect: { refresh } },
    sendUntil,
    state: () => state,
    remember: (change: Partial<TargetState>) => Object.assign(state, change),
  } as unknown as SubjectRun;
  return { run, state };
}

const reason = { code: "network_error", message: "The network is away." } as const;

describe("a target that cannot go out yet", () => {
  it.each([
    [0, 5_000],
    [1, 10_000],
    [2, 20_000],
    [3, 40_000],
    [4, 40_000],
    [90, 40_000],
  ])("that has waited %i times waits longer", (waits, stepMs) => {
    const { run, state } = runOf({ since: now - 1, waits, number: 3, alike: null });
    expect(putOff(run, reason)).toEqual({ kind: "wait", until: now + stepMs, blocksLane: false, ...reason });
    expect(state.patience).toEqual({ since: now - 1, waits: waits + 1, number: 3, alike: null });
  });

  it.each([
    [4, 80_000],
    [5, 160_000],
    [6, 320_000],
    [90, 320_000],
  ])("whose credentials were refused %i times waits longer still", (waits, stepMs) => {
    const { run } = runOf({ since: now - 1, waits, number: 3, alike: null });
    expect(putOff(run, { ...reason, code: "reauthentication_required" })).toMatchObject({ until: now + stepMs });
  });

  it("whose time ran out fails without ending the connection", () => {
    const { run } = runOf(null, { sendUntil: now - 1 });
    expect(putOff(run, { code: "reauthentication_required", message: "Refused." })).toEqual({
      kind: "fail",
      code: "network_error",
      message: "It was not sent: its time limit was reached. Refused.",
      mayBeLive: false,
    });
  });

  it("counts from its first wait", () => {
    const { run, state } = runOf();
    putOff(run, { ...reason, number: 7 });
    expect(state.patience).toEqual({ since: now, waits: 1, number: 7, alike: null });
  });

  it("waits until the time that the network names, and says so", () => {
    expect(putOff(runOf().run, { ...reason, until: now + 90_000 })).toEqual({
      kind: "wait",
      until: now + 90_000,
      blocksLane: false,
      code: "network_error",
      message: "The network is away.; next attempt 14:04:50Z",
    });
  });

  it("fails immediately at a limit that ends after the retries would, and names the time", () => {
    const end = now + maxRetryMs;
    expect(putOff(runOf().run, { ...reason, until: end })).toMatchObject({ kind: "wait", until: end });
    expect(putOff(runOf().run, { ...reason, until: end + 1 })).toEqual({
      kind: "fail",
      code: "network_error",
      message:
        "The network is away. The network accepts no requests before 2026-11-22T14:33:20.001Z, which is later than maxRetryMs allows. Retry it then.",
      mayBeLive: false,
    });
    const before = { since: now - maxRetryMs / 2, waits: 1, number: 0, alike: null };
    expect(putOff(runOf(before).run, { ...reason, until: now + maxRetryMs / 2 + 1 })).toMatchObject({ kind: "fail" });
  });

  it("follows that time once: a past or repeated one never causes requests without a pause", () => {
    const soon = { ...reason, until: now + 1 };
    expect(putOff(runOf().run, soon)).toMatchObject({ until: now + 1 });
    const again = { since: now - 1, waits: 1, number: 0, alike: null };
    expect(putOff(runOf(again).run, soon)).toMatchObject({ until: now + 10_000 });
    expect(putOff(runOf().run, { ...reason, until: now })).toMatchObject({
      until: now + 5_000,
      message: reason.message,
    });
  });

  it.each([
    ["network_error", "network_error"],
    ["rejected_by_network", "network_error"],
    ["media_error", "media_error"],
    ["internal_error", "internal_error"],
    ["reauthentication_required", "reauthentication_required"],
  ] as const)("fails after maxRetryMs, with the code of the cause: %s", (code, final) => {
    const patience = { since: now - maxRetryMs, waits: 9, number: 0, alike: null };
    expect(putOff(runOf(patience).run, { code, message: "No." })).toEqual({
      kind: "fail",
      code: final,
      message: "Given up after 30 minutes. No.",
      mayBeLive: false,
    });
    expect(putOff(runOf({ ...patience, since: patience.since + 1 }).run, reason)).toMatchObject({ kind: "wait" });
  });

  it("does not lose the time in which no process worked on it", () => {
    const patience = { since: 1_000, waits: 1, number: 0, alike: null };
    const state: TargetState = { ...emptyTargetState(), patience, faulty_since: 2_000 };
    expect(withoutAbsence(state, now, now + 60_000)).toBe(state);
    expect(withoutAbsence(state, now, now + 60_001)).toMatchObject({
      patience: { ...patience, since: 61_001 },
      faulty_since: 62_001,
    });
    expect(withoutAbsence(state, null, now + 90_000)).toBe(state);
    expect(withoutAbsence(emptyTargetState(), now, now + 90_000)).toEqual(emptyTargetState());
  });

  it("shows times for humans", () => {
    expect(timeOfDay(now)).toBe("14:03:20Z");
  });
});

function refusal(change: Partial<Extract<Refusal, { effect: "later" }>> | Partial<Refusal>): NetworkRefusal {
  return new NetworkRefusal({
    code: "rejected_by_network",
    message: "No.",
    status: 500,
    effect: "none",
    ...change,
  } as Refusal);
}

describe("an error of a request that makes nothing public", () => {
  it.each<[string, Error, object]>([
    ["not ready", new NotReady("Being made."), { kind: "wait", code: "network_error", message: "Being made." }],
    [
      "passing",
      new PublishingError("media_error", "Away.", { isPassing: true }),
      { kind: "wait", code: "media_error" },
    ],
    ["lasting", new PublishingError("media_error", "Gone."), { kind: "fail", code: "media_error", mayBeLive: false }],
    ["a refusal", refusal({}), { kind: "fail", code: "rejected_by_network" }],
    ["a duplicate", refusal({ effect: "duplicate" }), { kind: "fail", code: "rejected_by_network" }],
    ["unknown", refusal({ effect: "unknown" }), { kind: "wait", code: "rejected_by_network" }],
    ["later", refusal({ effect: "later", retryAt: now + 77_000 }), { kind: "wait", until: now + 77_000 }],
    [
      "dead credentials",
      refusal({ effect: "later", remedy: "refresh" }),
      { kind: "fail", code: "reauthentication_required" },
    ],
  ])("gives the matching progress: %s", (_, error, expected) => {
    expect(progressFromError(runOf().run, error)).toMatchObject(expected);
  });

  it("is waited for after the credentials were renewed", () => {
    const { run } = runOf(null, { refresh: () => undefined });
    const code = "reauthentication_required";
    expect(progressFromError(run, refusal({ effect: "later", remedy: "refresh", code }))).toMatchObject({
      kind: "wait",
      code,
    });
  });

  it.each([
    ["a lost lease", new LeaseLost("Another process has claimed it.")],
    ["an error of ours", new TypeError("broken")],
  ])("is rethrown: %s", (_, error) => {
    expect(() => progressFromError(runOf().run, error)).toThrow(error);
  });
});

describe("a server that fails at a file", () => {
  const picture = { media: [{ type: "image" }] } as unknown as Part;
  const broken = refusal({ effect: "unknown" });
  const failedBefore = (times: number, message = "No.") => ({
    since: now,
    waits: times,
    number: 0,
    alike: { message, times },
  });

  it("is asked again four times, then the file is blamed", () => {
    const { run, state } = runOf();
    expect(progressFromStage(run, picture, broken)).toMatchObject({ kind: "wait" });
    expect(state.patience?.alike).toEqual({ message: "No.", times: 1 });
    expect(progressFromStage(runOf(failedBefore(3)).run, picture, broken)).toMatchObject({ kind: "wait" });
    expect(progressFromStage(runOf(failedBefore(4)).run, picture, broken)).toEqual({
      kind: "fail",
      code: "media_error",
      message: "The network failed 5 times with the same error on a file of this post. No.",
      mayBeLive: false,
    });
  });

  it.each<[string, Part, NetworkRefusal]>([
    ["in other words", picture, refusal({ effect: "unknown", message: "Busy." })],
    ["with another status", picture, refusal({ effect: "unknown", status: 503 })],
    ["at a part without files", { media: [] } as unknown as Part, broken],
  ])("does not prove a bad file: %s", (_, part, error) => {
    const { run, state } = runOf(failedBefore(4));
    expect(progressFromStage(run, part, error)).toMatchObject({ kind: "wait" });
    expect(state.patience?.alike?.times ?? 0).toBeLessThan(2);
  });

  it("that rejects the file permanently is believed immediately", () => {
    expect(progressFromStage(runOf().run, picture, refusal({}))).toMatchObject({ kind: "fail" });
  });
});
