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
import { videoBitrateFor } from "../../../src/media/ffmpeg/arguments.ts";
import { type FfmpegTransformerOptions, ffmpegTransformer } from "../../../src/media/ffmpeg/index.ts";
import type { VideoChange } from "../../../src/media/transform/transformer.ts";
import { fixture } from "../fixtures.ts";
import { type MadeFile, makeOf } from "./source.ts";

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

function make(path: string, options: FfmpegTransformerOptions = {}, signal?: AbortSignal): Promise<MadeFile> {
  return makeOf(ffmpegTransformer({ path, folder, ...options }), film, change, signal);
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

  it("is tried once more with fewer bits when it comes out too large, and then refused", async () => {
    const path = program(
      `echo "$*" | grep -o -- "-maxrate [0-9]*" >> ${programs}/tries; head -c 1000000 /dev/zero > "$output"`,
    );
    await expect(make(path)).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("cannot be made as small as 1000000 bytes"),
    });
    const tries = readFileSync(join(programs, "tries"), "utf8").match(/\d+/g)?.map(Number) ?? [];
    expect(tries).toHaveLength(2);
    expect(tries[1]).toBeLessThan(Number(tries[0]));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    [
      "says why, without paths",
      'echo "[x] /tmp/secret/input: Invalid data" >&2; exit 1',
      "cannot be decoded ([x] the file: Invalid data)",
    ],
    ["says nothing", "exit 3", "cannot be decoded (ffmpeg says nothing)"],
    ["is killed", "kill -9 $$", "takes longer than 1800 s to be changed (timeoutSeconds), or ffmpeg was killed"],
  ])("fails when the program %s", async (_, script, message) => {
    await expect(make(program(script))).rejects.toMatchObject({
      code: "media_error",
      isPassing: false,
      message: expect.stringContaining(message),
    });
    expect(readdirSync(folder)).toEqual([]);
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
    code: "media_error",
    message: `cannot be changed: ${missing} cannot be run; install ffmpeg, or give ffmpegTransformer its path`,
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

it.each([
  [{ max_bitrate: null, max_bytes: 1_000_000 }, null, 1, null],
  [{ max_bitrate: 1_000_000, max_bytes: 1_000_000 }, null, 1, 792_000],
  [{ max_bitrate: null, max_bytes: 1_000_000 }, 10, 1, 608_000],
  [{ max_bitrate: 500_000, max_bytes: 1_000_000 }, 10, 1, 332_000],
  [{ max_bitrate: null, max_bytes: 1_000_000 }, 10, 0.7, 387_200],
])("of %j, a film of %s s and a share of %d, the pictures get %s bits a second", (bounds, seconds, share, bits) => {
  expect(videoBitrateFor(bounds, seconds, share)).toBe(bits);
});

it("does not make a film of which nothing would be seen", () => {
  expect(() => videoBitrateFor({ max_bitrate: null, max_bytes: 100_000 }, 60, 1)).toThrow("give a shorter one");
  expect(() => videoBitrateFor({ max_bitrate: 200_000, max_bytes: 10 ** 9 }, 60, 1)).toThrow("200000 bits a second");
});

it("refuses an option that it does not know", () => {
  expect(() => ffmpegTransformer({ timeout: 1 } as FfmpegTransformerOptions)).toThrow("timeout");
});
