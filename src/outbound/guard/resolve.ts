import { lookup, Resolver } from "node:dns/promises";
import { withDeadline } from "../../async/deadline.ts";
import { createTurns } from "../../async/in-turn.ts";
import { type Clock, waitAtMost } from "../../ports/clock.ts";
import { codeOf, guardError } from "./errors.ts";
import { createHostsFile, hostsPath } from "./hosts.ts";
import { createPlaces } from "./places.ts";
import type { Resolve } from "./target.ts";

export interface ResolveOptions {
  clock: Clock;
  /**
   * Names that the host trusts. The machine's resolver resolves them, with search domains, one at a time.
   * @default none
   */
  ownNames?: ReadonlySet<string>;
  /** DNS servers, `address:port`. @default those of the machine */
  servers?: readonly string[];
  /** Path of the hosts file. @default the machine's */
  hostsFile?: string;
  /** The machine's resolver. @default `dns.lookup`, all addresses */
  lookUpOwn?: Resolve;
}

/** Time limit for one name, including the wait for a place, milliseconds: it leaves time to connect. */
const timeoutMs = 4_000;
/** An unanswered query is sent again after this time, milliseconds. */
const askAgainMs = 1_500;
/** When addresses of one family have arrived, how much longer to wait for the other family, milliseconds. */
const otherKindMs = 500;
/** Maximum number of concurrent lookups, with two sockets each at most. The package does not need more at a time. */
const maxLookUps = 256;

/**
 * Resolves names with the machine's DNS servers, without the four threads in which Node's `dns.lookup` waits, so that
 * a name whose servers never respond blocks no other. The account is not known here; its share is limited elsewhere.
 * Places are shared by registered domain, and concurrent calls for a name share one lookup. The hosts file comes
 * first. The result begins with IPv4, then alternates between the families.
 *
 * @throws an error with code `ENOTFOUND`: the name does not exist, or has no address; `EAI_AGAIN`: unknown
 */
export function createResolve(options: ResolveOptions): Resolve {
  const { clock, ownNames = new Set<string>(), servers, lookUpOwn = lookUpBySystem } = options;
  const hosts = createHostsFile(options.hostsFile ?? hostsPath);
  const places = createPlaces(maxLookUps);
  const askOnce = once((name) =>
    inTime((signal) => inPlace(name, signal, () => ask(name, { clock, servers, signal }))),
  );
  const inTurn = createTurns();
  const lookUpOwnOnce = once((name) => inTurn("system", () => lookUpOwn(name)));

  function inTime(work: (signal: AbortSignal) => Promise<string[]>): Promise<string[]> {
    const expired = (): Error => guardError("EAI_AGAIN", "the DNS look-up timed out");
    return withDeadline({ clock, timeoutMs, expired }, work);
  }

  async function inPlace(name: string, signal: AbortSignal, work: () => Promise<string[]>): Promise<string[]> {
    const leave = await places.take(ownerOf(name), signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return async (hostname) => {
    const name = hostname.replace(/\.$/, "").toLowerCase();
    const known = hosts(name);
    if (known.length > 0) return [...known];
    // RFC 6761, section 6.3: it must not be sent to a server.
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    return ownNames.has(name) ? inTime(() => lookUpOwnOnce(name)) : askOnce(name);
  };
}

async function lookUpBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** Concurrent calls for a name share one lookup. */
function once(lookUp: Resolve): Resolve {
  const underWay = new Map<string, Promise<string[]>>();
  return (name) => {
    const found = underWay.get(name) ?? lookUp(name).finally(() => underWay.delete(name));
    underWay.set(name, found);
    return found;
  };
}

/** Labels under which countries register names, as `co.uk`. */
const countryLabels: ReadonlySet<string> = new Set(["ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org"]);

/** Approximately the registered domain, whose owner can create any number of names below it. */
export function ownerOf(name: string): string {
  const labels = name.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && countryLabels.has(second) ? -3 : -2).join(".");
}

/** Servers' codes for a name without an address. */
const noAddress: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

interface Asking {
  clock: Clock;
  servers: readonly string[] | undefined;
  signal: AbortSignal;
}

async function ask(name: string, { clock, servers, signal }: Asking): Promise<string[]> {
  signal.throwIfAborted();
  // One resolver for each name, since cancelling applies to all its queries. It also sees changed settings of the
  // machine.
  const resolver = new Resolver({ timeout: askAgainMs, tries: 3 });
  if (servers !== undefined) resolver.setServers(servers);
  const stop = (): void => resolver.cancel();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const kinds: string[][] = [[], []];
    const failures: string[] = [];
    const asked = [resolver.resolve4(name), resolver.resolve6(name)].map(async (answer, kind) => {
      try {
        kinds[kind] = await answer;
      } catch (error) {
        failures.push(codeOf(error) ?? "");
      }
    });
    await Promise.race(asked);
    const all = Promise.all(asked);
    await (kinds.some((found) => found.length > 0) ? waitAtMost(clock, otherKindMs, all) : all);
    const found = takingTurns(kinds);
    if (found.length > 0) return found;
    if (failures.every((code) => noAddress.has(code))) throw guardError("ENOTFOUND", "the hostname did not resolve");
    throw guardError("EAI_AGAIN", "the DNS look-up failed");
  } finally {
    signal.removeEventListener("abort", stop);
    resolver.cancel();
  }
}

/** Alternates: the first of each family, then the second of each … */
function takingTurns([first = [], second = []]: string[][]): string[] {
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((address) => address !== undefined);
}
