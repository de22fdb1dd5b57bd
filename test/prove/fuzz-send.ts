/** Sends a case to the handler and waits for its answers, but not for ever. */
import type { Json } from "../../src/wire/json.ts";
import { textDamages } from "./fuzz-damage.ts";
import type { FuzzCase, FuzzRequest } from "./fuzz-request.ts";
import type { FuzzWorld } from "./fuzz-world.ts";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

export interface Exchange {
  request: FuzzRequest;
  /** Null: there was none in time. */
  reply: Reply | null;
}

/** An answer that has not come by then never comes; the longest wait inside is 45 s, for a busy profile. */
const maxVirtualMs = 120_000;
/** What a request may keep the processor busy for. */
const maxCpuMs = 5_000;
/** Between two cases, so that few requests are refused for their number. */
const pauseMs = 3_000;

export async function runCase(world: FuzzWorld, { first, second, atOnce }: FuzzCase): Promise<Exchange[]> {
  await world.clock.advance(pauseMs);
  const requests = [first, second === "same" ? first : second];
  if (atOnce) return inTime(world, requests);
  const exchanges: Exchange[] = [];
  for (const request of requests) exchanges.push(...(await inTime(world, [request])));
  return exchanges;
}

/** All of them side by side. */
async function inTime(world: FuzzWorld, requests: readonly FuzzRequest[]): Promise<Exchange[]> {
  const before = process.cpuUsage();
  const exchanges = await world.clock
    .run(() => Promise.all(requests.map(async (request) => ({ request, reply: await answerOrNull(world, request) }))))
    .catch((): Exchange[] => requests.map((request) => ({ request, reply: null })));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 > maxCpuMs ? exchanges.map((each) => ({ ...each, reply: null })) : exchanges;
}

async function answerOrNull(world: FuzzWorld, request: FuzzRequest): Promise<Reply | null> {
  const over = new AbortController();
  const late = world.clock.sleep(maxVirtualMs, over.signal).then(
    () => null,
    () => null,
  );
  const answered = world.handler(toRequest(world, request)).then(
    async (response): Promise<Reply> => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }),
  );
  return Promise.race([answered, late]).finally(() => over.abort());
}

function toRequest(world: FuzzWorld, request: FuzzRequest): Request {
  const { method, path, caller, authorization, transfer } = request;
  const headers = new Headers(request.headers);
  headers.set("Authorization", caller === null ? String(authorization) : `Bearer ${world.keys[caller]}`);
  const bytes = bytesOf(request);
  const isBodyless = bytes === undefined || method === "GET" || method === "HEAD";
  const url = `https://app.example.com${path}`;
  if (isBodyless) return new Request(url, { method, headers });
  if (transfer === "whole") return new Request(url, { method, headers, body: bytes });
  const body = inPieces(bytes, { breaks: transfer === "breaks" });
  return new Request(url, { method, headers, body, duplex: "half" } as RequestInit);
}

/** A body's bytes; undefined: there is none. */
export function bytesOf({ body, bodyDamage }: FuzzRequest): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  return Uint8Array.from(textDamages[bodyDamage](jsonOf(body)));
}

function jsonOf(body: Json): string {
  return JSON.stringify(body);
}

/** A thousand bytes at a time, so that characters are cut in two. */
function inPieces(bytes: Uint8Array, { breaks }: { breaks: boolean }): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (breaks && sent >= bytes.length / 2) return controller.error(new Error("the client went away"));
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(sent, sent + pieceBytes));
      sent += pieceBytes;
    },
  });
}

const pieceBytes = 1_000;
