import type { OpenCredentials } from "../profiles/credentials.ts";
import type { SendingPorts } from "./ports.ts";

/** What is read whole and cannot be larger waits for nobody, bytes: covers, captions, most pictures. */
const smallBytes = 4 * 1024 * 1024;

/**
 * Runs what may read whole files, which are in memory until it is over: before the first it waits for a turn, so that
 * no account fills the memory of all, however many of its profiles publish at once.
 *
 * `work` must not wait for others that read files: they might wait for its turn.
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
