import fc from "fast-check";
import { expect, it } from "vitest";
import { moves } from "../../src/posts/moves.ts";
import { shareOfRuns } from "../support/share.ts";
import { findingsIn, leftIn } from "./model-rules.ts";
import { type Action, histories, type Step, type When } from "./model-steps.ts";
import { createModelWorld } from "./model-world.ts";

/** fast-check prints the seed when it fails: POSTRIDER_SEED repeats it. More runs: POSTRIDER_RUNS. */
const { POSTRIDER_RUNS = shareOfRuns(100, 2), POSTRIDER_SEED } = process.env;
const runs = {
  numRuns: Number(POSTRIDER_RUNS),
  ...(POSTRIDER_SEED === undefined ? {} : { seed: Number(POSTRIDER_SEED) }),
};

/** Returns the status changes that were made. */
async function live(steps: readonly Step[]): Promise<ReadonlySet<string>> {
  const { world, take, comeToRest } = await createModelWorld();
  for (const step of steps) {
    await take(step);
    expect(await findingsIn(world)).toEqual([]);
  }
  await comeToRest();
  expect([...(await findingsIn(world)), ...(await leftIn(world))]).toEqual([]);
  return world.store.walked;
}

it("any sequence of events makes only listed status changes, and leaves no post duplicated, lost or unreported", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      await live(steps);
    }),
    runs,
  );
}, 600_000);

it("every listed status change can be made, except those by late evidence", async () => {
  const hourMs = 3_600_000;
  const by = (act: Action): Step => ({ act, process: 0 });
  const create = (when: When, to = [0]): Step => by({ do: "create", to, isThread: false, when });
  const update = (when: When | null): Step => by({ do: "update", post: 0, to: null, isThread: false, when });
  const cancel = by({ do: "cancel", post: 0 });
  const retry = by({ do: "retry", post: 0, key: null });
  const refuse: Step = { fault: "refuse", network: 0, times: 1, after: 0 };
  const pass = (passMs: number): Step => ({ passMs, isRun: true });
  const walked = await live([
    ...[create("draft"), update(null), update(hourMs), update(null), update("draft"), update("now")],
    ...[create(hourMs), update("now"), create(hourMs), cancel, create("draft"), cancel],
    ...[refuse, create("now"), update(null), refuse, update("now"), update(hourMs), cancel],
    ...[refuse, create("now"), update("now"), refuse, create("now"), retry],
    ...[refuse, create("now", [0, 1]), retry],
    ...[create(hourMs), pass(hourMs), create(hourMs), pass(72 * hourMs)],
  ]);
  const listed = moves.flatMap(({ move, from, to }) => {
    const origins = move === "settle" ? ["publishing"] : from;
    return origins.flatMap((origin) => to.map((end) => `${origin} > ${end}`));
  });
  expect([...walked].sort()).toEqual([...new Set(listed)].sort());
});
