import type { Logger } from "../ports/logger.ts";

/** A scheduler's calls of its handler. */
export interface Calls {
  /** Starts calling `handler`. */
  open(handler: (key: string) => Promise<void>): void;
  /** Calls the handler, if there is one. A failure is logged and does not affect other calls. */
  ring(key: string): void;
  /** Stops calling the handler. */
  close(): void;
  /** Resolves when the running calls have ended. */
  ended(): Promise<void>;
}

export function createCalls(logger: Logger): Calls {
  const running = new Set<Promise<void>>();
  let handler: ((key: string) => Promise<void>) | null = null;
  return {
    open(nextHandler) {
      handler = nextHandler;
    },
    ring(key) {
      if (handler === null) return;
      const call = handler(key)
        .catch((error: unknown) =>
          logger.error("an alarm's work failed; the worker repeats it", { key, error: String(error) }),
        )
        .finally(() => running.delete(call));
      running.add(call);
    },
    close() {
      handler = null;
    },
    async ended() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
