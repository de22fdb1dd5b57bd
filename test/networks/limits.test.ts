import { describe, expect, it } from "vitest";
import { knownNetworks } from "../../src/networks/contract/network-id.ts";
import { specContract } from "../../src/testing/network/spec.ts";
import { allLimits } from "../media/fit/specs.ts";

it("are there for every network that has a known name", () => {
  expect(allLimits.map(({ network }) => network)).toEqual([...knownNetworks]);
});

describe.each(allLimits.map((spec) => ({ network: spec.network, spec })))("$network", ({ spec }) => specContract(spec));
