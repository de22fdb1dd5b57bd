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
 * Why a call failed, in the process. `invalid_options`: a function was given an option or an argument that is missing or
 * wrong. It is a mistake in the host's own code, and is never sent over HTTP.
 */
export type SocialErrorCode = RequestCode | "invalid_options";

/** The HTTP status that each request code answers with. */
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

/** Why a network did not take a post: on a target's `error` and on a detail. */
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

/** Why something cannot be published, or was not. */
export type PublishingCode = (typeof publishingCodes)[number];

/** One line of a failure's breakdown. */
export interface ErrorDetail {
  /** What is wrong and what to do, for humans. */
  message: string;
  /** The request field concerned: `text`, `media[2]`, `networks.mastodon.visibility`. */
  field?: string;
  /** The network concerned. */
  network?: string;
  /** A machine-readable name of the problem: a publishing code. */
  code?: string;
  /** Profiles of the post that the same request may name instead. */
  profile_ids?: string[];
}

const socialErrorMark = Symbol.for("postrider.SocialError");
const publishingErrorMark = Symbol.for("postrider.PublishingError");

/**
 * A call to the service failed. Branch on `code`; `message` is for humans and
 * may change; `details` says which field or network is concerned, and the
 * message holds the first of them.
 */
export class SocialError extends Error {
  override readonly name = "SocialError";
  readonly code: SocialErrorCode;
  /** The HTTP status that this error answers with. */
  readonly status: number;
  readonly details: ErrorDetail[];
  readonly [socialErrorMark] = true;

  /** @param options.status where HTTP has a more exact one than the code's own */
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

  /** What `JSON.stringify` shows; of an Error it would leave the message out. */
  toJSON(): { name: string; code: SocialErrorCode; status: number; message: string; details: ErrorDetail[] } {
    const { name, code, status, message, details } = this;
    return { name, code, status, message, details };
  }

  /** True for a SocialError of any copy of this package. */
  static is(value: unknown): value is SocialError {
    return isMarked(value, socialErrorMark);
  }
}

/**
 * True when a call was refused and did nothing. A fault of this package, its host or the store is none: the store may be
 * unreachable after it has written.
 */
export function isRefusal(error: unknown): error is SocialError {
  return SocialError.is(error) && error.code !== "internal_error" && error.code !== "invalid_options";
}

/** Characters of a publishing error's message: it is stored, sent and shown. */
const maxMessageLength = 2_000;

/**
 * A network did not take a post, or would not. Stored on the target as
 * `{ code, message }`; `cause` keeps the network's own words, never a token.
 */
export class PublishingError extends Error {
  override readonly name = "PublishingError";
  readonly code: PublishingCode;
  /** It may go away by itself: the same may work in a while. */
  readonly isPassing: boolean;
  readonly [publishingErrorMark] = true;

  constructor(code: PublishingCode, message: string, options: { cause?: unknown; isPassing?: boolean } = {}) {
    // Part of it may come from a network.
    super(cleanLine(message, maxMessageLength), { cause: options.cause });
    this.code = code;
    this.isPassing = options.isPassing ?? (code === "network_error" || code === "timeout");
  }

  /** What `JSON.stringify` shows; of an Error it would leave the message out. */
  toJSON(): { name: string; code: PublishingCode; message: string } {
    const { name, code, message } = this;
    return { name, code, message };
  }

  /** True for a PublishingError of any copy of this package. */
  static is(value: unknown): value is PublishingError {
    return isMarked(value, publishingErrorMark);
  }
}

/** The message alone, in a log, must say what was wrong. */
function withFirstDetail(message: string, [first, ...others]: readonly ErrorDetail[]): string {
  if (first === undefined || message.includes(first.message)) return message;
  const place = first.field === undefined ? "" : `${first.field}: `;
  const more = others.length === 0 ? "" : ` And ${others.length} more; see details.`;
  return `${message} ${place}${first.message}${more}`;
}

function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && mark in value;
}
