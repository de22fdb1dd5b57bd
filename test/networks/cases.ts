import type { Part } from "../../src/networks/contract/plan.ts";
import type { SandboxHost } from "../../src/sandbox/network.ts";
import type { NetworkCase } from "../../src/testing/network/scene.ts";
import { type NetworkBench, networkScene } from "../../src/testing/network-bench.ts";
import type { JsonObject } from "../../src/wire/json.ts";

/** Makes the contract's cases: a name and a part, each with its own bench and account. */
export function casesOn<Bench extends NetworkBench<SandboxHost>>(
  newBench: () => Bench,
  credentialsOn: (bench: Bench) => JsonObject,
  more: Pick<NetworkCase, "isJob"> = {},
): (name: string, partOn: (bench: Bench) => Part) => NetworkCase {
  return (name, partOn) => ({
    name,
    ...more,
    create: () => {
      const bench = newBench();
      return networkScene(bench, { credentials: credentialsOn(bench), part: partOn(bench) });
    },
  });
}
