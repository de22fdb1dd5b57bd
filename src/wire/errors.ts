import { cleanLine } from "./clean-text.ts";

/** Why a request failed. The list is closed: over HTTP an error has one of these codes. */
export type RequestCode =
  | "invalid_request"
  | "unauthorized"
  | "payment_required"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "rate_limited"
  | "unsupported"
  | "publish_failed"
  | "internal_error";

/**
 * Why a call in the process failed. `invalid_options`: an option or an argument of a function is missing or wrong.
 * That is a mistake in the host's own code, and is never sent over HTTP.
 */
export type SocialErrorCode = RequestCode | "invalid_options";

/** The HTTP status of each request code. */
export const statusOfCode: Record<RequestCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unsupported: 422,
  publish_failed: 422,
  rate_limited: 429,
  internal_error: 500,
};

/** Why a network did not accept a post: in a target's `error` and in a detail. */
export const publishingCodes = [
  "invalid_request",
  "unsupported",
  "media_error",
  "reauthentication_required",
  "rejected_by_network",
  "network_error",
  "timeout",
  "profile_unavailable",
  "internal_error",
] as const;

/** Why something cannot be published, or was not published. */
export type PublishingCode = (typeof publishingCodes)[number];

/** One entry of a failure's details. */
export interface ErrorDetail {
  /** The problem and the remedy, for humans. */
  message: string;
  /** The request field: `text`, `media[2]`, `networks.mastodon.visibility`. */
  field?: string;
  /** The network. */
  network?: string;
  /** The kind of problem: a publishing code. */
  code?: string;
  /** Profiles of the post that a corrected request may list instead. */
  profile_ids?: string[];
}

const socialErrorMark = Symbol.for("postrider.SocialError");
const publishingErrorMark = Symbol.for("postrider.PublishingError");

/**
 * A call to the service failed. Branch on `code`; `message` is for humans and may change. `details` names the fields
 * or networks; the message contains the first detail.
 */
export class SocialError extends Error {
  override readonly name = "SocialError";
  readonly code: SocialErrorCode;
  /** The HTTP status of this error. */
  readonly status: number;
  readonly details: ErrorDetail[];
  readonly [socialErrorMark] = true;

  /** @param options.status a more exact HTTP status than the code's */
  constructor(
    code: SocialErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; cause?: unknown; status?: number | undefined } = {},
  ) {
    const {
      details = [],
      cause,
      status = statusOfCode[code === "invalid_options" ? "internal_error" : code],
    } = options;
    super(withFirstDetail(message, details), { cause });
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** Without this, `JSON.stringify` would omit the message. */
  toJSON(): { name: string; code: SocialErrorCode; status: number; message: string; details: ErrorDetail[] } {
    const { name, code, status, message, details } = this;
    return { name, code, status, message, details };
  }

  /** True: a SocialError of any copy of this package. */
  static is(value: unknown): value is SocialError {
    return isMarked(value, socialErrorMark);
  }
}

/**
 * True: the call was rejected and had no effect. Faults of this package, the host or the store do not count: the
 * store may become unreachable after a write.
 */
export function isRefusal(error: unknown): error is SocialError {
  return SocialError.is(error) && error.code !== "internal_error" && error.code !== "invalid_options";
}

/** Maximum length of a publishing error's message, which is stored, sent and shown. */
const maxMessageLength = 2_000;

/**
 * A network did not accept a post, or would not. Stored on the target as `{ code, message }`; `cause` keeps the
 * network's own message, never a token.
 */
export class PublishingError extends Error {
  override readonly name = "PublishingError";
  readonly code: PublishingCode;
  /** True: a retry may succeed later. */
  readonly isPassing: boolean;
  readonly [publishingErrorMark] = true;

  constructor(code: PublishingCode, message: string, options: { cause?: unknown; isPassing?: boolean } = {}) {
    // A part of the message may come from a network.
    super(cleanLine(message, maxMessageLength), { cause: options.cause });
    this.code = code;
    this.isPassing = options.isPassing ?? (code === "network_error" || code === "timeout");
  }

  /** Without this, `JSON.stringify` would omit the message. */
  toJSON(): { name: string; code: PublishingCode; message: string } {
    const { name, code, message } = this;
    return { name, code, message };
  }

  /** True: a PublishingError of any copy of this package. */
  static is(value: unknown): value is PublishingError {
    return isMarked(value, publishingErrorMark);
  }
}

/** Adds the first detail, since logs may show only the message. */
function withFirstDetail(message: string, [first, ...others]: readonly ErrorDetail[]): string {
  if (first === undefined || message.includes(first.message)) return message;
  const place = first.field === undefined ? "" : `${first.field}: `;
  return `${message} ${place}${first.message}${moreOf(others)}`;
}

/** How many of the other details' fields the message names. */
const maxNamed = 3;

function moreOf(others: readonly ErrorDetail[]): string {
  if (others.length === 0) return "";
  const fields = [...new Set(others.flatMap(({ field }) => field ?? []))];
  const named = fields.slice(0, maxNamed).join(", ");
  const names = named === "" ? "" : ` (${named}${fields.length > maxNamed ? " …" : ""})`;
  return ` And ${others.length} more${names}; see details.`;
}

function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && mark in value;
}
