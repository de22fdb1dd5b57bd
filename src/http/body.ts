import { readBounded } from "../async/bounded-read.ts";
import { withDeadline } from "../async/deadline.ts";
import type { Clock } from "../ports/clock.ts";
import { type JsonObject, unstorableText } from "../wire/json.ts";
import { jsonExcess } from "../wire/json-excess.ts";
import { withRemedy } from "../wire/remedy.ts";
import { HttpFailure, invalid } from "./answer.ts";
import type { RouteBody } from "./route.ts";

/** Maximum size of a body, bytes. */
const maxBodyBytes = 1_048_576;
/** Maximum time for reading a body, milliseconds: a stalled body must not block for ever. */
const maxReadMs = 30_000;
/** Maximum nesting of objects and arrays. */
const maxDepth = 32;
/** Maximum number of values in a body, on all levels together. */
const maxValues = 20_000;

/**
 * Reads a request's body as a JSON object.
 *
 * @throws HttpFailure that names the problem: too slow (408), too large (413), not JSON (415), or 400
 */
export async function readBody(
  request: Request,
  { isRequired }: Pick<RouteBody, "isRequired">,
  { clock }: { clock: Clock },
): Promise<JsonObject> {
  assertUnread(request);
  const bytes = await readBytes(request, clock);
  if (bytes.length === 0 && !isRequired) return {};
  if (!isJson(request.headers.get("content-type"))) {
    throw invalid("Send JSON, with the header Content-Type: application/json.", "Content-Type", 415);
  }
  assertPlain(request);
  if (bytes.length === 0) throw invalid("The body is empty; send a JSON object.", "body");
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The body is not a JSON object.", "body");
  }
  checkValues(value);
  return value as JsonObject;
}

/** @throws HttpFailure 500 if other code has read the body, or is reading it */
export function assertUnread(request: Request): void {
  if (!request.bodyUsed && request.body?.locked !== true) return;
  const message = withRemedy(
    "This service could not read the request's body.",
    "The body was read, or is being read, before this handler got it. Mount the handler before the body parser.",
  );
  throw new HttpFailure({ code: "internal_error", status: 500, message });
}

/** @throws HttpFailure 415 for a compressed body */
export function assertPlain({ headers }: Request): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() === "identity") return;
  throw invalid("Send the body uncompressed, without a Content-Encoding.", "Content-Encoding", 415);
}

export function isJson(type: string | null): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? "");
}

/** Stops at the size limit, whatever `Content-Length` says. */
async function readBytes(request: Request, clock: Clock): Promise<Uint8Array> {
  const tooLarge = `The body is larger than ${maxBodyBytes} bytes.`;
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw invalid(tooLarge, "body", 413);
  let length = 0;
  function onProgress(bytes: number): void {
    length = bytes;
  }
  const expired = (): HttpFailure => {
    const message = `The body did not arrive completely: ${length} bytes in ${maxReadMs / 1_000} s.`;
    return invalid(message, "body", 408);
  };
  const read = await withDeadline({ clock, timeoutMs: maxReadMs, expired }, (signal) =>
    readBounded(request.body, { maxBytes: maxBodyBytes, signal, onProgress }).catch(brokenOff),
  );
  if (!read.isWhole) throw invalid(tooLarge, "body", 413);
  return read.bytes;
}

/** @throws HttpFailure 400 */
export function brokenOff(error: unknown): never {
  throw invalid(`The body broke off: ${error instanceof Error ? error.message : String(error)}.`, "body");
}

/** Limits of the check before parsing. `checkValues` counts exactly and names the place. */
const maxParsed = { depth: 1_000, values: 2 * maxValues };
const excessive = {
  depth: `The body is nested deeper than ${maxDepth} levels.`,
  values: `The body has more than ${maxValues} values.`,
};

function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const excess = jsonExcess(text, maxParsed);
  if (excess !== null) throw invalid(excessive[excess], "body");
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON.", "body");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8.", "body");
  }
}

/** Keys that could replace an object's prototype. */
const refusedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Rejects values that no route needs and that could do harm. Not recursive, because great depth is one of the
 * dangers.
 */
function checkValues(root: object): void {
  const open: { value: object; field: string; depth: number }[] = [{ value: root, field: "", depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, field, depth } = next;
    if (depth > maxDepth) throw invalid(excessive.depth, topField(field));
    values += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (values > maxValues) throw invalid(excessive.values, "body");
    for (const [key, inner] of Object.entries(value)) {
      const place = Array.isArray(value) ? `${field}[${key}]` : field === "" ? key : `${field}.${key}`;
      if (!Array.isArray(value)) checkKey(key, field);
      if (typeof inner === "object" && inner !== null) open.push({ value: inner, field: place, depth: depth + 1 });
      else checkLeaf(inner, place);
    }
  }
}

function checkKey(key: string, field: string): void {
  if (refusedKeys.has(key)) throw invalid(`The key ${key} is not allowed.`, field === "" ? key : `${field}.${key}`);
  if (unstorableText.test(key))
    throw invalid("A key holds a NUL or half a character (a lone surrogate).", topField(field));
}

function checkLeaf(leaf: unknown, field: string): void {
  if (typeof leaf === "number" && !Number.isFinite(leaf)) throw invalid("The number is too large.", field);
  if (typeof leaf === "string" && unstorableText.test(leaf)) {
    throw invalid("Remove the NUL characters and half characters (lone surrogates).", field);
  }
}

/** The first part of a deep field name, to keep the message short. */
function topField(field: string): string {
  return field.split(/[.[]/, 1)[0] || "body";
}
