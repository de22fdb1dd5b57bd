/** Why the guard did not send a request, or what broke while it did. */
export interface GuardError extends Error {
  /** `ADDRESS_REFUSED`, `CONNECT_TIMEOUT`, `REDIRECT_REFUSED`, … or Node's own (`ENOTFOUND`, `CERT_HAS_EXPIRED`). */
  code: string;
}

/** Nothing was sent: the address is not one that this guard lets anybody reach. */
export function refused(refusal: string): GuardError {
  return guardError("ADDRESS_REFUSED", `address refused: ${refusal}`);
}

/** What the host program can do for an address of its own. */
export const allowHint = 'Add a host of your own to the option allowedHosts, such as "localhost:3000".';

export function guardError(code: string, message: string): GuardError {
  return Object.assign(new Error(message), { code });
}

/** What `fetch` rejects with when a request fails: a TypeError whose `cause` has the `code`. */
export function fetchFailed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

/** The `code` of one of Node's errors; null when it has none. */
export function codeOf(error: unknown): string | null {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
}
