import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPace } from "../../src/async/pace.ts";
import { manualClock } from "../../src/testing/clock.ts";

/** A clock on which work takes the time that a test sets. */
function busyClock() {
  const clock = manualClock();
  let busyMs = 0;
  return {
    clock: { ...clock, monotonic: () => clock.monotonic() + busyMs },
    work: (ms: number) => {
      busyMs += ms;
    },
  };
}

it("short work never yields", async () => {
  const { clock, work } = busyClock();
  const pace = createPace(clock);
  let isOver = false;
  setImmediate(() => {
    isOver = true;
  });
  await pace();
  work(14);
  await pace();
  expect(isOver).toBe(false);
});

it("long work yields to other work, between any two stretches", async () => {
  const { clock, work } = busyClock();
  const pace = createPace(clock);
  const turns: string[] = [];
  const other = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      turns.push("other");
    }
  };
  const long = async (): Promise<void> => {
    for (let piece = 0; piece < 8; piece++) {
      await pace();
      work(8);
      turns.push("long");
    }
  };
  await Promise.all([long(), other()]);
  expect(turns.join(" ")).toBe("long long other long long other long long other long long other");
});

it("concurrent works share a turn, and continue in the order in which they came", async () => {
  const { clock, work } = busyClock();
  const pace = createPace(clock);
  const turns: string[][] = [];
  let turn: string[] = [];
  const long = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece++) {
      await pace();
      if (turn.length === 0) {
        turns.push(turn);
        setImmediate(() => {
          turn = [];
        });
      }
      work(10);
      turn.push(name);
    }
  };
  await Promise.all([long("a"), long("b"), long("c")]);
  expect(turns.map((names) => names.join(""))).toEqual(["ab", "ca", "bc", "ab", "c"]);
});
