import { type S3StoreOptions, s3Store } from "../../../src/media/s3/index.ts";
import type { Clock } from "../../../src/ports/clock.ts";

export const mib = 1024 * 1024;
export const secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

/** One request as the service received it. */
export interface SeenRequest {
  method: string;
  /** Without host and bucket: `a/b.png?uploads=`. */
  path: string;
  headers: Headers;
  body: Uint8Array;
}

export type Answer = (request: SeenRequest) => Response | Promise<Response>;

/** A store whose requests get these responses in order; the last one repeats. */
export function storeOn(answers: readonly Answer[], options: Partial<S3StoreOptions> = {}) {
  const seen: SeenRequest[] = [];
  const waitsMs: number[] = [];
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { host, pathname, search } = new URL(request.url);
    if (host !== "bucket.s3.test") throw new Error(`${host} was asked.`);
    const { method, headers } = request;
    const body = new Uint8Array(await request.arrayBuffer());
    const one = { method, path: pathname.slice(1) + search, headers, body };
    seen.push(one);
    const answer = answers[Math.min(seen.length, answers.length) - 1];
    if (answer === undefined) throw new Error("There is no answer.");
    return answer(one);
  };
  const store = s3Store({
    endpoint: "https://s3.test",
    bucket: "bucket",
    region: "eu-central-1",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: secret,
    clock: clockOf(waitsMs),
    fetch: http,
    ...options,
  });
  return { store, seen, waitsMs, lines: () => seen.map(({ method, path }) => `${method} ${path}`) };
}

/** Waits between attempts end immediately, and are recorded; an attempt's deadline never ends. */
function clockOf(waitsMs: number[]): Clock {
  return {
    now: () => Date.parse("2026-11-23T10:00:00.000Z"),
    monotonic: () => 0,
    async sleep(ms, signal) {
      if (ms > 60_000)
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      waitsMs.push(ms);
    },
  };
}

/** A refusal in S3's format. */
export function refusal(status: number, code: string): Answer {
  return () =>
    new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${secret}</Message></Error>`, { status });
}

export const done: Answer = () => new Response(null, { status: 200, headers: { etag: '"tag<&>"' } });

export function xml(text: string): Answer {
  return () => new Response(text);
}
