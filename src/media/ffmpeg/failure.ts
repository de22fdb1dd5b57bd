import type { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import { refused, unable } from "../transform/refused.ts";
import { hasCode, ProgramFailure } from "./run.ts";

/** What ffmpeg and the machine say when the disk is full. */
const diskFull = /No space left on device|Disk quota exceeded/;

/** What ffmpeg says of a codec that it was built without; of one that it has no name for, the file is to blame. */
const noDecoder = /Decoder \(codec (?!none)[^)]*\) not found|no decoder found for: (?!none)/;

/**
 * Says whose fault it was that a video could not be made.
 *
 * @param trial makes a video out of nothing in the same way: what fails at that fails at any file
 * @throws PublishingError `media_error` when it was the file's · `internal_error` when it was the service's, passing for
 *   a full disk and an ffmpeg that was killed · any other error as it is
 */
export async function explain(
  error: unknown,
  { timeoutSeconds, trial }: { timeoutSeconds: number; trial: () => Promise<unknown> },
): Promise<never> {
  if (!(error instanceof ProgramFailure)) throw error;
  if (error.reason === "too_long") throw tooLong(timeoutSeconds, error);
  const own = ownFault(error);
  if (own !== null) throw own;
  await trial().catch(explainWithoutFile);
  throw refused(`cannot be decoded (${lastLine(error)}); export it again`, error);
}

/** @throws PublishingError `internal_error`, passing, for a disk that was full · any other error as it is */
export function explainFullDisk(error: unknown): never {
  throw hasCode(error, "ENOSPC", "EDQUOT") ? noRoom(error) : error;
}

/** @throws PublishingError `internal_error` when it failed at what needs no file · any other error as it is */
export function explainWithoutFile(error: unknown): never {
  throw error instanceof ProgramFailure ? (ownFault(error) ?? incapable(error)) : error;
}

/** What no file can be blamed for, whatever it is; null: it may be the file. */
function ownFault(failure: ProgramFailure): PublishingError | null {
  if (failure.reason === "killed") {
    return unable("could not be converted: ffmpeg was killed", { cause: failure, isPassing: true });
  }
  if (diskFull.test(failure.said)) return noRoom(failure);
  return noDecoder.test(failure.said) ? incapable(failure) : null;
}

function noRoom(cause: unknown): PublishingError {
  const problem = withRemedy(
    "could not be converted: this service's disk is full.",
    "Make room in ffmpegTransformer's folder.",
  );
  return unable(problem, { cause, isPassing: true });
}

function incapable(cause: ProgramFailure): PublishingError {
  const remedy = `ffmpeg failed (${lastLine(cause)}). Install ffmpeg 4.4 or newer, with libx264 and all decoders.`;
  return unable(withRemedy("cannot be converted by this service.", remedy), { cause });
}

function tooLong(timeoutSeconds: number, cause: unknown): PublishingError {
  const problem = `takes longer than ${timeoutSeconds} s to be converted (timeoutSeconds); use a shorter one`;
  return refused(problem, cause);
}

/** The addresses of memory and the paths in it are of no use to anyone. */
function lastLine({ said }: ProgramFailure): string {
  const [line = ""] = said.trim().split("\n").slice(-1);
  if (line === "") return "ffmpeg printed nothing";
  return line.replace(/(?:\/[\w.-]+)+/g, "the file").slice(0, 200);
}
