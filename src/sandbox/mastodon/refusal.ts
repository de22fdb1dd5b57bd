import type { SandboxAnswer } from "../exchange.ts";
import type { InstanceWays } from "./ways.ts";

/** Reasons that some servers word differently. */
type Reason = "token" | "scope";

/** Thrown by a simulated call to respond with this error. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly reason: Reason | null;

  constructor(status: number, error: string, reason: Reason | null = null) {
    super(error);
    this.status = status;
    this.reason = reason;
  }
}

export function notFound(): Refusal {
  return new Refusal(404, "Record not found");
}

/** Mastodon's messages: https://github.com/mastodon/mastodon/blob/main/config/locales/en.yml (2026-07) */
export function invalid(reason: string): Refusal {
  return new Refusal(422, `Validation failed: ${reason}`);
}

/** An internal error of the server, with an empty body. */
export function broken(): Refusal {
  return new Refusal(500, "");
}

const notFoundPage = "<!doctype html><html><head><title>404 Not Found</title></head><body>404 Not Found</body></html>";

/** The response for a refusal, by the server's behaviour. */
export function answerOf(
  { status, message, reason }: Refusal,
  options: { ways: InstanceWays; isVerification: boolean },
): SandboxAnswer {
  const { wrongToken, missingScope, htmlNotFound } = options.ways;
  if (message === "") return { status };
  if (reason === "token" && wrongToken !== "words")
    return { status: wrongToken === "empty_422" && options.isVerification ? 422 : status };
  if (reason === "scope" && missingScope !== "mastodon") return { status, json: scopeErrors[missingScope] };
  if (status === 404 && htmlNotFound)
    return { status, headers: { "content-type": "text/html; charset=utf-8" }, text: notFoundPage };
  return { status, json: { error: message } };
}

/** The first: https://datatracker.ietf.org/doc/html/rfc6750#section-3.1 */
const scopeErrors = {
  insufficient_scope: {
    error: "insufficient_scope",
    error_description: "The request requires higher privileges than provided by the access token.",
  },
  forbidden: { error: "Forbidden: token has insufficient scope permission" },
} as const;
