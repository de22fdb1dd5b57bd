import { spawn } from "node:child_process";
import type { PublishingError } from "../../wire/errors.ts";
import { refused } from "../transform/refused.ts";

/** Of what a program says, characters. */
const maxSaid = 4_000;

export interface RunOptions {
  /** Then it is killed. */
  timeoutSeconds: number;
  /** Kills it. */
  signal?: AbortSignal;
}

/**
 * Runs a program without a shell and, but for where programs are, without the
 * host's environment. Returns what it wrote.
 *
 * @throws PublishingError `media_error` when it fails, takes too long, or is not there · the signal's reason
 */
export async function runProgram(
  path: string,
  given: readonly string[],
  { timeoutSeconds, signal }: RunOptions,
): Promise<string> {
  signal?.throwIfAborted();
  const child = spawn(path, [...given], {
    stdio: ["ignore", "pipe", "pipe"],
    // Where programs are found; the rest of the host's environment may hold secrets.
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
    timeout: timeoutSeconds * 1_000,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  const kill = (): void => void child.kill("SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (piece: string) => {
      said[name] = (said[name] + piece).slice(0, maxSaid);
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal?.throwIfAborted();
    if (code === 0) return said.stdout;
    throw refused(
      code === null ? tooLong(timeoutSeconds) : `cannot be decoded (${lastLine(said.stderr)}); export it again`,
    );
  } catch (error) {
    throw hasCode(error, "ENOENT") || hasCode(error, "EACCES") ? notThere(path, error) : error;
  } finally {
    signal?.removeEventListener("abort", kill);
  }
}

function tooLong(timeoutSeconds: number): string {
  return `takes longer than ${timeoutSeconds} s to be changed (timeoutSeconds), or ffmpeg was killed; give a shorter one`;
}

/** The addresses of memory and the paths in it are of no use to anyone. */
function lastLine(said: string): string {
  const [line = ""] = said.trim().split("\n").slice(-1);
  if (line === "") return "ffmpeg says nothing";
  return line.replace(/(?:\/[\w.-]+)+/g, "the file").slice(0, 200);
}

function notThere(path: string, cause: unknown): PublishingError {
  const problem = `cannot be changed: ${path} cannot be run; install ffmpeg, or give ffmpegTransformer its path`;
  return refused(problem, cause);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === code;
}
