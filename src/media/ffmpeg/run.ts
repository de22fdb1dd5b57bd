import { spawn } from "node:child_process";
import { withRemedy } from "../../wire/remedy.ts";
import { unable } from "../transform/refused.ts";

/** Of what a program says, characters: of its errors the last ones. */
const maxSaid = 4_000;

/** With which ffmpeg ends when it was asked to end: https://github.com/FFmpeg/FFmpeg/blob/master/fftools/ffmpeg.c (November 2026) */
const codeWhenKilled = 255;

/** A program has run, and did not do what it was to. */
export class ProgramFailure extends Error {
  override readonly name = "ProgramFailure";
  /** `failed`: it gave up · `killed`: somebody else ended it · `too_long`: it was ended here, after its time. */
  readonly reason: "failed" | "killed" | "too_long";
  /** The end of what it wrote about its errors. */
  readonly said: string;

  constructor(reason: ProgramFailure["reason"], said: string) {
    super(`The program ${reason.replace("_", " ")}.`);
    this.reason = reason;
    this.said = said;
  }
}

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
 * @throws ProgramFailure · PublishingError `internal_error` when it is not there · the signal's reason
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
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    said.stdout = (said.stdout + piece).slice(0, maxSaid);
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    said.stderr = (said.stderr + piece).slice(-maxSaid);
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal?.throwIfAborted();
    if (code === 0) return said.stdout;
    const wasKilled = code === null || code === codeWhenKilled;
    throw new ProgramFailure(!wasKilled ? "failed" : child.killed ? "too_long" : "killed", said.stderr);
  } catch (error) {
    throw hasCode(error, "ENOENT", "EACCES") ? notThere(path, error) : error;
  } finally {
    signal?.removeEventListener("abort", kill);
  }
}

function notThere(path: string, cause: unknown): Error {
  const remedy = `${path} cannot be run. Install ffmpeg, or set ffmpegTransformer's path.`;
  const problem = withRemedy("cannot be converted by this service.", remedy);
  return unable(problem, { cause });
}

/** Whether the machine failed in one of these ways, such as `ENOSPC`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes(String((error as { code?: unknown }).code));
}
