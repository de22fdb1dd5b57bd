import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** Ten seconds that cannot be compressed much. */
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

const transferNames = { hlg: "arib-std-b67", pq: "smpte2084" } as const;

function hdrEncoder(transfer: keyof typeof transferNames): string[] {
  const named = ["-color_primaries", "bt2020", "-color_trc", transferNames[transfer], "-colorspace", "bt2020nc"];
  return [
    "-pix_fmt",
    "yuv420p10le",
    "-c:v",
    "libx265",
    "-x265-params",
    "log-level=none:qp=4",
    "-tag:v",
    "hvc1",
    ...named,
  ];
}

/** A grey video in HDR. @param code of the 876 steps between black and the brightest */
function greyOf(transfer: keyof typeof transferNames, code: number): Uint8Array {
  const path = join(folder, "grey.mov");
  const grey = `color=s=64x48:r=10:d=0.5,format=yuv420p10le,geq=lum=64+876*${code}:cb=512:cr=512`;
  execFileSync("ffmpeg", [
    "-v",
    "error",
    "-f",
    "lavfi",
    "-i",
    grey,
    ...hdrEncoder(transfer),
    "-color_range",
    "tv",
    path,
  ]);
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(path);
  return bytes;
}

/** The average brightness and redness of a video's first frame, and its colour metadata. */
function seen(bytes: Uint8Array): { luma: number; red: number; tags: string } {
  const path = join(folder, "seen.mp4");
  writeFileSync(path, bytes);
  const ask = (...given: string[]): string =>
    execFileSync("ffprobe", ["-v", "error", "-of", "csv=p=0", ...given], { encoding: "utf8" });
  const tags = "frame_tags=lavfi.signalstats.YAVG,lavfi.signalstats.VAVG";
  const [luma, red] = ask("-f", "lavfi", "-i", `movie=${path},trim=end_frame=1,signalstats`, "-show_entries", tags)
    .trim()
    .split(",");
  const named = "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries";
  const told = ask("-select_streams", "v", "-show_entries", named, path).trim();
  rmSync(path);
  return { luma: Number(luma), red: Number(red), tags: told };
}

/** The decoded frames, as a checksum. */
function picturesIn(bytes: Uint8Array): string {
  const path = join(folder, "judged");
  writeFileSync(path, bytes);
  const every = ["-map", "0:v", "-fps_mode", "passthrough", "-f", "md5", "-"];
  const sum = execFileSync("ffmpeg", ["-v", "error", "-noautorotate", "-i", path, ...every], { encoding: "utf8" });
  rmSync(path);
  return sum;
}

describe.skipIf(!hasFfmpeg)(
  `a video that ffmpeg converts${hasFfmpeg ? "" : " (skipped: apt-get install ffmpeg)"}`,
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

    it("is rotated as it is displayed", async () => {
      const { width, height } = await factsOf(fixture("turned.mp4"));
      const { bytes } = await make(fixture("turned.mp4"), { width: width ?? 0, height: height ?? 0 });
      expect(await factsOf(bytes)).toMatchObject({ width, height, orientation: 1 });
    });

    it.each([
      // The luminance of a code, cd/m²: ITU-R BT.2100, tables 4 and 5, at a peak of 1,000.
      ["hlg", 0.25, 9.6],
      ["hlg", 0.5, 50.7],
      ["hlg", 0.75, 203],
      ["hlg", 1, 1_000],
      ["pq", 0.3, 10.0],
      ["pq", 0.44, 51.1],
      ["pq", 0.58, 201],
    ] as const)(
      "from HDR (%s) at %d gets the brightness of %d cd/m² relative to paper white",
      async (transfer, code, nits) => {
        const video = greyOf(transfer, code);
        expect(await factsOf(video)).toMatchObject({ color_transfer: transfer });
        const { bytes } = await make(video);
        const { luma, tags } = seen(bytes);
        expect(tags).toBe("yuv420p,tv,bt709,bt709,bt709");
        expect(await factsOf(bytes)).not.toHaveProperty("color_transfer");
        // A screen shows SDR by BT.1886, its white at 203 cd/m² (BT.2408).
        const sdr = 16 + 219 * Math.min(1, nits / 203) ** (1 / 2.4);
        // Up to half of white nothing changes; white becomes darker by less than a seventh, for
        // what is brighter.
        expect(luma).toBeGreaterThan(nits <= 101 ? sdr - 1.5 : sdr * 0.87);
        expect(luma).toBeLessThan(sdr + 1.5);
      },
    );

    it("from HDR is as bright as the SDR video from which that was made, and has its colours", async () => {
      const sdr = join(folder, "sdr.mov");
      const pattern = ["-f", "lavfi", "-i", "smptehdbars=s=320x240:r=25:d=0.4", "-pix_fmt", "yuv420p"];
      const named = ["bt709", "bt709", "bt709"].flatMap((name, at) => [
        ["-color_primaries", "-color_trc", "-colorspace"][at] ?? "",
        name,
      ]);
      execFileSync("ffmpeg", ["-v", "error", ...pattern, ...named, "-c:v", "libx264", "-crf", "5", sdr]);
      const original = seen(readFileSync(sdr));
      for (const transfer of ["hlg", "pq"] as const) {
        const hdr = join(folder, `${transfer}.mov`);
        const filter = `zscale=tin=709:pin=709:min=709:rin=tv:t=${transferNames[transfer]}:p=2020:m=2020_ncl:npl=203,format=yuv420p10le`;
        execFileSync("ffmpeg", ["-v", "error", "-i", sdr, "-vf", filter, ...hdrEncoder(transfer), hdr]);
        const { bytes } = await make(readFileSync(hdr), { width: 320, height: 240 });
        const made = seen(bytes);
        // White and bright colours are up to a seventh darker, all else is unchanged.
        expect(made.luma / original.luma, transfer).toBeGreaterThan(0.93);
        expect(made.luma / original.luma, transfer).toBeLessThan(1.01);
        expect(Math.abs(made.red - original.red), transfer).toBeLessThan(3);
        rmSync(hdr);
      }
      rmSync(sdr);
    });

    it("from HDR stays unmapped where ffmpeg has no zscale", async () => {
      const path = join(folder, "ffmpeg-without-zscale");
      writeFileSync(path, `#!/bin/bash\nexec ffmpeg "\${@//zscale=/zscalex=}"\n`, { mode: 0o700 });
      const video = greyOf("hlg", 0.5);
      expect(await ffmpegTransformer({ path }).warnings?.(await factsOf(video), change)).toHaveLength(1);
      expect(await ffmpegTransformer().warnings?.(await factsOf(video), change)).toEqual([]);
      expect(await factsOf((await make(video, {}, { path })).bytes)).toMatchObject({ codec: "h264", width: 32 });
      rmSync(path);
    });

    it.each(["surround.mp4", "turned.mp4", "h264.mkv", "pcm.mov", "hevc-10bit.mp4", "still-screen-fragmented.mp4"])(
      "keeps the frames of %s bit for bit, and their rotation",
      async (name) => {
        const { width, height, orientation, codec, profile, duration_seconds } = await factsOf(fixture(name));
        const size = { width: width ?? 0, height: height ?? 0 };
        const { bytes } = await make(fixture(name), { ...size, remux: { sound: "encode" } });
        const made = await factsOf(bytes);
        expect(made).toMatchObject({
          mime_type: "video/mp4",
          ...size,
          orientation,
          codec,
          profile,
          is_index_first: true,
        });
        expect(made).toMatchObject(made.has_audio ? { audio_channels: 2, audio_sample_rate: 48_000 } : {});
        // ffmpeg guesses how long a last frame lasts that is alone in its fragment.
        expect(made.duration_seconds).toBeCloseTo(duration_seconds ?? 0, 0);
        expect(picturesIn(bytes)).toBe(picturesIn(fixture(name)));
      },
    );

    it("keeps the sound where that is requested, too", async () => {
      const { bytes } = await make(fixture("surround.mp4"), { remux: { sound: "copy" } });
      expect(await factsOf(bytes)).toMatchObject({
        audio_channels: 6,
        audio_sample_rate: 96_000,
        is_index_first: true,
      });
    });

    it("is encoded after all where copied frames have too many bits", async () => {
      const video = noise();
      const thick = { width: 320, height: 240, max_bytes: 1_000_000_000, remux: { sound: "copy" } } as const;
      const { bytes } = await make(video, { ...thick, max_bitrate: 600_000 });
      const made = await factsOf(bytes);
      expect(made.bitrate).toBeLessThanOrEqual(600_000);
      expect(picturesIn(bytes)).not.toBe(picturesIn(video));
      expect(picturesIn((await make(video, thick)).bytes)).toBe(picturesIn(video));
    });

    it("repeats the frames of a still screen until the frame rate is high enough", async () => {
      const { bytes } = await make(fixture("still-screen.mp4"), { fps: 30, max_fps: 60 });
      const made = await factsOf(bytes);
      expect(made.fps).toBe(30);
      expect(made.duration_seconds).toBeCloseTo(10.5, 0);
    });

    it.each(["h264-444.mp4", "h264-422.mkv", "h264-10bit.mov", "h264-lossless.mp4", "hevc-422.mkv", "vp9-444.mp4"])(
      "turns %s into a form that every player shows",
      async (name) => {
        const { bytes } = await make(fixture(name));
        expect(await factsOf(bytes)).toMatchObject({ codec: "h264", profile: "high", chroma: "4:2:0", bit_depth: 8 });
      },
    );

    it("has at most the allowed frames, bitrate and bytes, and no location", async () => {
      const video = noise();
      const slow = await factsOf((await make(video, { max_fps: 10 })).bytes);
      expect(slow.fps).toBeLessThanOrEqual(10.1);
      const thin = await factsOf((await make(video, { width: 320, height: 240, max_bitrate: 600_000 })).bytes);
      expect(thin.bitrate).toBeLessThanOrEqual(600_000);
      const { bytes } = await make(video, { width: 320, height: 240, max_bytes: 500_000 });
      expect(bytes.length).toBeLessThan(500_000);
      expect(Buffer.from(bytes).includes("+52.5")).toBe(false);
    });

    it("is rejected when it is too long for the bytes, broken, or has too large a frame", async () => {
      await expect(make(noise(), { max_bytes: 10_000 })).rejects.toThrow("is too long to be reduced to 10000 bytes");
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

    it("is rejected when it takes too long, and an ffmpeg without a required feature is the service's error", async () => {
      const large = { width: 1_920, height: 1_440 };
      await expect(make(noise(), large, { timeoutSeconds: 1 })).rejects.toMatchObject({
        code: "media_error",
        message: "takes longer than 1 s to be converted (timeoutSeconds); use a shorter one",
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
        message: expect.stringContaining("disk is full"),
      });
      expect(readdirSync(folder)).toEqual(["ffmpeg-without-x264"]);
    });

    it("is never read from a playlist that names other files", async () => {
      const playlist = new TextEncoder().encode("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n");
      const transformer = ffmpegTransformer({ folder });
      for (const mime_type of transformer.reads) {
        const source = sourceOf(playlist, { mime_type, duration_seconds: 1 });
        const made = transformer.transform(source, change, { signal: new AbortController().signal });
        await expect(made).rejects.toMatchObject({ code: "media_error" });
      }
    });

    it("leaves nothing behind when it is cancelled, or when no caller reads it", async () => {
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

    it("carries the version of ffmpeg", async () => {
      expect(await ffmpegTransformer().version()).toMatch(/^ffmpeg version \d/);
    });
  },
);
