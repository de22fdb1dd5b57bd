import type { PublishingError } from "../../wire/errors.ts";
import { withRemedy } from "../../wire/remedy.ts";
import { refused, unable } from "../transform/refused.ts";
import { hasCode, ProgramFailure } from "./run.ts";

/** Messages of ffmpeg and the system for a full disk. */
const diskFull = /No space left on device|Disk quota exceeded/;

/** ffmpeg's messages for a codec that this build lacks. A codec that ffmpeg has no name for is the file's fault. */
const noDecoder = /Decoder \(codec (?!none)[^)]*\) not found|no decoder found for: (?!none)/;

/**
 * Determines the cause of a failed conversion.
 *
 * @param trial converts a generated video with the same settings. If it fails, any file would fail
 * @throws PublishingError `media_error` if the file is the cause · `internal_error` if the service is, passing for a
 * full disk or a killed ffmpeg · any other error unchanged
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

/** @throws PublishingError `internal_error`, passing, for a full disk · any other error unchanged */
export function explainFullDisk(error: unknown): never {
  throw hasCode(error, "ENOSPC", "EDQUOT") ? noRoom(error) : error;
}

/** @throws PublishingError `internal_error` for a failure of a step that needs no file · any other error unchanged */
export function explainWithoutFile(error: unknown): never {
  throw error instanceof ProgramFailure ? (ownFault(error) ?? incapable(error)) : error;
}

/** A failure that no file causes; null: the file may be the cause. */
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

/** The last line of ffmpeg's errors, without paths, which help no reader. */
function lastLine({ said }: ProgramFailure): string {
  const [line = ""] = said.trim().split("\n").slice(-1);
  if (line === "") return "ffmpeg printed nothing";
  return line.replace(/(?:\/[\w.-]+)+/g, "the file").slice(0, 200);
}
