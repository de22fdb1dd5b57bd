import type { Clock } from "../../src/ports/clock.ts";

export interface FakeFile {
  bytes?: Uint8Array;
  status?: number;
  headers?: Record<string, string>;
  /** Leaves the length out of the GET response. */
  isLengthHidden?: boolean;
  /** @default "refused" */
  head?: "refused" | "length" | "no length";
  /** @default "ignored" */
  ranges?: "honoured" | "ignored" | "refused" | "wrong";
  /** The stream ends here. */
  cutAtBytes?: number;
  /** After the bytes the stream never ends: it sends zeros, or nothing. */
  afterwards?: "end" | "zeros" | "silence";
}

export interface FakeHost {
  http: typeof fetch;
  /** The method, and the range if one was requested. */
  requests: string[];
  sentBytes(): number;
  /** The number of opened streams, and of those read to the end or cancelled. */
  open(): number;
}

const chunkBytes = 1_000;

/** A server with one file, as a `fetch`. */
export function fakeHost(file: FakeFile): FakeHost {
  const { bytes = new Uint8Array(), status = 200, cutAtBytes = bytes.length, afterwards = "end" } = file;
  const requests: string[] = [];
  let sentBytes = 0;
  let open = 0;

  function stream(from: number, to = cutAtBytes): ReadableStream<Uint8Array> {
    let position = from;
    open += 1;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          let chunk = bytes.slice(position, Math.min(position + chunkBytes, to, cutAtBytes));
          if (chunk.length === 0 && afterwards === "silence") await new Promise(() => {});
          if (chunk.length === 0 && afterwards === "zeros") chunk = new Uint8Array(chunkBytes);
          position += chunk.length;
          sentBytes += chunk.length;
          if (chunk.length > 0) controller.enqueue(chunk);
          else {
            open -= 1;
            controller.close();
          }
        },
        cancel() {
          open -= 1;
        },
      },
      { highWaterMark: 0 },
    );
  }

  async function http(_url: unknown, init?: RequestInit): Promise<Response> {
    const headers = new Headers(init?.headers);
    const range = headers.get("range");
    requests.push([init?.method ?? "GET", range].filter(Boolean).join(" "));
    const length = { "content-length": String(bytes.length) };
    if (init?.method === "HEAD") {
      if (file.head === "length") return new Response(null, { headers: length });
      return new Response(null, { status: file.head === "no length" ? 200 : 405 });
    }
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const from = Number(first ?? 0);
    const to = last ? Number(last) + 1 : bytes.length;
    const isOther = headers.has("if-range") && headers.get("if-range") !== file.headers?.etag;
    if (range !== null && file.ranges === "refused") return new Response("no", { status: 416 });
    if (range !== null && !isOther && (file.ranges === "honoured" || file.ranges === "wrong")) {
      const stated = file.ranges === "wrong" ? 0 : from;
      const contentRange = { "content-range": `bytes ${stated}-${to - 1}/${bytes.length}` };
      return new Response(stream(from, to), { status: 206, headers: { ...contentRange, ...file.headers } });
    }
    return new Response(stream(0), { status, headers: { ...(file.isLengthHidden ? {} : length), ...file.headers } });
  }

  return { http: http as typeof fetch, requests, sentBytes: () => sentBytes, open: () => open };
}

/** A clock whose waits never end. */
export const stillClock: Clock = { now: () => 0, monotonic: () => 0, sleep: (_ms, signal) => untilAborted(signal) };

/** A clock on which a wait of `ms` ends immediately, and no other ever ends. */
export function clockThatEnds(ms: number): Clock {
  return { ...stillClock, sleep: (waitMs, signal) => (waitMs === ms ? Promise.resolve() : untilAborted(signal)) };
}

function untilAborted(signal?: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}
