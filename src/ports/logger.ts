/**
 * Where the service says what it does. `console` and pino both fit. Only facts
 * that are safe to keep are ever passed: ids, codes, counts; never a token, a
 * body or a header.
 */
export interface Logger {
  /** Details for debugging. */
  debug(message: string, facts?: Record<string, unknown>): void;
  /** What happens as it should. */
  info(message: string, facts?: Record<string, unknown>): void;
  /** What somebody should look at some day. */
  warn(message: string, facts?: Record<string, unknown>): void;
  /** What somebody should look at now. */
  error(message: string, facts?: Record<string, unknown>): void;
}

/** Says nothing below a warning; warnings and errors go to the console. */
export const quietLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (message, facts) => console.warn(`postrider: ${message}`, facts ?? ""),
  error: (message, facts) => console.error(`postrider: ${message}`, facts ?? ""),
};
