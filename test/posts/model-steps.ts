/** The possible events in the life of posts, as plain data that fast-check generates, shrinks and prints. */
import fc from "fast-check";

/** When a post is to go out; a number: milliseconds ahead. */
export type When = "now" | "draft" | number;

/** `post`: up to 3, counted from the newest among the unfinished posts; above, among all. */
export type Action =
  | { do: "create"; to: number[]; isThread: boolean; when: When }
  /** `when` null: not named; "no time": removed. `to` null: not named. */
  | { do: "update"; post: number; to: number[] | null; isThread: boolean; when: When | "no time" | null }
  | { do: "cancel"; post: number }
  /** `key` null: without an idempotency key. */
  | { do: "retry"; post: number; key: number | null }
  /** Another text for one network, numbered as for faults. */
  | { do: "mend"; post: number; network: number; isNow: boolean }
  | { do: "disconnect"; profile: number }
  | { do: "reconnect"; profile: number }
  /** The process runs due work. */
  | { do: "runDue" };

/** An action, and which of the two processes runs it. */
export type Step =
  | { act: Action; process: number }
  /** Concurrent actions. Each call of the store takes the milliseconds of its turn. */
  | { together: { act: Action; process: number }[]; stallsMs: number[] }
  /** On the next requests that publish: on one network, or on all (3). */
  | { fault: FaultName; network: number; times: number; after: number }
  /** Then both processes run due work, or neither. */
  | { passMs: number; isRun: boolean }
  /** Both processes are started for that long, with alarms and sweeps. */
  | { runMs: number };

export const faultNames = [
  "refuse",
  "unavailable",
  "unavailable_though_done",
  "not_sent",
  "drop_before",
  "drop_after",
  "accept_late",
  "hang",
  "slow",
] as const;
export type FaultName = (typeof faultNames)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const aheadMs = fc.constantFrom(-hourMs, 59_999, minuteMs, minuteMs, 10 * minuteMs, hourMs, 30 * hourMs);
const when = fc.oneof(
  { weight: 3, arbitrary: fc.constant("now" as const) },
  { weight: 2, arbitrary: fc.constant("draft" as const) },
  { weight: 4, arbitrary: aheadMs },
);
const to = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 });
const post = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 4, 5);
const profile = fc.nat(3);
const isThread = fc.nat(3).map((number) => number === 0);

const create = fc.record({ do: fc.constant("create" as const), to, isThread, when });
const runDue = fc.constant({ do: "runDue" as const });
const updateOf = (post: fc.Arbitrary<number>) =>
  fc.record({
    do: fc.constant("update" as const),
    post,
    to: fc.option(to, { nil: null }),
    isThread,
    when: fc.oneof({ weight: 3, arbitrary: when }, { weight: 2, arbitrary: fc.constantFrom("no time" as const, null) }),
  });
const cancelOf = (post: fc.Arbitrary<number>) => fc.record({ do: fc.constant("cancel" as const), post });
const retryOf = (post: fc.Arbitrary<number>) =>
  fc.record({ do: fc.constant("retry" as const), post, key: fc.constantFrom(null, 0, 1) });
const mendOf = (post: fc.Arbitrary<number>) =>
  fc.record({ do: fc.constant("mend" as const), post, network: fc.nat(2), isNow: fc.boolean() });

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: create },
  { weight: 8, arbitrary: updateOf(post) },
  { weight: 4, arbitrary: cancelOf(post) },
  { weight: 3, arbitrary: retryOf(post) },
  { weight: 4, arbitrary: mendOf(post) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disconnect" as const), profile }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("reconnect" as const), profile }) },
  { weight: 3, arbitrary: runDue },
);

const newest = fc.constant(0);
/** All on the same post. */
const colliding: fc.Arbitrary<Action> = fc.oneof(
  updateOf(newest),
  cancelOf(newest),
  retryOf(newest),
  mendOf(newest),
  runDue,
);

const by = (act: fc.Arbitrary<Action>) => fc.record({ act, process: fc.nat(1) });
const several = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 2, maxLength: 3 });
const taken = by(action);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: taken },
  {
    weight: 5,
    arbitrary: fc.record({
      together: fc.oneof(several(taken), several(by(colliding))),
      stallsMs: fc.array(fc.nat(6), { minLength: 3, maxLength: 12 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      fault: fc.oneof(fc.constantFrom(...faultNames), fc.constant("refuse" as const)),
      network: fc.constantFrom(0, 1, 2, 3, 3),
      times: fc.integer({ min: 1, max: 2 }),
      after: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      passMs: fc.constantFrom(1_000, minuteMs, minuteMs, 10 * minuteMs, hourMs, 3 * hourMs, 30 * hourMs),
      isRun: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ runMs: fc.constantFrom(minuteMs, 11 * minuteMs) }) },
);

/** A post that fails everywhere, and the attempts to publish it all the same. */
const pursued: fc.Arbitrary<Step[]> = fc
  .record({
    lost: fc.constantFrom("drop_after" as const, "drop_before" as const, "refuse" as const),
    to: fc.uniqueArray(fc.nat(3), { minLength: 2, maxLength: 3 }),
    process: fc.nat(1),
    tries: fc.array(fc.oneof(retryOf(newest), retryOf(newest), mendOf(newest)), { minLength: 2, maxLength: 4 }),
    isRefused: fc.boolean(),
  })
  .map(({ lost, to, process, tries, isRefused }): Step[] => [
    { fault: lost, network: 2, times: 1, after: 0 },
    { fault: "refuse", network: 1, times: isRefused ? 2 : 1, after: 0 },
    { act: { do: "create", to, isThread: false, when: "now" }, process },
    ...tries.map((act): Step => ({ act, process })),
  ]);

export const histories: fc.Arbitrary<Step[]> = fc
  .array(fc.oneof({ weight: 15, arbitrary: step.map((each) => [each]) }, { weight: 1, arbitrary: pursued }), {
    minLength: 6,
    maxLength: 18,
    size: "max",
  })
  .map((steps) => steps.flat());
