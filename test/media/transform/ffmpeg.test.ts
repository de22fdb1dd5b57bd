import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { encodingsFor } from "../../../src/media/ffmpeg/arguments.ts";
import { type FfmpegTransformerOptions, ffmpegTransformer } from "../../../src/media/ffmpeg/index.ts";
import type { VideoChange } from "../../../src/media/transform/transformer.ts";
import { fixture } from "../fixtures.ts";
import { type MadeFile, makeOf, sourceOf } from "./source.ts";

const change: VideoChange = {
  kind: "video",
  mime_type: "video/mp4",
  width: 32,
  height: 24,
  max_fps: 30,
  max_bitrate: null,
  max_bytes: 1_000_000,
};

const video = fixture("vp9.webm");

/** The tests' folders: one for work files, one for programs that replace ffmpeg. */
let folder: string;
let programs: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-scratch-"));
  programs = mkdtempSync(join(tmpdir(), "postrider-programs-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(programs, { recursive: true, force: true });
});

/** A program that runs the script; `$output` is the file to write. */
function program(script: string): string {
  const path = join(programs, "ffmpeg");
  writeFileSync(path, `#!/bin/sh\nfor output; do :; done\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

/** Part of a program that fails: it can encode a generated video. */
const makesOthers = 'case "$*" in *lavfi*) exit 0;; esac';

function make(
  path: string,
  options: FfmpegTransformerOptions = {},
  signal?: AbortSignal,
  given: Partial<VideoChange> = {},
): Promise<MadeFile> {
  return makeOf(ffmpegTransformer({ path, folder, ...options }), video, { ...change, ...given }, signal);
}

describe("a video that ffmpeg converts", () => {
  it("is preceded by a cleanup of a killed process's files from three days ago, and of no others", async () => {
    const left = ["postrider-ffmpeg-old", "postrider-ffmpeg-new", "another-old"].map((name) => join(folder, name));
    for (const path of left) {
      mkdirSync(path);
      writeFileSync(join(path, "input"), "a film");
      const daysAgo = path.endsWith("-old") ? 3.01 : 2.99;
      const seconds = statSync(path).mtimeMs / 1_000 - daysAgo * 86_400;
      utimesSync(path, seconds, seconds);
    }
    await make(program(`cat "$(dirname "$output")/input" > "$output"`));
    expect(readdirSync(folder).sort()).toEqual(["another-old", "postrider-ffmpeg-new"]);
  });

  // Root may list any folder.
  it.runIf(process.getuid?.() !== 0)("needs no right to list the work folder", async () => {
    chmodSync(folder, 0o300);
    await make(program(`cat "$(dirname "$output")/input" > "$output"`));
    chmodSync(folder, 0o700);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is the program's output for the given input, and its folder is deleted", async () => {
    const path = program(
      `echo "$*" > ${programs}/arguments; env > ${programs}/environment; cat "$(dirname "$output")/input" > "$output"`,
    );
    const { bytes, size_bytes } = await make(path);
    expect(Buffer.from(bytes).equals(video)).toBe(true);
    expect(size_bytes).toBe(video.length);
    expect(readdirSync(folder)).toEqual([]);
    const given = readFileSync(join(programs, "arguments"), "utf8");
    expect(given).toContain("-protocol_whitelist file -f matroska -max_pixels 35389440");
    expect(given).toContain("-vf scale=32:24,setsar=1,format=yuv420p -fpsmax 30");
    expect(given).toMatch(/-fs 1000000 -f mp4 \S+\/output\.mp4\n$/);
    // Nothing from the host's environment, which may hold secrets.
    expect(readFileSync(join(programs, "environment"), "utf8").match(/^\w+/gm)).not.toContain("HOME");
  });

  it("keeps its video stream if that already fits", async () => {
    const path = program(`echo "$*" >> ${programs}/arguments; cat "$(dirname "$output")/input" > "$output"`);
    for (const sound of ["copy", "encode"] as const) await make(path, {}, undefined, { remux: { sound } });
    const [copied, encoded, ...more] = readFileSync(join(programs, "arguments"), "utf8").trim().split("\n");
    expect(copied).toMatch(/ -protocol_whitelist file -f matroska -max_pixels 35389440 .* -map_metadata -1 /);
    expect(copied).toMatch(/ -c:v copy -c:a copy -movflags \+faststart -fs 1000000 -f mp4 \S+$/);
    expect(encoded).toContain("-c:v copy -c:a aac -b:a 128000 -ac 2 -ar 48000 ");
    expect(more).toEqual([]);
  });

  it("is encoded if it is too large with its original video stream", async () => {
    const size = `case "$*" in *"-c:v copy"*) size=1000000;; *) size=900;; esac`;
    const path = program(`echo "$*" >> ${programs}/arguments; ${size}; head -c $size /dev/zero > "$output"`);
    expect(await make(path, {}, undefined, { remux: { sound: "copy" } })).toMatchObject({ size_bytes: 900 });
    const given = readFileSync(join(programs, "arguments"), "utf8").trim().split("\n");
    expect(given.map((each) => /-c:v (\S+)/.exec(each)?.[1])).toEqual(["copy", "libx264"]);
  });

  it("has the requested frame rate, or at most that", async () => {
    const path = program(`echo "$*" >> ${programs}/arguments; cat "$(dirname "$output")/input" > "$output"`);
    await make(path, {}, undefined, { fps: 24 });
    await make(path, {}, undefined, { max_fps: null });
    const given = readFileSync(join(programs, "arguments"), "utf8").trim().split("\n");
    expect(given.map((each) => each.match(/-(?:r|fpsmax) \d+/g))).toEqual([["-r 24"], null]);
  });

  it("is encoded once more with fewer bits if it is too large, and then rejected", async () => {
    const path = program(
      `echo "$*" | grep -oE -- "-crf [0-9]+( -maxrate:v [0-9]+ -bufsize:v [0-9]+)?" >> ${programs}/tries; head -c 1000000 /dev/zero > "$output"`,
    );
    await expect(make(path)).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("cannot be reduced to 1000000 bytes"),
    });
    // The video has 0.4 seconds and little content.
    expect(readFileSync(join(programs, "tries"), "utf8").trimEnd().split("\n")).toEqual([
      "-crf 20",
      "-crf 20 -maxrate:v 12499451 -bufsize:v 12499451",
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      "prints the reason, which is shown without paths",
      'echo "[x] /tmp/secret/input: Invalid data" >&2; exit 1',
      "([x] the file: Invalid data)",
    ],
    ["prints nothing", "exit 3", "(ffmpeg printed nothing)"],
    [
      "has no name for the codec",
      'echo "Decoder (codec none) not found" >&2; exit 1',
      "(Decoder (codec none) not found)",
    ],
  ])("is at fault if the program can encode others and %s", async (_, script, message) => {
    await expect(make(program(`${makesOthers}\n${script}`))).rejects.toMatchObject({
      code: "media_error",
      isPassing: false,
      message: `cannot be decoded ${message}; export it again`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      "can encode none",
      'echo "Unknown encoder libx264" >&2; exit 1',
      {
        isPassing: false,
        message:
          "cannot be converted by this service. [For the developer: ffmpeg failed (Unknown encoder libx264). Install ffmpeg 4.4 or newer, with libx264 and all decoders.]",
      },
    ],
    [
      "has no decoder for a codec",
      `${makesOthers}; echo "Decoder (codec av1) not found for input stream #0:0" >&2; exit 1`,
      { isPassing: false, message: expect.stringContaining("with libx264 and all decoders") },
    ],
    [
      "finds the disk full",
      `${makesOthers}; yes "[x] Error" | head -c 9000 >&2; echo "x: No space left on device" >&2; echo "Conversion failed!" >&2; exit 1`,
      {
        isPassing: true,
        message:
          "could not be converted: this service's disk is full. [For the developer: Make room in ffmpegTransformer's folder.]",
      },
    ],
    [
      "finds the disk full when it encodes others",
      'echo "x: No space left on device" >&2; exit 1',
      { isPassing: true, message: expect.stringContaining("disk is full") },
    ],
    [
      "is killed",
      `${makesOthers}; kill -9 $$`,
      { isPassing: true, message: "could not be converted: ffmpeg was killed" },
    ],
    [
      "is told to exit",
      `${makesOthers}; exit 255`,
      { isPassing: true, message: "could not be converted: ffmpeg was killed" },
    ],
  ])("is not at fault if the program %s", async (_, script, error) => {
    await expect(make(program(script))).rejects.toMatchObject({ code: "internal_error", ...error });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not at fault if the disk is full before the program runs", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const source = { ...sourceOf(video), read: () => Promise.reject(full) };
    const made = ffmpegTransformer({ path: program(""), folder }).transform(source, change, {
      signal: new AbortController().signal,
    });
    await expect(made).rejects.toMatchObject({
      code: "internal_error",
      isPassing: true,
      message: expect.stringContaining("disk is full"),
    });
  });

  it("is abandoned and the program killed on an abort", async () => {
    const ended = new AbortController();
    const made = make(program("exec cat /dev/zero > /dev/null"), {}, ended.signal);
    const caught = expect(made).rejects.toThrow("Called off.");
    ended.abort(new Error("Called off."));
    await caught;
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("ffmpeg is found by its name in the PATH", async () => {
  program('echo "ffmpeg version 9 of the path"');
  vi.stubEnv("PATH", `${programs}:${process.env.PATH}`);
  expect(await ffmpegTransformer().version()).toBe("ffmpeg version 9 of the path");
  vi.unstubAllEnvs();
});

it("a missing ffmpeg is reported with the remedy", async () => {
  const missing = join(programs, "nowhere");
  await expect(ffmpegTransformer({ path: missing }).version()).rejects.toMatchObject({
    code: "internal_error",
    message: `cannot be converted by this service. [For the developer: ${missing} cannot be run. Install ffmpeg, or set ffmpegTransformer's path.]`,
  });
});

it("a program that cannot start is reported with the missing library", async () => {
  const path = program('echo "error while loading shared libraries: libx264.so.164" >&2; exit 127');
  await expect(ffmpegTransformer({ path }).version()).rejects.toMatchObject({
    code: "internal_error",
    message: expect.stringContaining("(error while loading shared libraries: libx264.so.164)"),
  });
});

it("the transformer's version is ffmpeg's, which is read once", async () => {
  const path = program(`echo "ffmpeg version 7.1 Copyright"; echo more; echo once >> ${programs}/asked`);
  const transformer = ffmpegTransformer({ path });
  expect([await transformer.version(), await transformer.version()]).toEqual(
    Array(2).fill("ffmpeg version 7.1 Copyright"),
  );
  expect(readFileSync(join(programs, "asked"), "utf8")).toBe("once\n");
});

/** A video of 1280 × 720 pixels and 30 frames per second; half a bit per pixel makes 13,824,000 bits per second. */
const wide = { ...change, width: 1_280, height: 720, max_fps: null, fps: 30 };

it.each([
  [{ max_bitrate: null, max_bytes: 1_000_000 }, { duration_seconds: null }, null, null],
  [{ max_bitrate: 1_000_000, max_bytes: 1_000_000 }, { duration_seconds: null }, 792_000, 516_000],
  [{ max_bitrate: null, max_bytes: 1_000_000 }, { duration_seconds: 10 }, 608_000, 387_200],
  [{ max_bitrate: 500_000, max_bytes: 1_000_000 }, { duration_seconds: 10 }, 332_000, 194_000],
  [{ max_bitrate: 500_000, max_bytes: 1_000_000 }, { duration_seconds: 10, has_audio: false }, 460_000, 322_000],
  // More than the images need: no limit is set unless the result is too large after all.
  [{ max_bitrate: 25_000_000, max_bytes: 300_000_000 }, { duration_seconds: 10 }, null, 15_972_000],
  [{ max_bitrate: null, max_bytes: 8_000_000_000 }, { duration_seconds: 60 }, null, 686_805_333],
  // Always a number that ffmpeg accepts, whatever the video's facts are.
  [{ max_bitrate: null, max_bytes: 8_000_000_000 }, { duration_seconds: 1 }, null, 1_000_000_000],
  [{ max_bitrate: null, max_bytes: 274_877_906_944 }, { duration_seconds: 1e-9 }, null, 1_000_000_000],
  [
    { max_bitrate: null, max_bytes: 8_000_000_000 },
    { duration_seconds: 10, fps: 10 ** 6 },
    1_000_000_000,
    1_000_000_000,
  ],
  [{ max_bitrate: null, max_bytes: 1_000_000 }, { duration_seconds: 0 }, null, null],
])(
  "with the limits %j, the stream of a video with %j gets at most %s bits per second, and %s in the second attempt",
  (bounds, facts, first, second) => {
    const tries = encodingsFor({ ...wide, ...bounds }, { ...wide, ...facts });
    expect(tries.map(({ maxBitrate }) => maxBitrate)).toEqual([first, second]);
  },
);

it("a second attempt lowers the quality if the video's length is unknown", () => {
  const tries = encodingsFor({ ...wide, max_bitrate: null }, { ...wide, duration_seconds: null });
  expect(tries).toEqual([
    { crf: 20, maxBitrate: null },
    { crf: 28, maxBitrate: null },
  ]);
});

it("a video is rejected if its images would be unrecognizable", () => {
  const minute = { ...wide, duration_seconds: 60 };
  expect(() => encodingsFor({ ...wide, max_bitrate: null, max_bytes: 100_000 }, minute)).toThrow("use a shorter one");
  expect(() => encodingsFor({ ...wide, max_bitrate: 200_000, max_bytes: 10 ** 9 }, minute)).toThrow(
    "200000 bits per second",
  );
});

describe("a video in HDR", () => {
  const hlg = { ...change, max_fps: null };
  const facts = { type: "video", mime_type: "video/quicktime", width: 64, height: 48, duration_seconds: 0.2 } as const;
  /** It reports that it has zscale: that request has no output file. */
  const writes = `[ "$output" = - ] && exit; echo "$*" >> "$(dirname "$0")/arguments"; echo film > "$output"`;
  const withoutZscale = `case "$*" in *zscale*) echo "No such filter: 'zscale'" >&2; exit 1;; esac`;
  const given = (): string => readFileSync(join(programs, "arguments"), "utf8");

  async function makeOfHdr(path: string, color_transfer?: "hlg" | "pq"): Promise<void> {
    const source = sourceOf(video, { ...facts, ...(color_transfer && { color_transfer }) });
    const { body } = await ffmpegTransformer({ path, folder }).transform(source, hlg, {
      signal: new AbortController().signal,
    });
    await body.cancel();
  }

  it.each([
    ["hlg", "arib-std-b67"],
    ["pq", "smpte2084"],
  ] as const)("is converted from %s to SDR, with a warning", async (transfer, name) => {
    await makeOfHdr(program(writes), transfer);
    expect(given()).toContain(
      `scale=32:24,setsar=1,setparams=color_primaries=bt2020:color_trc=${name}:colorspace=bt2020nc,`,
    );
    expect(given()).toMatch(/tonemap=.*,zscale=t=bt709:m=bt709:r=tv,format=yuv420p .*-color_trc bt709/);
  });

  it("is not converted if ffmpeg has no zscale, like other videos", async () => {
    await makeOfHdr(program(`${withoutZscale}\n${writes}`), "hlg");
    expect(given()).not.toContain("tonemap");
    expect(given()).toContain("-vf scale=32:24,setsar=1,format=yuv420p ");
    rmSync(join(programs, "arguments"));
    await makeOfHdr(program(writes));
    expect(given().trimEnd().split("\n")).toHaveLength(1);
    expect(given()).not.toContain("bt709");
  });

  it("causes a warning if ffmpeg has no zscale, and only then", async () => {
    const warningsOf = async (path: string, color_transfer?: "hlg" | "pq", given: Partial<VideoChange> = {}) =>
      ffmpegTransformer({ path }).warnings?.(
        { ...facts, ...(color_transfer && { color_transfer }) },
        { ...change, ...given },
      );
    expect(await warningsOf(program(withoutZscale), "pq")).toEqual([expect.stringContaining("has no zscale")]);
    expect(await warningsOf(program(withoutZscale))).toEqual([]);
    // Copied video streams lose nothing.
    expect(await warningsOf(program(withoutZscale), "pq", { remux: { sound: "copy" } })).toEqual([]);
    expect(await warningsOf(program("exit 0"), "pq")).toEqual([]);
    expect(await warningsOf(join(programs, "nowhere"), "pq")).toEqual([]);
  });
});

it("the transformer rejects an unknown option", () => {
  expect(() => ffmpegTransformer({ timeout: 1 } as FfmpegTransformerOptions)).toThrow("timeout");
});
