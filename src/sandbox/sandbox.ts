import { type Clock, systemClock } from "../ports/clock.ts";
import { markSimulated } from "../ports/simulated.ts";
import { sandboxFetch } from "./dispatch.ts";
import { createMediaHost, type MediaHost } from "./media-host.ts";
import type { SandboxHost, SandboxNetwork, SandboxPorts } from "./network.ts";
import { createNetworks, type SimulatedNetworks } from "./networks.ts";
import { showPage } from "./pages.ts";
import { type ReceiverSandbox, receiverSandbox } from "./receivers.ts";

/** Options of `createSandbox`. */
export interface SandboxOptions {
  /** The clock of the networks. @default the machine's clock */
  clock?: Clock | undefined;
  /** The seed; the same seed repeats a run. @default 1 */
  seed?: number | undefined;
  /** Additional hosts, such as a simulation of a network that you have written. @default none */
  hosts?: readonly SandboxHost[] | undefined;
}

/** The simulated networks: strict, with state, and able to fail on demand. */
export interface Sandbox extends SimulatedNetworks {
  /** Pass this to `createSocialService({ http })`. */
  http: typeof fetch;
  /** Pass this to `createSocialService({ untrustedHttp })`. */
  untrustedHttp: typeof fetch;
  /** All simulated networks, in a fixed order. */
  networks: readonly SandboxNetwork[];
  /** Receivers of webhooks. */
  receivers: ReceiverSandbox;
  /** A host of images and videos. */
  media: MediaHost;
  /**
   * A handler for a route of your app that shows the networks' sign-in pages to a real browser, at `?at=` with their
   * escaped URL. At the end of a sign-in, it redirects the browser to your callback.
   */
  pages(request: Request): Promise<Response>;
}

/**
 * Simulated networks for tests and demonstrations: nothing leaves the process.
 *
 * @example
 * const sandbox = createSandbox();
 * const { http, untrustedHttp } = sandbox;
 * const social = createSocialService({ storage: memoryStorage(), networks: [bluesky()], http, untrustedHttp });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const clock = options.clock ?? systemClock;
  const ports: SandboxPorts = {
    clock,
    random: seededRandom(options.seed ?? 1),
    fetch: (input, init) => http(input, init),
  };
  const byName = createNetworks(ports);
  const networks: readonly SandboxNetwork[] = Object.values(byName);
  const receivers = receiverSandbox(ports);
  const media = createMediaHost();
  const hosts: readonly SandboxHost[] = [...networks, receivers, ...(options.hosts ?? [])];
  const http = markSimulated(sandboxFetch({ hosts, media, clock }), clock);
  const serves = (name: string): boolean => hosts.some((host) => host.serves(name));
  const pages = (request: Request): Promise<Response> => showPage(http, serves, request);
  return { ...byName, networks, receivers, media, http, untrustedHttp: http, pages };
}

/** Mulberry32: small, fast, and the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
