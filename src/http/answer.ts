import { type ErrorDetail, type RequestCode, SocialError } from "../wire/errors.ts";
import { jsonForClients, withoutRemedy } from "../wire/remedy.ts";
import type { Reply } from "./route.ts";

const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** A success: `{ data, meta? }`. */
export function successAnswer({ data, pagination, headers }: Reply, status: number, onRemedy?: OnRemedy): Response {
  if (status === 204) return new Response(null, { status, headers: { "cache-control": "no-store", ...headers } });
  const body = pagination === undefined ? { data } : { data, meta: { pagination } };
  return new Response(jsonForClients(body, onRemedy), { status, headers: { ...jsonHeaders, ...headers } });
}

/** A failure on its way to the caller: a SocialError, with a status or headers of its own where HTTP has them. */
export interface Failure {
  code: RequestCode;
  status: number;
  message: string;
  details?: readonly ErrorDetail[];
  headers?: Record<string, string>;
}

/** Details in one answer at most. */
const maxDetails = 100;
/** Characters of a message or a field name: a caller may have sent a name of a megabyte. */
const maxLength = 1_000;

/** Is called with what a message has for the developer of the host's backend: it is not sent. */
export type OnRemedy = (remedy: string) => void;

/** A failure: `{ error: { code, message, details? } }`. */
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

/** What HTTP knows and the modules do not: a wrong path, method or body. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** A body or query that cannot be taken. @param field the place that is wrong */
export function invalid(message: string, field: string, status = 400): HttpFailure {
  return new HttpFailure({
    code: "invalid_request",
    status,
    message,
    details: [{ field, code: "invalid_request", message }],
  });
}

/** What the modules limit is free again when something of the caller's own is done. */
const soon = { "retry-after": "5" };

/** Null: the fault is ours or the host's, not the caller's. */
function failureOf({ code, status, message, details }: SocialError): Failure | null {
  return code === "internal_error" || code === "invalid_options" ? null : { code, status, message, details };
}

/** What was thrown, as an answer; null: a fault of ours, which is logged and answered without its message. */
export function answerFor(error: unknown, onRemedy?: OnRemedy): Response | null {
  if (error instanceof HttpFailure) return failureAnswer(error.failure, onRemedy);
  const failure = SocialError.is(error) ? failureOf(error) : null;
  if (failure === null) return null;
  return failureAnswer(failure.code === "rate_limited" ? { ...failure, headers: soon } : failure, onRemedy);
}
