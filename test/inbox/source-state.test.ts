import { expect, it } from "vitest";
import type { InboxState, SourceState } from "../../src/inbox/rows.ts";
import { afterPoll, firstState, type NamedSource, sourcesToRead, withFailure } from "../../src/inbox/source-state.ts";
import type { InboxSource } from "../../src/networks/contract/inbox.ts";
import type { Refusal } from "../../src/networks/runtime/error-map.ts";
import { NetworkRefusal } from "../../src/networks/runtime/session.ts";

const now = 1_790_000_000_000;
const restarting: NamedSource = { name: "list", every: { min: 60, max: 300 }, restart: () => "the beginning" };
const lasting: NamedSource = { name: "list", every: { min: 60, max: 300 } };

function refusal(told: Pick<Refusal, "effect" | "code">): NetworkRefusal {
  const refused = { ...told, message: "No.", networkMessage: "", status: 400, remedy: "rate_limit", retryAt: null };
  return new NetworkRefusal(refused as Refusal);
}

/** The cursor of a list after so many failures in a row. */
function placeAfter(failures: number, source: NamedSource, error: Error): unknown {
  const begun = { ...firstState(source, now), cursor: "the third page" };
  let state: InboxState = { connected_at: now, sources: { list: begun }, pending_updates_until: now };
  for (let count = 0; count < failures; count++) state = withFailure(state, source, { error, now });
  return state.sources.list?.cursor;
}

const wrong = refusal({ effect: "none", code: "invalid_request" });

it.each([
  ["two refusals", 2, restarting, wrong],
  ["three with an unknown effect", 3, restarting, refusal({ effect: "unknown", code: "invalid_request" })],
  ["three rate limits", 3, restarting, refusal({ effect: "later", code: "network_error" })],
  ["three of the credentials", 3, restarting, refusal({ effect: "none", code: "reauthentication_required" })],
  ["three internal errors", 3, restarting, new Error("No.")],
  ["three refusals, of a list whose cursors never expire", 3, lasting, wrong],
] as const)("a list is read on from its place after %s", (_, failures, source, error) => {
  expect(placeAfter(failures, source, error)).toBe("the third page");
});

it.each([wrong, refusal({ effect: "none", code: "rejected_by_network" })])(
  "a list is read from its beginning after three refusals of its cursor: $refusal.code",
  (error) => {
    expect(placeAfter(3, restarting, error)).toBe("the beginning");
  },
);

it("a list in which people answer each other is read as often as at first after news, however quiet it was", () => {
  const chat = { every: { min: 30, max: 300, news: 30 } };
  const list = { every: { min: 30, max: 300 } };
  const pausesOf = (source: Pick<NamedSource, "every">): number[] => {
    let state = firstState(source, now);
    return [0, 0, 0, 0, 0, 0, 0, 1, 0].map((news) => {
      const facts = news === 0 ? [] : [{ fact: "delete", at: null, key: "a" } as const];
      state = afterPoll(source, state, { found: { facts, cursor: null, more: false }, now });
      return Math.round(state.every_ms / 1000);
    });
  };
  expect(pausesOf(chat)).toEqual([45, 68, 101, 152, 228, 300, 300, 30, 45]);
  expect(pausesOf(list).slice(-2)).toEqual([150, 225]);
});

it("a look reads what is due, and what is due within half of the shorter pause, unless that has failed", () => {
  const poll = () => Promise.reject(new Error("Nothing is read."));
  const source = (name: string): InboxSource => ({ name, every: { min: 60, max: 900 }, poll });
  const state = (aheadMs: number, every_ms: number, failures = 0): SourceState => {
    return { ...firstState(source("a"), now), due_at: now + aheadMs, every_ms, failures };
  };
  const states = {
    due: state(0, 300_000),
    near: state(150_000, 300_000),
    far: state(150_001, 300_000),
    often: state(40_000, 60_000),
    rare: state(150_000, 900_000),
    failed: state(1, 300_000, 1),
  };
  const sources = [...Object.keys(states), "never_read"].map(source);
  const read = (at: number): string[] => sourcesToRead(sources, states, at).map((each) => each.source.name);
  expect(read(now)).toEqual(["due", "never_read", "near", "rare"]);
  const without = { due: state(1, 300_000), near: state(2, 300_000) };
  expect(sourcesToRead(["due", "near"].map(source), without, now)).toEqual([]);
});
