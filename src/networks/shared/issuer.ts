import { LoginFailed, type LoginReturn } from "../contract/browser-login.ts";

/**
 * Checks which server the browser returns from. Without this check, the code of one server could be sent to another.
 * https://www.rfc-editor.org/rfc/rfc9207 (2026-11)
 *
 * @param issuer the issuer of the server that the browser was sent to, exactly as that server writes it
 * @throws LoginFailed if the browser came back with a different issuer, or with none
 */
export function assertIssuer({ parameters }: LoginReturn, issuer: string): void {
  if (parameters.iss === issuer) return;
  throw new LoginFailed(
    "login_failed",
    "The browser returned from a different server than it was sent to: sign in again.",
  );
}
