import { type ErrorDetail, type RequestCode, SocialError } from "../wire/errors.ts";
import { jsonForClients, withoutRemedy } from "../wire/remedy.ts";
import type { Reply } from "./route.ts";

const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** The response of a success: `{ data, meta? }`. */
export function successAnswer({ data, pagination, headers }: Reply, status: number, onRemedy?: OnRemedy): Response {
  if (status === 204) return new Response(null, { status, headers: { "cache-control": "no-store", ...headers } });
  const body = pagination === undefined ? { data } : { data, meta: { pagination } };
  return new Response(jsonForClients(body, onRemedy), { status, headers: { ...jsonHeaders, ...headers } });
}

/** A failure for the caller: a SocialError, in some cases with its own HTTP status or headers. */
export interface Failure {
  code: RequestCode;
  status: number;
  message: string;
  details?: readonly ErrorDetail[];
  headers?: Record<string, string>;
}

/** Maximum number of details in one response. */
const maxDetails = 100;
/** Maximum number of characters of a message or a field name, since a caller may send a name of a megabyte. */
const maxLength = 1_000;

/** Receives the part of a message that is for the host's developer. It is not sent to the caller. */
export type OnRemedy = (remedy: string) => void;

/** The response of a failure: `{ error: { code, message, details? } }`. */
export function failureAnswer(
  { code, status, message, details = [], headers }: Failure,
  onRemedy?: OnRemedy,
): Response {
  const clean = (text: string): string => clip(withoutRemedy(text, onRemedy));
  const shown = details.slice(0, maxDetails).map((detail) => clipDetail(detail, clean));
  const error = { code, message: clean(message), ...(shown.length === 0 ? {} : { details: shown }) };
  return new Response(JSON.stringify({ error }), { status, headers: { ...jsonHeaders, ...headers } });
}

function clipDetail({ message, field, ...rest }: ErrorDetail, clean: (text: string) => string): ErrorDetail {
  return { ...(field === undefined ? {} : { field: clip(field) }), ...rest, message: clean(message) };
}

function clip(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/\p{Surrogate}$/u, "")}…`;
}

/** A failure that only HTTP has: a wrong path, method or body. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The failure for an unusable body or query. @param field the place that is wrong */
export function invalid(message: string, field: string, status = 400): HttpFailure {
  return new HttpFailure({
    code: "invalid_request",
    status,
    message,
    details: [{ field, code: "invalid_request", message }],
  });
}

/** For the modules' own limits, which lift when one of the caller's requests ends. */
const soon = { "retry-after": "5" };

/** Null: the service or the host is at fault, not the caller. */
function failureOf({ code, status, message, details }: SocialError): Failure | null {
  return code === "internal_error" || code === "invalid_options" ? null : { code, status, message, details };
}

/** The response for a thrown error; null: an internal error, which is logged and answered without its message. */
export function answerFor(error: unknown, onRemedy?: OnRemedy): Response | null {
  if (error instanceof HttpFailure) return failureAnswer(error.failure, onRemedy);
  const failure = SocialError.is(error) ? failureOf(error) : null;
  if (failure === null) return null;
  return failureAnswer(failure.code === "rate_limited" ? { ...failure, headers: soon } : failure, onRemedy);
}
