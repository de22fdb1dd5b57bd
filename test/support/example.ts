import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a program is given. */
export interface Given {
  given?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** True: its input is a pipe. @default false: it is empty */
  isTypedTo?: boolean;
}

export function startNode(
  command: readonly string[],
  { given = [], env = {}, isTypedTo = false }: Given = {},
): ChildProcess {
  const stdio: SpawnOptions["stdio"] = [isTypedTo ? "pipe" : "ignore", "pipe", "pipe"];
  const options: SpawnOptions = { cwd: root, env: { ...process.env, ...env }, stdio };
  return spawn(process.execPath, [...command, ...given], options);
}

export interface Output {
  code: number | null;
  output: string;
  /** What it wrote to its error output. */
  complaints: string;
}

/** Waits for a program that ends by itself. */
export async function outputOf(running: ChildProcess): Promise<Output> {
  let [output, complaints] = ["", ""];
  running.stdout?.on("data", (text) => (output += text));
  running.stderr?.on("data", (text) => (complaints += text));
  const [code] = (await once(running, "close")) as [number | null];
  return { code, output, complaints };
}
