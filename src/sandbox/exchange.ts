import type { Json } from "../wire/json.ts";

/** A request as a simulated network sees it. */
export interface SandboxRequest {
  /** Of HTTP, in capitals. */
  method: string;
  /** Whole, with its query. */
  url: URL;
  /** As they were sent, credentials too. */
  headers: Headers;
  /** Its body; empty: none. */
  bytes: Uint8Array;
}

/** What a simulated network answers. */
export interface SandboxAnswer {
  /** Of HTTP. */
  status: number;
  /** Besides those of the body's type. */
  headers?: Record<string, string>;
  /** One of the three, or none for an empty body. */
  json?: unknown;
  /** A body of plain text. */
  text?: string;
  /** A body as it is. */
  bytes?: Uint8Array;
}

/** 200 with this body. A field that is undefined is left out, as JSON leaves it out. */
export function ok(json: unknown): SandboxAnswer {
  return { status: 200, json };
}

/** The token that its sender shows; empty: none. https://www.rfc-editor.org/rfc/rfc6750#section-2.1 (2026-11) */
export function bearerOf({ headers }: Pick<SandboxRequest, "headers">): string {
  return /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** The body as JSON; undefined when it is none. */
export function jsonBody(request: SandboxRequest): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.bytes)) as Json;
  } catch {
    return undefined;
  }
}

/** The body as form fields, from urlencoded or multipart; undefined when it is neither. */
export async function formBody(request: SandboxRequest): Promise<FormData | undefined> {
  try {
    return await new Response(request.bytes.slice(), {
      headers: { "content-type": request.headers.get("content-type") ?? "" },
    }).formData();
  } catch {
    return undefined;
  }
}

/** The answer as `fetch` gives it. */
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
