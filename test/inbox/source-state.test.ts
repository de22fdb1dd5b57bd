import { expect, it } from "vitest";
import type { InboxState } from "../../src/inbox/rows.ts";
import { firstState, type NamedSource, withFailure } from "../../src/inbox/source-state.ts";
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
