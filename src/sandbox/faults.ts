import type { Clock } from "../ports/clock.ts";
import { type SandboxAnswer, toResponse } from "./exchange.ts";

/** What goes wrong. */
export type FaultKind =
  /** The request never leaves: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_CONNECT_TIMEOUT` (no connection in time) … */
  | { kind: "not_sent"; code: string }
  /** Answered like this; nothing is done. */
  | { kind: "refuse"; answer: SandboxAnswer }
  /** Done, but answered like this. */
  | { kind: "refuse_though_done"; answer: SandboxAnswer }
  /** The connection breaks before the network did anything. */
  | { kind: "drop_before" }
  /** Done, but the connection breaks before the answer. */
  | { kind: "drop_after" }
  /** The connection breaks; the network does it all the same, this much later. */
  | { kind: "accept_late"; seconds: number }
  /** Done; the answer's body ends in the middle. */
  | { kind: "cut_body" }
  /** Done; the answer's body is followed by blanks, so that it is longer than this. */
  | { kind: "huge_body"; bytes: number }
  /** Done; the answer begins at once, and its body arrives in small pieces over this time. */
  | { kind: "drip"; seconds: number }
  /** Done; the answer comes this much later. */
  | { kind: "slow"; seconds: number }
  /** Done only this much later, whoever still listens, and then answered. */
  | { kind: "slow_to_act"; seconds: number }
  /** Nothing is done and no answer ever comes. */
  | { kind: "hang" };

/** Something that goes wrong in the sandbox, and which requests it hits. */
export type Fault = FaultKind & {
  /** Which operation. `commit`: any that makes something public. @default any */
  operation?: string;
  /** Let this many pass first. @default 0 */
  after?: number;
  /** How many requests it hits. @default 1 */
  times?: number;
};

/** The failure script of one simulated network. */
export interface Faults {
  /** From now on this goes wrong; several are used up in the order in which they were added. */
  add(fault: Fault): void;
  /** Nothing goes wrong any more. */
  clear(): void;
  /** The fault that hits this request, used up; undefined: none. */
  next(operation: string, isCommit: boolean): Fault | undefined;
}

/** No faults yet; they are added one by one. */
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

/** Carries out `answer` as the fault says: a Response, or the error that `fetch` would throw. */
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
      // The network goes on by itself, whoever still listens.
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

/** The body whole, then blanks: what is JSON stays JSON, so only its length is wrong with it. */
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

/** The body in pieces, the last one when the time is up. */
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

/** Some statuses go without a body. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, headers } = response;
  return new Response(response.body === null ? null : body, { status, headers });
}
