import type { OpenCredentials } from "../profiles/credentials.ts";
import type { SendingPorts } from "./ports.ts";

/** Files up to this size are read without waiting for a turn, bytes: covers, captions, most images. */
const smallBytes = 4 * 1024 * 1024;

/**
 * Runs work that may hold whole files in memory until it ends. Before the first large file it waits for a turn, so that
 * no account fills the shared memory, however many of its profiles publish concurrently.
 *
 * `work` must not wait for other work that reads files, because that may be waiting for this turn.
 */
export async function withFileRoom<Run extends { ports: SendingPorts; credentials: OpenCredentials }, Value>(
  run: Run,
  work: (run: Run) => Promise<Value>,
): Promise<Value> {
  const { ports, credentials } = run;
  let end: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const takeTurn = (): Promise<void> =>
    new Promise((begin) => {
      void ports.inFileTurn(credentials.profile().account_id, () => {
        begin();
        return isOver;
      });
    });
  let turn: Promise<void> | null = null;
  const readMedia: SendingPorts["readMedia"] = async (source, options) => {
    const { slice, maxBytes } = options;
    const bytes = slice === undefined ? maxBytes : slice.to - slice.from;
    if (bytes > smallBytes) {
      turn ??= takeTurn();
      await turn;
    }
    return ports.readMedia(source, options);
  };
  try {
    return await work({ ...run, ports: { ...ports, readMedia } });
  } finally {
    end();
  }
}
