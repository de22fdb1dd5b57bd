/** What a failure means for what was asked. `lost`: the connection is gone or could not be made · `contended`: another transaction was in the way · `locked`: for too long. */
export type PostgresFailure = "lost" | "contended" | "locked";

/** A failure whose cause is ours to name. */
export class PostgresTrouble extends Error {
  override readonly name = "PostgresTrouble";
  readonly failure: PostgresFailure;

  constructor(failure: PostgresFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html, read November 2026: connection exceptions, shutdown and start of
// the server, ended for idling, too many connections, a server that only reads (after a failover the old one may be that).
const lostStates = /^(?:08...|57P0[1235]|25P03|53300|25006)$/;
// Serialization failure and deadlock: the whole transaction is to be repeated.
const contendedStates = ["40001", "40P01"];
const lockTimeout = "55P03";
const uniqueViolation = "23505";

/** Of Node's sockets and resolver, and of the package `postgres`. */
const lostCodes = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
];
/** `pg` tells these by their message alone. */
const lostMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Null: the failure is no such thing, and repeating would not help. */
export function failureOf(error: unknown): PostgresFailure | null {
  if (error instanceof PostgresTrouble) return error.failure;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string") {
    if (lostStates.test(code) || lostCodes.includes(code)) return "lost";
    if (contendedStates.includes(code)) return "contended";
    if (code === lockTimeout) return "locked";
  }
  return typeof message === "string" && lostMessages.test(message) ? "lost" : null;
}

/** The index whose unique was violated; null when the error is another one. */
export function violatedIndex(error: unknown): string | null {
  const { code, constraint, constraint_name } = error as Record<string, unknown>;
  if (code !== uniqueViolation) return null;
  return String(constraint ?? constraint_name);
}
