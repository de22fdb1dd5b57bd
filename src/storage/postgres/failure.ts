/** The kind of a failure. `lost`: the connection broke or could not be opened · `contended`: another transaction or a pooler interfered · `locked`: a row was locked for too long. */
export type PostgresFailure = "lost" | "contended" | "locked";

/** A failure with a known cause. */
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
/** Those of them that a server reports before it accepts a statement: it is starting, or has no free connection. */
const unsentStates = ["57P03", "53300"];
// Serialization failure and deadlock: the whole transaction must be repeated.
const contendedStates = ["40001", "40P01"];
const lockTimeout = "55P03";
const uniqueViolation = "23505";
// JSON escapes that a Postgres text cannot hold: \u0000, and a lone surrogate.
const unreadableJson = ["22P05", "22P02"];

// The name of a prepared statement is unknown on this connection, or already used.
const nameStates = ["26000", "42P05"];

/** Codes of Node's sockets and resolver, and of the package `postgres`, before a connection is open. */
const unsentCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "CONNECT_TIMEOUT"];
/** The same, at any other time. */
const lostCodes = [
  ...unsentCodes,
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
];
/** `pg` reports these only by their message. */
const lostMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Null: another failure; repeating does not help. */
export function failureOf(error: unknown): PostgresFailure | null {
  if (error instanceof PostgresTrouble) return error.failure;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string") {
    if (lostStates.test(code) || lostCodes.includes(code)) return "lost";
    if (contendedStates.includes(code) || isNameTrouble(error)) return "contended";
    if (code === lockTimeout) return "locked";
  }
  return typeof message === "string" && lostMessages.test(message) ? "lost" : null;
}

/** True if a pooler has switched to another server connection, which does not know the prepared statements. */
export function isNameTrouble(error: unknown): boolean {
  return nameStates.includes(String((error as { code?: unknown }).code));
}

/** True if no connection was open yet: the server has not received the statement. */
export function isUnsent(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return unsentStates.includes(code) || unsentCodes.includes(code);
}

/** True if JSON contains text that Postgres stores but cannot read. */
export function isUnreadableJson(error: unknown): boolean {
  return unreadableJson.includes(String((error as { code?: unknown }).code));
}

/** The unique index that was violated; null: another error. */
export function violatedIndex(error: unknown): string | null {
  const { code, constraint, constraint_name } = error as Record<string, unknown>;
  if (code !== uniqueViolation) return null;
  return String(constraint ?? constraint_name);
}
