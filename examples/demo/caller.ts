import { STATUS_CODES } from "node:http";
import { quote, quoteJson, withShortIds } from "./screen.ts";

/** What came back. */
export interface Answer {
  status: number;
  /** The headers that tell something. */
  remark: string;
  /** Of a success. */
  data?: unknown;
}

export interface CallOptions {
  json?: object;
  idempotencyKey?: string;
  /** Prints nothing. @default false */
  isQuiet?: boolean;
}

export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** A client of the REST surface at `url` that prints what it sends and what comes back. */
export function createCaller({ url, key }: { url: string; key: string }): Caller {
  return async (method, path, { json, idempotencyKey, isQuiet = false } = {}) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = new Headers({ Authorization: `Bearer ${key}` });
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const remark = tellingOf(response.headers);
    if (!isQuiet) {
      quote(">", `${method} ${new URL(url).pathname}${withShortIds(path)}`, tellingOf(headers));
      if (body !== undefined) quoteJson(body);
      quote("<", `${response.status} ${STATUS_CODES[response.status]}`, remark);
      quoteJson(text);
    }
    return { status: response.status, remark, data: (JSON.parse(text) as { data?: unknown }).data };
  };
}

/** What tells more than the others do. */
const telling = ["Idempotency-Key", "Idempotent-Replay", "Retry-After", "RateLimit-Remaining"];

function tellingOf(headers: Headers): string {
  return telling.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : [])).join(", ");
}
