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
   * Names that the host program trusts. They are looked up as the machine does
   * it, search domains and all, one at a time.
   * @default none
   */
  ownNames?: ReadonlySet<string>;
  /** Servers to ask, `address:port`. @default those of the machine */
  servers?: readonly string[];
  /** @default the machine's */
  hostsFile?: string;
  /** How the machine looks a name up. @default `dns.lookup`, all answers */
  lookUpOwn?: Resolve;
}

/** For one name, with waiting for a place, milliseconds: it leaves time to connect. */
const timeoutMs = 4_000;
/** A question that nobody answers is asked again after this, milliseconds. */
const askAgainMs = 1_500;
/** Addresses of one kind are there: the other kind is waited for this much longer, milliseconds. */
const otherKindMs = 500;
/** Look-ups under way at once, each with two sockets at most: more than this package does at once for everybody. */
const maxLookUps = 256;

/**
 * Looks names up by asking the machine's DNS servers, without any of the four
 * threads in which Node's `dns.lookup` waits: a name whose servers never answer
 * blocks no other. The account is not known here; how much one account can ask for
 * at once is bounded elsewhere. Places are shared by the domain that a name belongs
 * to, and a name that is being looked up is not looked up twice. The hosts file is
 * read first. IPv4 comes first, then both in turn.
 *
 * @throws an error with code `ENOTFOUND`: there is no such name, or it has no
 *   address; `EAI_AGAIN`: nobody could tell
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
    // RFC 6761, section 6.3: never a question for a server.
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    return ownNames.has(name) ? inTime(() => lookUpOwnOnce(name)) : askOnce(name);
  };
}

async function lookUpBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** A name that is being looked up already is not looked up twice. */
function once(lookUp: Resolve): Resolve {
  const underWay = new Map<string, Promise<string[]>>();
  return (name) => {
    const found = underWay.get(name) ?? lookUp(name).finally(() => underWay.delete(name));
    underWay.set(name, found);
    return found;
  };
}

/** Labels under which countries hand out names, as `co.uk`. */
const countryLabels: ReadonlySet<string> = new Set(["ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org"]);

/** About what somebody registers, and can hang any number of names below. */
export function ownerOf(name: string): string {
  const labels = name.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(top.length === 2 && countryLabels.has(second) ? -3 : -2).join(".");
}

/** What servers say of a name that has no address. */
const noAddress: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

interface Asking {
  clock: Clock;
  servers: readonly string[] | undefined;
  signal: AbortSignal;
}

async function ask(name: string, { clock, servers, signal }: Asking): Promise<string[]> {
  signal.throwIfAborted();
  // One for each name: cancelling is for all that a resolver is asked, and changed settings of the machine are seen.
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

/** The first of each kind, then the second of each … */
function takingTurns([first = [], second = []]: string[][]): string[] {
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((address) => address !== undefined);
}
