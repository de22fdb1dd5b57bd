/**
 * The service's log. `console` and pino both fit. Log entries contain only harmless facts: ids, codes, counts; never
 * a token, a body or a header.
 */
export interface Logger {
  /** Details for debugging. */
  debug(message: string, facts?: Record<string, unknown>): void;
  /** Normal operation. */
  info(message: string, facts?: Record<string, unknown>): void;
  /** Should be checked some day. */
  warn(message: string, facts?: Record<string, unknown>): void;
  /** Should be checked now. */
  error(message: string, facts?: Record<string, unknown>): void;
}

/** Writes only warnings and errors, to the console. */
export const quietLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (message, facts) => console.warn(`postrider: ${message}`, facts ?? ""),
  error: (message, facts) => console.error(`postrider: ${message}`, facts ?? ""),
};
