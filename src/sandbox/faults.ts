import type { Clock } from "../ports/clock.ts";
import { type SandboxAnswer, toResponse } from "./exchange.ts";

/** The kind of failure. */
export type FaultKind =
  /** The request is never sent: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_CONNECT_TIMEOUT` (no connection in time) … */
  | { kind: "not_sent"; code: string }
  /** The network responds with this and does nothing. */
  | { kind: "refuse"; answer: SandboxAnswer }
  /** The network executes the request, but responds with this. */
  | { kind: "refuse_though_done"; answer: SandboxAnswer }
  /** The connection breaks before the network has done anything. */
  | { kind: "drop_before" }
  /** The network executes the request, but the connection breaks before the response. */
  | { kind: "drop_after" }
  /** The connection breaks; the network still executes the request, this much later. */
  | { kind: "accept_late"; seconds: number }
  /** The network executes the request; the response's body is cut in the middle. */
  | { kind: "cut_body" }
  /** The network executes the request; the response's body is padded with blanks beyond this length. */
  | { kind: "huge_body"; bytes: number }
  /**
   * The network executes the request; the response begins immediately, and its body arrives in small pieces over this
   * time.
   */
  | { kind: "drip"; seconds: number }
  /** The network executes the request; the response arrives this much later. */
  | { kind: "slow"; seconds: number }
  /** The network executes the request and responds this much later, even if the caller no longer listens. */
  | { kind: "slow_to_act"; seconds: number }
  /** The network does nothing and never responds. */
  | { kind: "hang" };

/** A failure in the sandbox, and the requests that it hits. */
export type Fault = FaultKind & {
  /** The operation that it hits. `commit`: every operation that makes something public. @default any */
  operation?: string;
  /** How many requests pass first. @default 0 */
  after?: number;
  /** How many requests it hits. @default 1 */
  times?: number;
};

/** The failure script of one simulated network. */
export interface Faults {
  /** Adds a failure. Several are used up in the order in which they were added. */
  add(fault: Fault): void;
  /** Removes all failures. */
  clear(): void;
  /** The failure that hits this request, and is used up; undefined: none. */
  next(operation: string, isCommit: boolean): Fault | undefined;
}

/** Creates an empty failure script. */
export function createFaults(): Faults {
  let script: { fault: Fault; after: number; times: number }[] = [];
  return {
    add(fault) {
      script.push({ fault, after: fault.after ?? 0, times: fault.times ?? 1 });
    },
    clear() {
      script = [];
    },
    next(operation, isCommit) {
      for (const entry of script) {
        const { operation: wanted } = entry.fault;
        if (wanted !== undefined && wanted !== operation && !(wanted === "commit" && isCommit)) continue;
        if (entry.after > 0) {
          entry.after -= 1;
          continue;
        }
        if (entry.times === 0) continue;
        entry.times -= 1;
        return entry.fault;
      }
      return undefined;
    },
  };
}

/** Executes `answer` with the failure applied. Returns the Response, or throws the error that `fetch` would throw. */
export async function applyFault(options: {
  fault: Fault | undefined;
  clock: Clock;
  signal: AbortSignal;
  answer: () => Promise<Response>;
}): Promise<Response> {
  const { fault, clock, signal, answer } = options;
  switch (fault?.kind) {
    case undefined:
      return answer();
    case "not_sent":
      throw connectionError(fault.code);
    case "refuse":
      return toResponse(fault.answer);
    case "refuse_though_done":
      await answer();
      return toResponse(fault.answer);
    case "drop_before":
      throw connectionError("ECONNRESET");
    case "drop_after":
      await answer();
      throw connectionError("ECONNRESET");
    case "accept_late":
      // The network continues, even if the caller no longer listens.
      void clock.sleep(fault.seconds * 1000).then(answer);
      throw connectionError("ECONNRESET");
    case "cut_body":
      return cutInHalf(await answer());
    case "huge_body":
      return padded(await answer(), fault.bytes);
    case "drip":
      return dripping(await answer(), { seconds: fault.seconds, clock, signal });
    case "slow_to_act":
      await clock.sleep(fault.seconds * 1000);
      return answer();
    case "slow": {
      const response = await answer();
      await clock.sleep(fault.seconds * 1000, signal);
      return response;
    }
    case "hang":
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), {
          once: true,
        });
      });
  }
}

function connectionError(code: string): TypeError {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error(`simulated ${code}`), { code }),
  });
}

/** The first half of the body, then a broken connection. */
async function cutInHalf(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const half = bytes.slice(0, Math.floor(bytes.length / 2));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(half);
    },
    pull(controller) {
      controller.error(connectionError("ECONNRESET"));
    },
  });
  return withBody(response, body);
}

const blankBytes = 65_536;

/** The whole body, then blanks: JSON stays valid JSON, so only the length is wrong. */
async function padded(response: Response, bytes: number): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer());
  const blanks = new Uint8Array(blankBytes).fill(0x20);
  let length = whole.length;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(whole);
    },
    pull(controller) {
      length += blanks.length;
      controller.enqueue(blanks);
      if (length > bytes) controller.close();
    },
  });
  return withBody(response, body);
}

const drips = 20;

/** The body in pieces; the last one is sent at the end of the time. */
async function dripping(
  response: Response,
  { seconds, clock, signal }: { seconds: number; clock: Clock; signal: AbortSignal },
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  let drip = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await clock.sleep((seconds * 1000) / drips, signal);
      const piece = bytes.slice((bytes.length * drip) / drips, (bytes.length * (drip + 1)) / drips);
      drip += 1;
      controller.enqueue(piece);
      if (drip === drips) controller.close();
    },
  });
  return withBody(response, body);
}

/** Some statuses have no body. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, headers } = response;
  return new Response(response.body === null ? null : body, { status, headers });
}
