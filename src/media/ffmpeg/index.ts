import { tmpdir } from "node:os";
import * as z from "zod";
import { checkOptions, type OptionSchemas, option, wholeNumber } from "../../ports/parse-options.ts";
import { withRemedy } from "../../wire/remedy.ts";
import { refused } from "../transform/refused.ts";
import type { MediaTransformer } from "../transform/transformer.ts";
import { encodingsFor, ffmpegArguments, isSmallEnough, toneMappingTrial, trialArguments } from "./arguments.ts";
import { explain, explainFullDisk, explainWithoutFile } from "./failure.ts";
import { remuxArguments } from "./remux.ts";
import { ProgramFailure, runProgram } from "./run.ts";
import { withScratch } from "./scratch.ts";

/** The path of ffmpeg, and limits for one video. */
export interface FfmpegTransformerOptions {
  /** The program: a name that is found on the machine, or a path. ffmpeg 4.4 or newer, with libx264, and with zscale for HDR. @default "ffmpeg" */
  path?: string | undefined;
  /** Folder for the video during its conversion, original and result: twice its size. Leftovers of a killed process are deleted after three days. @default the machine's folder for temporary files */
  folder?: string | undefined;
  /** How long one try may take, seconds; then ffmpeg is killed. 1 to 86_400. @default 1_800 */
  timeoutSeconds?: number | undefined;
  /** Threads of ffmpeg. 1 to 64. @default 2 */
  threads?: number | undefined;
  /** A video with more pixels in a frame is refused. @default 35_389_440, which is 8192 × 4320 */
  maxPixels?: number | undefined;
}

const text = (right: string) => option(right, (value) => typeof value === "string" && value !== "");

const optionsSchema = z.strictObject({
  path: text('a program, such as "/usr/bin/ffmpeg"').optional(),
  folder: text('a folder, such as "/var/tmp"').optional(),
  timeoutSeconds: wholeNumber("seconds", { from: 1, to: 86_400 }).optional(),
  threads: wholeNumber("threads", { from: 1, to: 64 }).optional(),
  maxPixels: wholeNumber("pixels", { from: 1, to: 268_402_689 }).optional(),
} satisfies OptionSchemas<FfmpegTransformerOptions>);

const answerSeconds = 30;

const withoutToneMapping = withRemedy(
  "is HDR and would look pale. Use SDR",
  "The service's ffmpeg has no zscale. Install an ffmpeg that has it.",
);

/**
 * Converts videos automatically with the host's ffmpeg: H.264 and AAC in
 * MP4, the index first, upright, HDR as SDR, without metadata. A video stream that the network already
 * accepts is copied. ffmpeg runs with a list of arguments, without shell, environment or network, and
 * reads one file.
 *
 * @example
 * createSocialService({ storage, baseUrl, mediaStore: filesStore("media"), mediaTransformers: [ffmpegTransformer()] });
 *
 * @throws SocialError `invalid_options` naming the invalid option
 */
export function ffmpegTransformer(options: FfmpegTransformerOptions = {}): MediaTransformer {
  checkOptions("ffmpegTransformer", optionsSchema, options);
  const { path = "ffmpeg", folder = tmpdir(), timeoutSeconds = 1_800, threads = 2, maxPixels = 35_389_440 } = options;
  const ask = (given: string[]): Promise<string> => runProgram(path, given, { timeoutSeconds: answerSeconds });

  const version = learnt(async () => {
    const [first = ""] = (await ask(["-hide_banner", "-version"]).catch(explainWithoutFile)).split("\n");
    return first.slice(0, 100);
  });

  const mapsTones = learnt(() => isDone(ask(toneMappingTrial())).catch(explainWithoutFile));

  return {
    makes: "video",
    reads: ["video/mp4", "video/quicktime", "video/webm", "video/matroska"],
    version,
    async warnings({ color_transfer }, change) {
      if (change.kind === "video" && change.remux !== undefined) return [];
      // An ffmpeg that cannot be asked is named when it is needed.
      if (color_transfer === undefined || (await mapsTones().catch(() => true))) return [];
      return [withoutToneMapping];
    },
    async transform(source, change, { signal }) {
      if (change.kind !== "video") throw new TypeError("ffmpegTransformer makes videos only.");
      const run = (given: string[]) => runProgram(path, given, { timeoutSeconds, signal });
      const made = withScratch(folder, async (scratch) => {
        await scratch.write("input", await source.read(), signal);
        const files = { ...source, input: scratch.pathOf("input"), output: scratch.pathOf("output.mp4") };
        const isMade = async (): Promise<boolean> =>
          isSmallEnough(change, await scratch.sizeOf("output.mp4"), source.duration_seconds);
        const { remux } = change;
        if (remux !== undefined) {
          const copying = remuxArguments(files, { ...change, remux }, { threads, maxPixels });
          // What cannot be copied may be encoded.
          const isCopied = await isDone(run(copying)).catch((error) =>
            explain(error, { timeoutSeconds, trial: version }),
          );
          if (isCopied && (await isMade())) return scratch.take("output.mp4");
        }
        const toneMapped = source.color_transfer !== undefined && (await mapsTones()) ? source.color_transfer : null;
        for (const encoding of encodingsFor(change, source)) {
          const how = { ...encoding, toneMapped, threads, maxPixels };
          const trial = () => run(trialArguments(files.output, change, how));
          await run(ffmpegArguments(files, change, how)).catch((error) => explain(error, { timeoutSeconds, trial }));
          if (await isMade()) return scratch.take("output.mp4");
        }
        throw refused(`cannot be reduced to ${change.max_bytes} bytes; use a shorter one`);
      });
      return made.catch(explainFullDisk);
    },
  };
}

/** False: ffmpeg ran and could not do it. */
function isDone(running: Promise<unknown>): Promise<boolean> {
  return running.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ProgramFailure && error.reason === "failed") return false;
      throw error;
    },
  );
}

/** Finds something out once, unless that fails. */
function learnt<Value>(find: () => Promise<Value>): () => Promise<Value> {
  let found: Promise<Value> | null = null;
  return () => {
    found ??= find().catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  };
}
