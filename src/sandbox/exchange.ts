import type { Json } from "../wire/json.ts";

/** A request as a simulated network sees it. */
export interface SandboxRequest {
  /** The HTTP method, in capitals. */
  method: string;
  /** The whole URL, with its query. */
  url: URL;
  /** The headers as sent, with credentials. */
  headers: Headers;
  /** The body; empty: none. */
  bytes: Uint8Array;
}

/** A simulated network's response. */
export interface SandboxAnswer {
  /** The HTTP status. */
  status: number;
  /** Headers besides those of the body's type. */
  headers?: Record<string, string>;
  /** A body of JSON. A response has one of the three bodies, or none. */
  json?: unknown;
  /** A body of plain text. */
  text?: string;
  /** A body of bytes, sent unchanged. */
  bytes?: Uint8Array;
}

/** A response with status 200 and this body. Undefined fields are omitted, as in JSON. */
export function ok(json: unknown): SandboxAnswer {
  return { status: 200, json };
}

/** The bearer token of the request; empty: none. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 (2026-11) */
export function bearerOf({ headers }: Pick<SandboxRequest, "headers">): string {
  return /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** The body as JSON; undefined: it is not JSON. */
export function jsonBody(request: SandboxRequest): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.bytes)) as Json;
  } catch {
    return undefined;
  }
}

/** The body as form fields, urlencoded or multipart; undefined: it is neither. */
export async function formBody(request: SandboxRequest): Promise<FormData | undefined> {
  try {
    return await new Response(request.bytes.slice(), {
      headers: { "content-type": request.headers.get("content-type") ?? "" },
    }).formData();
  } catch {
    return undefined;
  }
}

/** The response as `fetch` returns it. */
export function toResponse(answer: SandboxAnswer): Response {
  const headers = new Headers(answer.headers);
  let body: string | Uint8Array<ArrayBuffer> | null = null;
  if (answer.json !== undefined) {
    body = JSON.stringify(answer.json);
    if (!headers.has("content-type")) headers.set("content-type", "application/json; charset=utf-8");
  } else if (answer.text !== undefined) {
    body = answer.text;
  } else if (answer.bytes !== undefined) {
    body = answer.bytes.slice();
  }
  return new Response(body, { status: answer.status, headers });
}
