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

const film = fixture("vp9.webm");

/** Of the tests: the scratch folders, and what stands in for ffmpeg. */
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

/** A program that does as the script says: `$output` is what it is to write. */
function program(script: string): string {
  const path = join(programs, "ffmpeg");
  writeFileSync(path, `#!/bin/sh\nfor output; do :; done\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

/** Of a program that fails: it makes a film out of nothing. */
const makesOthers = 'case "$*" in *lavfi*) exit 0;; esac';

function make(
  path: string,
  options: FfmpegTransformerOptions = {},
  signal?: AbortSignal,
  given: Partial<VideoChange> = {},
): Promise<MadeFile> {
  return makeOf(ffmpegTransformer({ path, folder, ...options }), film, { ...change, ...given }, signal);
}

describe("a film that a program changes", () => {
  it("clears away what a process that was killed left three days ago, and nothing else", async () => {
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

  // Nothing is hidden from root.
  it.runIf(process.getuid?.() !== 0)("needs no right to list the folder in which it works", async () => {
    chmodSync(folder, 0o300);
    await make(program(`cat "$(dirname "$output")/input" > "$output"`));
    chmodSync(folder, 0o700);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is what the program writes, of what lay beside it, and the folder goes", async () => {
    const path = program(
      `echo "$*" > ${programs}/arguments; env > ${programs}/environment; cat "$(dirname "$output")/input" > "$output"`,
    );
    const { bytes, size_bytes } = await make(path);
    expect(Buffer.from(bytes).equals(film)).toBe(true);
    expect(size_bytes).toBe(film.length);
    expect(readdirSync(folder)).toEqual([]);
    const given = readFileSync(join(programs, "arguments"), "utf8");
    expect(given).toContain("-protocol_whitelist file -f matroska -max_pixels 35389440");
    expect(given).toContain("-vf scale=32:24,setsar=1,format=yuv420p -fpsmax 30");
    expect(given).toMatch(/-fs 1000000 -f mp4 \S+\/output\.mp4\n$/);
    // Nothing of the host's environment, where secrets are.
    expect(readFileSync(join(programs, "environment"), "utf8").match(/^\w+/gm)).not.toContain("HOME");
  });

  it("keeps its pictures where they are as they should be", async () => {
    const path = program(`echo "$*" >> ${programs}/arguments; cat "$(dirname "$output")/input" > "$output"`);
    for (const sound of ["copy", "encode"] as const) await make(path, {}, undefined, { remux: { sound } });
    const [copied, encoded, ...more] = readFileSync(join(programs, "arguments"), "utf8").trim().split("\n");
    expect(copied).toMatch(/ -protocol_whitelist file -f matroska -max_pixels 35389440 .* -map_metadata -1 /);
    expect(copied).toMatch(/ -c:v copy -c:a copy -movflags \+faststart -fs 1000000 -f mp4 \S+$/);
    expect(encoded).toContain("-c:v copy -c:a aac -b:a 128000 -ac 2 -ar 48000 ");
    expect(more).toEqual([]);
  });

  it("is encoded after all where it comes out too large with its pictures", async () => {
    const size = `case "$*" in *"-c:v copy"*) size=1000000;; *) size=900;; esac`;
    const path = program(`echo "$*" >> ${programs}/arguments; ${size}; head -c $size /dev/zero > "$output"`);
    expect(await make(path, {}, undefined, { remux: { sound: "copy" } })).toMatchObject({ size_bytes: 900 });
    const given = readFileSync(join(programs, "arguments"), "utf8").trim().split("\n");
    expect(given.map((each) => /-c:v (\S+)/.exec(each)?.[1])).toEqual(["copy", "libx264"]);
  });

  it("has so many pictures a second as are asked for, or at most", async () => {
    const path = program(`echo "$*" >> ${programs}/arguments; cat "$(dirname "$output")/input" > "$output"`);
    await make(path, {}, undefined, { fps: 24 });
    await make(path, {}, undefined, { max_fps: null });
    const given = readFileSync(join(programs, "arguments"), "utf8").trim().split("\n");
    expect(given.map((each) => each.match(/-(?:r|fpsmax) \d+/g))).toEqual([["-r 24"], null]);
  });

  it("is tried once more with fewer bits when it comes out too large, and then refused", async () => {
    const path = program(
      `echo "$*" | grep -oE -- "-crf [0-9]+( -maxrate:v [0-9]+ -bufsize:v [0-9]+)?" >> ${programs}/tries; head -c 1000000 /dev/zero > "$output"`,
    );
    await expect(make(path)).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("cannot be reduced to 1000000 bytes"),
    });
    // The film has 0.4 seconds and little to show.
    expect(readFileSync(join(programs, "tries"), "utf8").trimEnd().split("\n")).toEqual([
      "-crf 20",
      "-crf 20 -maxrate:v 12499451 -bufsize:v 12499451",
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      "says why, without paths",
      'echo "[x] /tmp/secret/input: Invalid data" >&2; exit 1',
      "([x] the file: Invalid data)",
    ],
    ["says nothing", "exit 3", "(ffmpeg printed nothing)"],
    [
      "has no name for the codec",
      'echo "Decoder (codec none) not found" >&2; exit 1',
      "(Decoder (codec none) not found)",
    ],
  ])("is to blame where the program can make others and %s", async (_, script, message) => {
    await expect(make(program(`${makesOthers}\n${script}`))).rejects.toMatchObject({
      code: "media_error",
      isPassing: false,
      message: `cannot be decoded ${message}; export it again`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      "can make none",
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
      "finds the disk full when it makes others",
      'echo "x: No space left on device" >&2; exit 1',
      { isPassing: true, message: expect.stringContaining("disk is full") },
    ],
    [
      "is killed",
      `${makesOthers}; kill -9 $$`,
      { isPassing: true, message: "could not be converted: ffmpeg was killed" },
    ],
    [
      "is asked to end",
      `${makesOthers}; exit 255`,
      { isPassing: true, message: "could not be converted: ffmpeg was killed" },
    ],
  ])("is not to blame where the program %s", async (_, script, error) => {
    await expect(make(program(script))).rejects.toMatchObject({ code: "internal_error", ...error });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not to blame where the disk is full before the program runs", async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const source = { ...sourceOf(film), read: () => Promise.reject(full) };
    const made = ffmpegTransformer({ path: program(""), folder }).transform(source, change, {
      signal: new AbortController().signal,
    });
    await expect(made).rejects.toMatchObject({
      code: "internal_error",
      isPassing: true,
      message: expect.stringContaining("disk is full"),
    });
  });

  it("kills the program when it is called off", async () => {
    const ended = new AbortController();
    const made = make(program("exec cat /dev/zero > /dev/null"), {}, ended.signal);
    const caught = expect(made).rejects.toThrow("Called off.");
    ended.abort(new Error("Called off."));
    await caught;
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("is found by its name where programs are", async () => {
  program('echo "ffmpeg version 9 of the path"');
  vi.stubEnv("PATH", `${programs}:${process.env.PATH}`);
  expect(await ffmpegTransformer().version()).toBe("ffmpeg version 9 of the path");
  vi.unstubAllEnvs();
});

it("says what to do where there is no such program", async () => {
  const missing = join(programs, "nowhere");
  await expect(ffmpegTransformer({ path: missing }).version()).rejects.toMatchObject({
    code: "internal_error",
    message: `cannot be converted by this service. [For the developer: ${missing} cannot be run. Install ffmpeg, or set ffmpegTransformer's path.]`,
  });
});

it("says what it lacks where the program does not even start", async () => {
  const path = program('echo "error while loading shared libraries: libx264.so.164" >&2; exit 127');
  await expect(ffmpegTransformer({ path }).version()).rejects.toMatchObject({
    code: "internal_error",
    message: expect.stringContaining("(error while loading shared libraries: libx264.so.164)"),
  });
});

it("names its version, and asks for it once", async () => {
  const path = program(`echo "ffmpeg version 7.1 Copyright"; echo more; echo once >> ${programs}/asked`);
  const transformer = ffmpegTransformer({ path });
  expect([await transformer.version(), await transformer.version()]).toEqual(
    Array(2).fill("ffmpeg version 7.1 Copyright"),
  );
  expect(readFileSync(join(programs, "asked"), "utf8")).toBe("once\n");
});

/** A film of 1280 × 720 pixels and 30 frames a second, of which half a bit for each pixel makes 13,824,000 bits a second. */
const wide = { ...change, width: 1_280, height: 720, max_fps: null, fps: 30 };

it.each([
  [{ max_bitrate: null, max_bytes: 1_000_000 }, { duration_seconds: null }, null, null],
  [{ max_bitrate: 1_000_000, max_bytes: 1_000_000 }, { duration_seconds: null }, 792_000, 516_000],
  [{ max_bitrate: null, max_bytes: 1_000_000 }, { duration_seconds: 10 }, 608_000, 387_200],
  [{ max_bitrate: 500_000, max_bytes: 1_000_000 }, { duration_seconds: 10 }, 332_000, 194_000],
  [{ max_bitrate: 500_000, max_bytes: 1_000_000 }, { duration_seconds: 10, has_audio: false }, 460_000, 322_000],
  // More than the pictures need: nothing is asked for unless they come out too large after all.
  [{ max_bitrate: 25_000_000, max_bytes: 300_000_000 }, { duration_seconds: 10 }, null, 15_972_000],
  [{ max_bitrate: null, max_bytes: 8_000_000_000 }, { duration_seconds: 60 }, null, 686_805_333],
  // Never what ffmpeg takes for no number, whatever a film says of itself.
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
  "of %j, the pictures of a film %j get %s bits a second at most, and at the second try %s",
  (bounds, facts, first, second) => {
    const tries = encodingsFor({ ...wide, ...bounds }, { ...wide, ...facts });
    expect(tries.map(({ maxBitrate }) => maxBitrate)).toEqual([first, second]);
  },
);

it("lowers the quality at the second try where nobody knows how long the film is", () => {
  const tries = encodingsFor({ ...wide, max_bitrate: null }, { ...wide, duration_seconds: null });
  expect(tries).toEqual([
    { crf: 20, maxBitrate: null },
    { crf: 28, maxBitrate: null },
  ]);
});

it("does not make a film of which nothing would be seen", () => {
  const minute = { ...wide, duration_seconds: 60 };
  expect(() => encodingsFor({ ...wide, max_bitrate: null, max_bytes: 100_000 }, minute)).toThrow("use a shorter one");
  expect(() => encodingsFor({ ...wide, max_bitrate: 200_000, max_bytes: 10 ** 9 }, minute)).toThrow(
    "200000 bits per second",
  );
});

describe("a film in HDR", () => {
  const hlg = { ...change, max_fps: null };
  const facts = { type: "video", mime_type: "video/quicktime", width: 64, height: 48, duration_seconds: 0.2 } as const;
  /** To the question whether it can, which has no file as its end, it says yes. */
  const writes = `[ "$output" = - ] && exit; echo "$*" >> "$(dirname "$0")/arguments"; echo film > "$output"`;
  const withoutZscale = `case "$*" in *zscale*) echo "No such filter: 'zscale'" >&2; exit 1;; esac`;
  const given = (): string => readFileSync(join(programs, "arguments"), "utf8");

  async function makeOfHdr(path: string, color_transfer?: "hlg" | "pq"): Promise<void> {
    const source = sourceOf(film, { ...facts, ...(color_transfer && { color_transfer }) });
    const { body } = await ffmpegTransformer({ path, folder }).transform(source, hlg, {
      signal: new AbortController().signal,
    });
    await body.cancel();
  }

  it.each([
    ["hlg", "arib-std-b67"],
    ["pq", "smpte2084"],
  ] as const)("is mapped from %s, and says that it is none any more", async (transfer, name) => {
    await makeOfHdr(program(writes), transfer);
    expect(given()).toContain(
      `scale=32:24,setsar=1,setparams=color_primaries=bt2020:color_trc=${name}:colorspace=bt2020nc,`,
    );
    expect(given()).toMatch(/tonemap=.*,zscale=t=bt709:m=bt709:r=tv,format=yuv420p .*-color_trc bt709/);
  });

  it("goes through unmapped where ffmpeg has no zscale, as do other films", async () => {
    await makeOfHdr(program(`${withoutZscale}\n${writes}`), "hlg");
    expect(given()).not.toContain("tonemap");
    expect(given()).toContain("-vf scale=32:24,setsar=1,format=yuv420p ");
    rmSync(join(programs, "arguments"));
    await makeOfHdr(program(writes));
    expect(given().trimEnd().split("\n")).toHaveLength(1);
    expect(given()).not.toContain("bt709");
  });

  it("is warned about where ffmpeg has no zscale, and only then", async () => {
    const warningsOf = async (path: string, color_transfer?: "hlg" | "pq", given: Partial<VideoChange> = {}) =>
      ffmpegTransformer({ path }).warnings?.(
        { ...facts, ...(color_transfer && { color_transfer }) },
        { ...change, ...given },
      );
    expect(await warningsOf(program(withoutZscale), "pq")).toEqual([expect.stringContaining("has no zscale")]);
    expect(await warningsOf(program(withoutZscale))).toEqual([]);
    // Copied pictures lose nothing.
    expect(await warningsOf(program(withoutZscale), "pq", { remux: { sound: "copy" } })).toEqual([]);
    expect(await warningsOf(program("exit 0"), "pq")).toEqual([]);
    expect(await warningsOf(join(programs, "nowhere"), "pq")).toEqual([]);
  });
});

it("refuses an option that it does not know", () => {
  expect(() => ffmpegTransformer({ timeout: 1 } as FfmpegTransformerOptions)).toThrow("timeout");
});
