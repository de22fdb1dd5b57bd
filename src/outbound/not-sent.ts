import { notSimulatedCode } from "../ports/simulated.ts";

/** Codes that prove that a request never reached the server. After any other error it may have taken effect. */
const certainCodes: ReadonlySet<string> = new Set([
  // DNS lookup
  "ENOTFOUND",
  "EAI_AGAIN",
  // Connecting
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CONNECT_TIMEOUT",
  // Cancelled before the first byte
  "CALLED_OFF",
  // Refused by the guard
  "ADDRESS_REFUSED",
  // Refused by the sandbox
  notSimulatedCode,
  // The server's certificate was rejected before anything was sent
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Maximum depth of nested causes: `TypeError: fetch failed` ← the socket's error. */
const deepestCause = 5;

/** True: `error` proves that nothing was sent. An aggregate proves it only if all its errors do. */
export function isCertainlyNotSent(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > deepestCause) return false;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((each) => isCertainlyNotSent(each, depth + 1));
  }
  if ("code" in error && typeof error.code === "string" && certainCodes.has(error.code)) return !wasConnected(error);
  return "cause" in error && isCertainlyNotSent(error.cause, depth + 1);
}

/** True: the connection existed. A host can also become unreachable during an exchange; the system call shows it. */
function wasConnected(error: object): boolean {
  return "syscall" in error && (error.syscall === "read" || error.syscall === "write");
}
