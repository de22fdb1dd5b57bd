/** What a failure means for what was asked. `lost`: the connection is gone or could not be made · `contended`: another transaction, or a pooler, was in the way · `locked`: for too long. */
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
/** Of these, the ones that a server says before it takes a statement: it starts, or has no connection left. */
const unsentStates = ["57P03", "53300"];
// Serialization failure and deadlock: the whole transaction is to be repeated.
const contendedStates = ["40001", "40P01"];
const lockTimeout = "55P03";
const uniqueViolation = "23505";
// Postgres reads escapes in JSON that no text of its own can hold: \u0000, and half of a pair.
const unreadableJson = ["22P05", "22P02"];

// The name of a prepared statement is not known on this connection, or taken.
const nameStates = ["26000", "42P05"];

/** Of Node's sockets and resolver, and of the package `postgres`: before there is a connection. */
const unsentCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "CONNECT_TIMEOUT"];
/** The same, at any time. */
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
/** `pg` tells these by their message alone. */
const lostMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** Null: none of these; repeating would not help. */
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

/** True when a pooler has put another connection under the client's: names that were given there say nothing here. */
export function isNameTrouble(error: unknown): boolean {
  return nameStates.includes(String((error as { code?: unknown }).code));
}

/** True when there was no connection yet: the server has seen nothing of what was asked. */
export function isUnsent(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code);
  return unsentStates.includes(code) || unsentCodes.includes(code);
}

/** True when JSON holds text that Postgres keeps, but does not read. */
export function isUnreadableJson(error: unknown): boolean {
  return unreadableJson.includes(String((error as { code?: unknown }).code));
}

/** The index whose unique was violated; null when the error is another one. */
export function violatedIndex(error: unknown): string | null {
  const { code, constraint, constraint_name } = error as Record<string, unknown>;
  if (code !== uniqueViolation) return null;
  return String(constraint ?? constraint_name);
}
