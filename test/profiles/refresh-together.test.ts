import { describe, expect, it } from "vitest";
import { needTogether } from "../prove/staying-together.ts";

/** POSTRIDER_SEED repeats a run; the seed stands in the test's name. */
const { POSTRIDER_SEED = "20261124" } = process.env;

describe.each([2, 4])("%i processes that all need one connection", (processes) => {
  it.each([
    { network: "responds immediately", seconds: 0 },
    { network: "takes long over a renewal", seconds: 15 },
  ])(`renew it one at a time, each token once: the network $network (seed ${POSTRIDER_SEED})`, async ({ seconds }) => {
    expect(await needTogether({ processes, seconds, seed: Number(POSTRIDER_SEED) + processes })).toEqual([]);
  });
});
