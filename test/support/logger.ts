import type { Logger } from "../../src/ports/logger.ts";

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Keeps every line, so that a test can look at it. */
export function recordingLogger(): Logger & { lines: string[] } {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (message: string, facts?: Record<string, unknown>): void => {
      lines.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
    };
  return { lines, debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") };
}
