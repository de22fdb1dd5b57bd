import { type BrowserLogin, LoginFailed } from "../networks/contract/browser-login.ts";
import { NetworkRefusal, toPublishingError } from "../networks/runtime/session.ts";
import { cleanLine } from "../wire/clean-text.ts";
import { PublishingError } from "../wire/errors.ts";
import type { ConnectionFailure } from "./schema.ts";

/** Why a sign-in failed, for the user. */
export interface Failure {
  code: ConnectionFailure;
  message: string;
}

const maxMessage = 1_000;

/** An adapter's message for a failed sign-in; null: it is another error. */
export function messageOf(error: unknown): string | null {
  return error instanceof LoginFailed ? cleanLine(error.message, maxMessage) : null;
}

/** Null: an internal error. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof LoginFailed) return { code: error.reason, message: cleanLine(error.message, maxMessage) };
  const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
  if (!PublishingError.is(reason)) return null;
  const code = reason.isPassing ? "network_error" : "login_failed";
  return { code, message: reason.message };
}

/**
 * @param error OAuth's error code. https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1 (2026-11)
 * @param own the network's further error codes
 */
export function saidByNetwork(name: string, error: string, own: BrowserLogin["errors"] = {}): Failure {
  const meant = Object.hasOwn(own, error) ? own[error] : undefined;
  if (error === "access_denied" || meant === "access_denied")
    return { code: "access_denied", message: `The sign-in at ${name} was denied or cancelled.` };
  if (error === "server_error" || error === "temporarily_unavailable")
    return { code: "network_error", message: `${name} is temporarily unable to sign users in. Try again later.` };
  if (error === "unauthorized_client" || error === "invalid_scope" || meant === "app_refused")
    return {
      code: "app_refused",
      message: `${name} does not allow the permissions that this app requests (${shown(error)}).`,
    };
  return { code: "login_failed", message: `${name} ended the sign-in (${shown(error)}). Try again.` };
}

const maxWord = 100;

function shown(error: string): string {
  return cleanLine(error, maxWord);
}
