import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ffmpegTransformer } from "../../src/media/ffmpeg/index.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { sceneOf } from "../networks/scenes.ts";
import { hostingBench } from "../support/hosting.ts";

const hasFfmpeg = (() => {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-videos-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const encoders = {
  "vp9.webm": ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"],
  "hevc.mov": [
    "-c:v",
    "libx265",
    "-preset",
    "ultrafast",
    "-x265-params",
    "log-level=none",
    "-tag:v",
    "hvc1",
    "-c:a",
    "aac",
  ],
  "av1.mp4": ["-c:v", "libsvtav1", "-preset", "12", "-c:a", "aac"],
} as const;

/** A video of 640 × 360 pixels from a real encoder; in a MOV the frames are stored rotated, as phones record them. */
function videoOf(name: keyof typeof encoders, seconds: number): Uint8Array {
  const path = join(folder, `${seconds}-${name}`);
  const from = ["-f", "lavfi", "-i", `testsrc=s=640x360:r=30:d=${seconds}`, "-f", "lavfi", "-i", `sine=d=${seconds}`];
  execFileSync("ffmpeg", ["-loglevel", "quiet", "-y", ...from, ...encoders[name], path]);
  if (!name.endsWith(".mov")) return readFileSync(path);
  const turned = join(folder, `turned-${seconds}-${name}`);
  execFileSync("ffmpeg", ["-loglevel", "error", "-y", "-i", path, "-c", "copy", "-metadata:s:v", "rotate=90", turned]);
  return readFileSync(turned);
}

interface Made {
  codecs: string[];
  size: string;
  seconds: number;
  /** ffmpeg's error messages when it decodes all of it. */
  complaints: string;
}

function ffprobe(bytes: Uint8Array): Made {
  const path = join(folder, "made.mp4");
  writeFileSync(path, bytes);
  const entries = "stream=codec_name,width,height,side_data_list:format=duration";
  const told = JSON.parse(
    execFileSync("ffprobe", ["-v", "error", "-of", "json", "-show_entries", entries, path], { encoding: "utf8" }),
  );
  const [{ width, height, side_data_list = [] }] = told.streams;
  return {
    codecs: told.streams.map(({ codec_name }: { codec_name: string }) => codec_name),
    size: `${width}x${height}${side_data_list.length === 0 ? "" : " turned"}`,
    seconds: Number(told.format.duration),
    complaints: execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"], { encoding: "utf8" }),
  };
}

/** Publishes a video on the simulated network; returns the post, and the converted videos. */
async function publish(
  network: "x" | "facebook" | "tiktok" | "pinterest",
  video: Uint8Array,
): Promise<{ post: Post; made: Made[] }> {
  const clock = manualClock();
  const bench = hostingBench({ clock, mediaTransformers: [clock.watch(ffmpegTransformer({ folder }))] });
  const { social, sandbox } = bench;
  const scene = sceneOf(network);
  const profile = await clock.run(() => social.profiles.connect(scene.accounts[0].connect(sandbox, "alice")));
  const { media: _, ...options } = scene.needs?.(sandbox) ?? { media: [] };
  const { url } = await social.media.upload(video);
  const cover = sandbox.media.put("cover.jpg", readFileSync(new URL("../media/fixtures/still.jpg", import.meta.url)));
  const created = await clock.run(() =>
    social.posts.create({
      profile_ids: [profile.id],
      text: "A video",
      media: [network === "pinterest" ? { url, thumbnail_url: cover } : url],
      networks: { [network]: options },
    }),
  );
  await clock.advance(120_000);
  await clock.run(async () => void (await social.runDue()));
  const made: Made[] = [];
  for (const {
    id,
    status,
    private: { facts },
  } of await bench.rows()) {
    if (status !== "derived" || facts?.mime_type !== "video/mp4") continue;
    const stream = await bench.kept.store.read(id);
    made.push(ffprobe(new Uint8Array(await new Response(stream).arrayBuffer())));
  }
  return { post: await social.posts.get(created.id), made };
}

const title = hasFfmpeg ? "" : " (skipped: apt-get install ffmpeg)";

describe.skipIf(!hasFfmpeg)(`a video that a network does not accept${title}`, () => {
  it.each([
    ["x", "vp9.webm", "640x360", [1, 5, 13, 26, 60]],
    ["x", "hevc.mov", "360x640", [1, 5, 26]],
    ["facebook", "vp9.webm", "640x360", [1, 5, 13, 60]],
    ["tiktok", "av1.mp4", "640x360", [1, 5, 13, 26]],
    ["pinterest", "vp9.webm", "640x360", [5, 6, 60]],
  ] as const)(
    "goes out on %s, converted from a %s of any length",
    { timeout: 300_000 },
    async (network, name, size, lengths) => {
      for (const seconds of lengths) {
        const { post, made } = await publish(network, videoOf(name, seconds));
        expect([seconds, post.targets.map(({ error, status }) => error ?? status)]).toEqual([seconds, ["published"]]);
        expect(made).toEqual([{ codecs: ["h264", "aac"], size, seconds: expect.closeTo(seconds, 0), complaints: "" }]);
      }
    },
  );
});
