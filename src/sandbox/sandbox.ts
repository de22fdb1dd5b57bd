import { type Clock, systemClock } from "../clock.ts";
import { type BlueskySandbox, blueskySandbox } from "./bluesky.ts";
import { type DiscordSandbox, discordSandbox } from "./discord.ts";
import { type SandboxRequest, toResponse } from "./exchange.ts";
import { applyFault } from "./faults.ts";
import { type MastodonSandbox, mastodonSandbox } from "./mastodon.ts";
import { createMediaHost, type MediaHost, mediaHost } from "./media-host.ts";
import type { SandboxNetwork, SandboxPorts } from "./network.ts";

export interface SandboxOptions {
  /** @default the machine's clock */
  clock?: Clock;
  /** Repeats a run. @default 1 */
  seed?: number;
}

/** The networks, simulated: strict, with state, and ready to fail on demand. */
export interface Sandbox {
  /** Hand this to `createSocialService({ http })`. */
  http: typeof fetch;
  /** Hand this to `createSocialService({ untrustedHttp })`. */
  untrustedHttp: typeof fetch;
  bluesky: BlueskySandbox;
  mastodon: MastodonSandbox;
  discord: DiscordSandbox;
  media: MediaHost;
}

/**
 * Simulated networks for tests and demonstrations: nothing leaves the process.
 *
 * @example
 * const sandbox = createSandbox();
 * const social = createSocialService({ storage: memoryStorage(), networks: [bluesky()], ...sandbox });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const clock = options.clock ?? systemClock;
  const ports: SandboxPorts = {
    clock,
    random: seededRandom(options.seed ?? 1),
  };
  const networks = {
    bluesky: blueskySandbox(ports),
    mastodon: mastodonSandbox(ports),
    discord: discordSandbox(ports),
  };
  const media = createMediaHost();
  const http = sandboxFetch({
    networks: Object.values(networks),
    media,
    clock,
  });
  return { ...networks, media, http, untrustedHttp: http };
}

function sandboxFetch(options: { networks: readonly SandboxNetwork[]; media: MediaHost; clock: Clock }): typeof fetch {
  return async (input, init) => {
    const whole = new Request(input, init);
    whole.signal.throwIfAborted();
    const request: SandboxRequest = {
      method: whole.method,
      url: new URL(whole.url),
      headers: whole.headers,
      bytes: new Uint8Array(await whole.arrayBuffer()),
    };
    if (request.url.hostname === mediaHost) return toResponse(options.media.answer(request));
    const network = options.networks.find((each) => each.serves(request.url.hostname));
    if (network === undefined) {
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error(`the sandbox has no host ${request.url.hostname}`), { code: "ENOTFOUND" }),
      });
    }
    const operation = network.operation(request);
    const fault = network.faults.next(operation, network.commits.includes(operation));
    const answer = async (): Promise<Response> => toResponse(await network.answer(request));
    return untilAborted(whole.signal, applyFault({ fault, clock: options.clock, signal: whole.signal, answer }));
  };
}

function untilAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), {
      once: true,
    });
    answer.then(resolve, reject);
  });
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
