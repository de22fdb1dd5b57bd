/** Why the guard did not send a request, or how it failed. */
export interface GuardError extends Error {
  /** `ADDRESS_REFUSED`, `CONNECT_TIMEOUT`, `REDIRECT_REFUSED`, … or a code of Node's (`ENOTFOUND`, `CERT_HAS_EXPIRED`). */
  code: string;
}

/** Nothing was sent, because this guard allows no requests to the address. */
export function refused(refusal: string): GuardError {
  return guardError("ADDRESS_REFUSED", `address refused: ${refusal}`);
}

/** What to change if the app is meant to reach its own address. */
export const allowHint = 'Add a host of your own to the option allowedHosts, such as "localhost:3000".';

export function guardError(code: string, message: string): GuardError {
  return Object.assign(new Error(message), { code });
}

/** The rejection of a failed `fetch`: a TypeError whose `cause` has the `code`. */
export function fetchFailed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** The `code` of a Node error; null: none. */
export function codeOf(error: unknown): string | null {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}
