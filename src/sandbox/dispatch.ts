import type { Clock } from "../ports/clock.ts";
import { notSimulatedCode } from "../ports/simulated.ts";
import { type SandboxRequest, toResponse } from "./exchange.ts";
import { applyFault } from "./faults.ts";
import { type MediaHost, mediaHost } from "./media-host.ts";
import type { SandboxHost } from "./network.ts";

/** A `fetch` that reaches only the simulated networks. */
export function sandboxFetch(options: { hosts: readonly SandboxHost[]; media: MediaHost; clock: Clock }): typeof fetch {
  return async (input, init) => {
    const whole = new Request(input, init);
    // A Request's own signal stops following the caller's once the Request is garbage-collected.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : whole.signal);
    signal.throwIfAborted();
    const request: SandboxRequest = {
      method: whole.method,
      url: new URL(whole.url),
      headers: whole.headers,
      bytes: new Uint8Array(await whole.arrayBuffer()),
    };
    if (request.url.hostname === mediaHost) return toResponse(options.media.answer(request));
    const host = hostOf(options.hosts, request);
    if (host === undefined) {
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error(`the sandbox simulates no host ${request.url.hostname}`), {
          code: notSimulatedCode,
        }),
      });
    }
    const operation = host.operation(request);
    const fault = host.faults.next(operation, host.commits.includes(operation));
    const answer = async (): Promise<Response> => dated(toResponse(await host.answer(request)), options.clock);
    return untilAborted(signal, applyFault({ fault, clock: options.clock, signal, answer }));
  };
}

/** The host that responds to a request; undefined: there is none. */
export function hostOf<Host extends SandboxHost>(hosts: readonly Host[], request: SandboxRequest): Host | undefined {
  const serving = hosts.filter((each) => each.serves(request.url.hostname));
  return serving.find((each) => each.owns?.(request)) ?? serving[0];
}

/** Adds the header `Date`, as every server does. */
function dated(response: Response, clock: Clock): Response {
  if (!response.headers.has("date")) response.headers.set("date", new Date(clock.now()).toUTCString());
  return response;
}

function untilAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), {
      once: true,
    });
    answer.then(resolve, reject);
  });
}
