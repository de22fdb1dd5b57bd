import { withDeadline } from "../async/deadline.ts";
import { createRedaction } from "../outbound/redaction.ts";
import type { Clock } from "../ports/clock.ts";
import { hmacByNode } from "../signature/hmac-node.ts";
import { createSign } from "../signature/signature.ts";
import { describeFailure } from "../wire/describe-failure.ts";
import { userAgent } from "../wire/version.ts";
import { readStart } from "./answer.ts";
import { failureMessage } from "./failure.ts";

/** A request to a receiver. */
export interface WebhookRequest {
  url: string;
  /** The delivery's id. */
  id: string;
  webhookId: string;
  event: string;
  body: string;
  /** It is signed with each. */
  secrets: readonly string[];
}

/** The result of a request. */
export interface Attempt {
  /** Null: there was no complete response. */
  response: { status: number; body: string; retryAfter: string | null } | null;
  /** Why it failed, for humans; null: it succeeded. */
  error: string | null;
  durationMs: number;
}

const sign = createSign(hmacByNode);

/** Time limit for the DNS lookup, connection, TLS, headers and body, milliseconds. */
export const attemptTimeoutMs = 10_000;

/**
 * Delivers once. Follows no redirect, and never throws for a failure of the receiver or the network.
 *
 * @param now the time in the signature, milliseconds since 1970
 */
export async function sendWebhook(
  ports: { clock: Clock; untrustedHttp: typeof fetch },
  request: WebhookRequest,
  now: number,
): Promise<Attempt> {
  const { clock } = ports;
  const timestamp = Math.floor(now / 1_000);
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": userAgent,
    "Service-Event": request.event,
    "Service-Delivery": request.id,
    "Service-Webhook-Id": request.webhookId,
    "Service-Signature": await sign(request.body, { secret: request.secrets, timestamp }),
  };
  const start = clock.monotonic();
  const duration = (): number => Math.round(clock.monotonic() - start);
  const deadline = { clock, timeoutMs: attemptTimeoutMs, expired: () => new TimeOver() };
  try {
    const response = await withDeadline(deadline, async (signal) => {
      const init = { method: "POST", headers, body: request.body, redirect: "manual", signal } as const;
      const answer = await ports.untrustedHttp(request.url, init);
      const retryAfter = answer.headers.get("retry-after");
      return { status: answer.status, body: await readStart(answer, signal), retryAfter };
    });
    return { response, error: refusalMessage(response.status), durationMs: duration() };
  } catch (error) {
    const message =
      error instanceof TimeOver
        ? `The receiver did not respond within ${attemptTimeoutMs / 1_000} s.`
        : failureMessage(describeFailure(error, createRedaction({ ...request, headers })));
    return { response: null, error: message, durationMs: duration() };
  }
}

class TimeOver extends Error {
  override readonly name = "TimeOver";
}

/** Null: the status is 2xx. */
function refusalMessage(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `The receiver returned status ${status}, a redirect, which is not followed. Set the endpoint's URL to the redirect's target.`;
  }
  return `The receiver returned status ${status}.`;
}
