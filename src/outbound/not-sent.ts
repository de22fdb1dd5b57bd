/**
 * Causes that prove that a request never reached the other side. Anything that
 * is not on this list may have been acted on.
 */
const certainCodes: ReadonlySet<string> = new Set([
  // Name look-up
  "ENOTFOUND",
  "EAI_AGAIN",
  // Connecting
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CONNECT_TIMEOUT",
  // Called off before the first byte
  "CALLED_OFF",
  // Refused by the guard
  "ADDRESS_REFUSED",
  // The other side's certificate was refused by us, before anything was sent
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Causes are nested: `TypeError: fetch failed` ← the socket's error. */
const deepestCause = 5;

/** True when `error` proves that nothing was sent; an aggregate only if all of it does. */
export function isCertainlyNotSent(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > deepestCause) return false;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each) => isCertainlyNotSent(each, depth + 1));
  }
  if ("code" in error && typeof error.code === "string" && certainCodes.has(error.code)) return !wasConnected(error);
  return "cause" in error && isCertainlyNotSent(error.cause, depth + 1);
}

/** A host can also become unreachable in the middle of an exchange; the system call tells when. */
function wasConnected(error: object): boolean {
  return "syscall" in error && (error.syscall === "read" || error.syscall === "write");
}
