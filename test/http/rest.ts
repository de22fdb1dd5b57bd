import { expect } from "vitest";
import { createHandler, type Handler, type HandlerOptions } from "../../src/http/handler.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import type { ErrorDetail } from "../../src/wire/errors.ts";
import { type AnswerCheck, createAnswerCheck } from "../support/openapi-answers.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** A response, fully read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed; empty if there was none. */
  body: {
    data?: unknown;
    meta?: { pagination: Record<string, unknown> };
    error?: { code: string; message: string; details?: ErrorDetail[] };
  };
}

export interface SendOptions {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  raw?: RequestInit["body"];
  headers?: Record<string, string>;
  /** Another key than the service's own; null: none. */
  key?: string | null;
}

/**
 * A service behind its handler. `send` moves the clock while the handler works,
 * and checks every response against the OpenAPI document.
 */
export interface Rest extends TestService {
  handler: Handler;
  /** A key with all scopes on the account `default`. */
  key: string;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
}

export const origin = "https://app.example.com";

export async function createRest(
  options: Parameters<typeof createTestService>[0] & { handler?: HandlerOptions } = {},
): Promise<Rest> {
  const { handler: handlerOptions = {}, ...serviceOptions } = options;
  const service = createTestService(serviceOptions);
  const { key } = await service.social.keys.create();
  const handler = createHandler(service.social, handlerOptions);
  const check = checkBelow(handlerOptions.basePath ?? "");
  const send: Rest["send"] = async (method, path, sent = {}) => {
    const request = toRequest(method, path, { key, ...sent });
    const response = await service.clock.run(() => handler(request));
    return readAnswer(response, { method, path, check });
  };
  return { ...service, handler, key, send };
}

export function toRequest(method: string, path: string, { json, raw, headers = {}, key = null }: SendOptions): Request {
  const body = json === undefined ? raw : JSON.stringify(json);
  return new Request(`${origin}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body, duplex: "half" }),
  });
}

/** A body that begins with `text` and never ends; `cancelled` is called when the reader stops. */
export function stalling(text: string, cancelled: () => void = () => {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel: cancelled,
  });
}

const checks = new Map<string, AnswerCheck>();

/** Created once for each base path: compiling schemas takes longer than most tests. */
function checkBelow(basePath: string): AnswerCheck {
  const check = checks.get(basePath) ?? createAnswerCheck(openApiDocument({ basePath }));
  checks.set(basePath, check);
  return check;
}

async function readAnswer(
  response: Response,
  { method, path, check }: { method: string; path: string; check: AnswerCheck },
): Promise<Answer> {
  const text = await response.text();
  const body = text === "" ? undefined : (JSON.parse(text) as Answer["body"]);
  if (!path.endsWith("/v1/openapi.json")) {
    expect(check(method, path, response.status, body), `${method} ${path.slice(0, 200)}`).toEqual([]);
  }
  return { status: response.status, headers: response.headers, text, body: body ?? {} };
}

/** Expects an error, and nothing but an error. */
export function expectEnvelope({ headers, body }: Answer): void {
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(Object.keys(body)).toEqual(["error"]);
}

/** The fields that an error names. */
export function fieldsOf({ body }: Answer): (string | undefined)[] {
  return (body.error?.details ?? []).map(({ field }) => field);
}

/** The response without the headers about remaining requests. */
export function comparable({ status, headers, text }: Answer): { status: number; headers: string[][]; text: string } {
  return { status, headers: [...headers].filter(([name]) => !name.startsWith("ratelimit-")), text };
}
