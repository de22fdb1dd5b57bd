import { type SandboxRequest, toResponse } from "../../src/sandbox/exchange.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { host, type MastodonBench } from "../networks/mastodon/bench.ts";
import { contractFile, type OpenApiChecker, type OpenApiDocument, openApiChecker } from "../support/openapi.ts";

export const contract = contractFile("mastodon.json");

export function checker(): OpenApiChecker {
  return openApiChecker("file" in contract ? contract.file : "", { amend });
}

/** In two places the document has `oneOf` with overlapping kinds, and means `anyOf`. */
function amend(document: OpenApiDocument): void {
  const statuses = document.paths["/api/v1/statuses"]?.post as JsonObject;
  const schemas = document.components.schemas as JsonObject;
  for (const schema of [
    at(statuses, "requestBody", "content", "application/json", "schema"),
    at(schemas, "Status", "properties", "quote"),
  ]) {
    schema.anyOf = schema.oneOf ?? [];
    delete schema.oneOf;
  }
}

function at(node: JsonObject, ...steps: string[]): JsonObject {
  return steps.reduce<JsonObject>((each, step) => each[step] as JsonObject, node);
}

/** The bench's exchanges that violate the contract; one line each. */
export function findings(bench: MastodonBench, check: OpenApiChecker): string[] {
  return bench.seen.flatMap(({ method, url, headers, bytes, answer }) => {
    const isJson = headers.get("content-type") === "application/json";
    const sent = isJson ? check.request(method, url.pathname, JSON.parse(new TextDecoder().decode(bytes))) : [];
    // A 206 has a body, which the document does not describe.
    const body = answer?.status === 206 ? undefined : answer?.json;
    const came = answer === null ? [] : check.reply(method, url.pathname, answer.status, body);
    return [...sent, ...came].map((finding) => `${method} ${url.pathname} ${answer?.status}: ${finding}`);
  });
}

/** Sends a request like any client, with Alice's token. */
export async function ask(
  bench: MastodonBench,
  path: string,
  init: RequestInit = {},
  token = bench.token,
): Promise<Asked> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  const whole = new Request(`https://${host}${path}`, { ...init, headers });
  const request: SandboxRequest = {
    method: whole.method,
    url: new URL(whole.url),
    headers: whole.headers,
    bytes: new Uint8Array(await whole.arrayBuffer()),
  };
  const answer = await bench.network.answer(request);
  bench.seen.push({ ...request, operation: bench.network.operation(request), answer });
  const response = toResponse(answer);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson ? JSON.parse(text) : null) as Asked["body"],
  };
}

export interface Asked {
  status: number;
  headers: Headers;
  text: string;
  body: { id: string; error: string; content: string; media_attachments: JsonObject[]; visibility: string };
}

export function post(bench: MastodonBench, body: JsonObject, token = bench.token, key?: string): Promise<Asked> {
  const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) };
  return ask(bench, "/api/v1/statuses", { method: "POST", headers, body: JSON.stringify(body) }, token);
}

export async function upload(bench: MastodonBench, content: string, name = "file"): Promise<Asked> {
  const form = new FormData();
  form.set("file", new File([Uint8Array.from(content, (character) => character.charCodeAt(0))], name));
  const encoded = new Request("https://unused.example", { method: "POST", body: form });
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const headers = {
    "content-type": encoded.headers.get("content-type") ?? "",
    "content-length": String(bytes.length),
  };
  return ask(bench, "/api/v2/media", { method: "POST", headers, body: bytes });
}
