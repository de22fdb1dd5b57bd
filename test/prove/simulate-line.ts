import { mediaHost } from "../../src/sandbox/media-host.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { commitOf } from "../support/commit-watch.ts";
import type { SimulatedProcess } from "../support/process.ts";
import type { Machine } from "./simulate-machine.ts";
import type { SimulatedWorld } from "./simulate-world.ts";

/** A request that publishes, on its way. */
interface Call {
  /** The account that it publishes on. */
  account: string;
  isHeard(): boolean;
}

/** One process's line to the networks, and the one place that sees all requests that publish. */
export type Line = (machine: Machine, process: () => SimulatedProcess) => Sandbox;

export function createLine(world: SimulatedWorld): Line {
  const { sandbox, random, findings } = world;
  const underWay = new Set<Call>();

  return (machine, process) => ({
    ...sandbox,
    async http(input, init) {
      const { url, method, headers } = input instanceof Request ? input : new Request(input, { ...init, body: null });
      const isFile = new URL(url).hostname === mediaHost;
      if (isFile && random.next() < world.weather.files) throw refused();
      const operation = commitOf(sandbox, { url, method, headers });
      if (operation === null) return sandbox.http(input, init).finally(machine.thawed);
      if (random.next() < world.weather.deaths) process().kill();
      const [freezes, jumps] = [machine.freezes(), world.storeJumps];
      const wasFrozen = machine.isFrozen();
      // Others may take it for over when its process is dead or stood still, or the store's clock has jumped.
      const isHeard = (): boolean =>
        !process().isDead() && !wasFrozen && machine.freezes() === freezes && world.storeJumps === jumps;
      const call: Call = { account: accountOf(url, headers), isHeard };
      const other = [...underWay].find((each) => each.account === call.account && each.isHeard());
      if (other !== undefined)
        findings.push({ what: "overlap", message: `two requests at once publish on ${call.account}` });
      underWay.add(call);
      try {
        return await sandbox.http(input, init);
      } finally {
        underWay.delete(call);
        await machine.thawed();
      }
    },
  });
}

/** A token of Bluesky is another one after each refresh; who it is for stays. An address for an upload names its account in its query. */
function accountOf(url: string, headers: Headers): string {
  const token = headers.get("authorization") ?? "";
  const { hostname, pathname, search } = new URL(url);
  const [, payload] = token.split(".");
  try {
    return String(JSON.parse(Buffer.from(payload ?? "", "base64url").toString()).sub);
  } catch {
    return `${hostname}${pathname} ${token === "" ? search : token}`;
  }
}

function refused(): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("simulated"), { code: "ECONNREFUSED" }) });
}
