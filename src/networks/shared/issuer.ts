import { LoginFailed, type LoginReturn } from "../contract/browser-login.ts";

/**
 * Else the code of one server could be handed to another. https://www.rfc-editor.org/rfc/rfc9207 (2026-11)
 *
 * @param issuer what the server that the browser was sent to calls itself, to the letter
 * @throws LoginFailed where the browser came back with another name, or with none
 */
export function assertIssuer({ parameters }: LoginReturn, issuer: string): void {
  if (parameters.iss === issuer) return;
  throw new LoginFailed(
    "login_failed",
    "The browser returned from a different server than it was sent to: log in again.",
  );
}
