import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FfmpegTransformerOptions, ffmpegTransformer } from "../../src/media/ffmpeg/index.ts";
import type { VideoChange } from "../../src/media/transform/transformer.ts";
import { fixture } from "../media/fixtures.ts";
import { factsOf, type MadeFile, makeOf, sourceOf } from "../media/transform/source.ts";

const hasFfmpeg = (() => {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const change: VideoChange = {
  kind: "video",
  mime_type: "video/mp4",
  width: 32,
  height: 24,
  max_fps: null,
  max_bitrate: null,
  max_bytes: 10_000_000,
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-ffmpeg-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(
  bytes: Uint8Array,
  given: Partial<VideoChange> = {},
  options: FfmpegTransformerOptions = {},
): Promise<MadeFile> {
  return makeOf(ffmpegTransformer({ folder, ...options }), bytes, { ...change, ...given });
}

/** Ten seconds that cannot be made much smaller. */
function noise(): Uint8Array {
  const path = join(folder, "noise.mkv");
  const from = ["-f", "lavfi", "-i", "nullsrc=s=320x240:d=10:r=30,geq=random(1)*255:128:128", "-f", "lavfi"];
  const sound = ["-i", "anoisesrc=d=10", "-metadata", "location=+52.5+13.4/"];
  const to = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-c:a", "aac", path];
  execFileSync("ffmpeg", ["-loglevel", "error", ...from, ...sound, ...to]);
  const bytes = new Uint8Array(execFileSync("cat", [path], { maxBuffer: 10 ** 9 }));
  rmSync(path);
  return bytes;
}

describe.skipIf(!hasFfmpeg)(
  `a film that ffmpeg makes fit${hasFfmpeg ? "" : " (skipped: apt-get install ffmpeg)"}`,
  () => {
    it.each(["index-last.mp4", "vp9.webm", "h264.mkv", "prores.mov", "hevc.mp4", "opus.mp4"])("%s", async (name) => {
      const { bytes, size_bytes } = await make(fixture(name));
      expect(size_bytes).toBe(bytes.length);
      const facts = await factsOf(bytes);
      expect(facts).toMatchObject({
        mime_type: "video/mp4",
        codec: "h264",
        width: 32,
        height: 24,
        is_index_first: true,
      });
      expect(facts.audio_codec ?? "aac").toBe("aac");
      expect(readdirSync(folder)).toEqual([]);
    });

    it("is turned as it is shown", async () => {
      const { width, height } = await factsOf(fixture("turned.mp4"));
      const { bytes } = await make(fixture("turned.mp4"), { width: width ?? 0, height: height ?? 0 });
      expect(await factsOf(bytes)).toMatchObject({ width, height, orientation: 1 });
    });

    it("has at most the frames, the bitrate and the bytes that it may have, and nothing of where it was taken", async () => {
      const film = noise();
      const slow = await factsOf((await make(film, { max_fps: 10 })).bytes);
      expect(slow.fps).toBeLessThanOrEqual(10.1);
      const thin = await factsOf((await make(film, { width: 320, height: 240, max_bitrate: 600_000 })).bytes);
      expect(thin.bitrate).toBeLessThanOrEqual(600_000);
      const { bytes } = await make(film, { width: 320, height: 240, max_bytes: 500_000 });
      expect(bytes.length).toBeLessThan(500_000);
      expect(Buffer.from(bytes).includes("+52.5")).toBe(false);
    });

    it("is refused when it is too long for the bytes, broken, or too large a frame", async () => {
      await expect(make(noise(), { max_bytes: 10_000 })).rejects.toThrow(
        "is too long to be made as small as 10000 bytes",
      );
      const broken = fixture("vp9.webm").slice();
      broken.fill(0x5a, 400);
      await expect(make(broken)).rejects.toMatchObject({
        code: "media_error",
        message: expect.stringContaining("cannot be decoded"),
      });
      await expect(make(fixture("index-last.mp4"), {}, { maxPixels: 16 })).rejects.toMatchObject({
        code: "media_error",
      });
      expect(readdirSync(folder)).toEqual([]);
    });

    it("is refused when it takes too long, and the service is to blame for an ffmpeg that lacks what it needs", async () => {
      const large = { width: 1_920, height: 1_440 };
      await expect(make(noise(), large, { timeoutSeconds: 1 })).rejects.toMatchObject({
        code: "media_error",
        message: "takes longer than 1 s to be changed (timeoutSeconds); give a shorter one",
      });
      const path = join(folder, "ffmpeg-without-x264");
      writeFileSync(path, `#!/bin/bash\nexec ffmpeg "\${@/libx264/libx999}"\n`, { mode: 0o700 });
      await expect(make(fixture("vp9.webm"), {}, { path })).rejects.toMatchObject({
        code: "internal_error",
        message: expect.stringContaining("Unknown encoder 'libx999'"),
      });
      writeFileSync(path, `#!/bin/bash\nln -sf /dev/full "\${@: -1}"\nexec ffmpeg "$@"\n`, { mode: 0o700 });
      await expect(make(fixture("vp9.webm"), {}, { path })).rejects.toMatchObject({
        code: "internal_error",
        isPassing: true,
        message: expect.stringContaining("the disk is full"),
      });
      expect(readdirSync(folder)).toEqual(["ffmpeg-without-x264"]);
    });

    it("is no playlist that names other files", async () => {
      const playlist = new TextEncoder().encode("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n");
      const transformer = ffmpegTransformer({ folder });
      for (const mime_type of transformer.reads) {
        const source = sourceOf(playlist, { mime_type, duration_seconds: 1 });
        const made = transformer.transform(source, change, { signal: new AbortController().signal });
        await expect(made).rejects.toMatchObject({ code: "media_error" });
      }
    });

    it("leaves nothing when it is called off, or when nobody reads it", async () => {
      const ended = new AbortController();
      const made = makeOf(ffmpegTransformer({ folder }), noise(), { ...change, width: 320, height: 240 }, ended.signal);
      const caught = expect(made).rejects.toThrow("Called off.");
      ended.abort(new Error("Called off."));
      await caught;
      const source = sourceOf(fixture("vp9.webm"), { mime_type: "video/webm", duration_seconds: 1 });
      const { body } = await ffmpegTransformer({ folder }).transform(source, change, {
        signal: new AbortController().signal,
      });
      await body.cancel();
      expect(readdirSync(folder)).toEqual([]);
    });

    it("names its version", async () => {
      expect(await ffmpegTransformer().version()).toMatch(/^ffmpeg version \d/);
    });
  },
);
