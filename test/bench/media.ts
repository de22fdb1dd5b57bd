/**
 * How long it takes to say what a large file is, beside other readers, and how
 * much of it is read; and to plan what becomes of files on all networks.
 */

import { imageSize } from "image-size";
import { BufferSource, Input, MP4 } from "mediabunny";
import { examineMedia } from "../../src/media/probe/examine.ts";
import { bytesReader } from "../../src/media/probe/reader.ts";
import type { PlannedMedia } from "../../src/networks/contract/plan.ts";
import { checkMedia } from "../../src/planning/check-media.ts";
import { specFor } from "../../src/planning/variant.ts";
import { fileOf } from "../media/fit/files.ts";
import { allLimits } from "../media/fit/specs.ts";
import { fixture } from "../media/fixtures.ts";
import { box, ftyp, join, jpeg } from "../media/samples.ts";
import { watchExamination } from "../support/media-watch.ts";
import { everyTool } from "../support/transformer.ts";
import type { BenchOptions } from "./arguments.ts";
import { benchHosting } from "./hosting.ts";
import { timeOf } from "./measure.ts";
import { type BenchResult, time } from "./result.ts";

const jpegBytes = 2_000_000;
const videoBytes = 50_000_000;
const maxMs = 2;
const maxBytes = 256 * 1024;
const maxPlanMs = 1;

export async function benchMedia(options: BenchOptions): Promise<BenchResult[]> {
  const { pairs } = options;
  const picture = largeJpeg();
  return [
    ...(await benchHosting(options)),
    await benchFile("facts of a JPEG of 2 MB", picture, { pairs, floor: async () => imageSize(picture) }),
    ...(await Promise.all(
      (["first", "last"] as const).map((index) => {
        const video = largeVideo(index);
        return benchFile(`facts of an MP4 of 50 MB, index ${index}`, video, { pairs, floor: () => readVideo(video) });
      }),
    )),
    await benchPlan(pairs),
  ];
}

/** What becomes of a post's files on each network, against copying what is known of them. */
async function benchPlan(pairs: number): Promise<BenchResult> {
  const media = plannedFiles();
  const ours = await timeOf(async () => planForAll(media), pairs);
  const other = await timeOf(async () => allLimits.map(() => structuredClone(media)), pairs);
  return {
    name: `${media.length} files planned for ${allLimits.length} networks`,
    ours: time(ours.ms),
    floor: time(other.ms),
    reached: time(ours.ms),
    goal: `≤${maxPlanMs} ms`,
    isMet: ours.ms <= maxPlanMs,
    raw: { ours, other },
  };
}

function planForAll(media: readonly PlannedMedia[]): unknown {
  return allLimits.map((limits) => {
    const spec = specFor(limits, { post_type: "post", media });
    return checkMedia(media, spec, everyTool);
  });
}

/** As a telephone makes them: hardly any network takes all of them as they are. */
function plannedFiles(): PlannedMedia[] {
  const photo = { width: 4_032, height: 3_024, size_bytes: 9_000_000 };
  const files = [
    fileOf("image/jpeg", photo),
    fileOf("image/heic", photo),
    fileOf("image/png", { ...photo, has_alpha: true }),
    fileOf("video/quicktime", { width: 2_160, height: 3_840, fps: 60, codec: "hevc", size_bytes: 400_000_000 }),
  ];
  return files.map((file, index) => ({
    ...file,
    url: `https://media.example/${index}`,
    alt: null,
    thumbnail_url: null,
  }));
}

async function benchFile(
  name: string,
  bytes: Uint8Array,
  { pairs, floor }: { pairs: number; floor: () => Promise<unknown> },
): Promise<BenchResult> {
  const { problem, bytesRead } = await watchExamination(bytes);
  if (problem !== null) throw new Error(`${name}: ${problem}`);
  const ours = await timeOf(() => examineMedia(bytesReader(bytes)), pairs);
  const other = await timeOf(floor, pairs);
  return {
    name,
    ours: time(ours.ms),
    floor: time(other.ms),
    reached: `${time(ours.ms)}, ${bytesRead} bytes`,
    goal: `≤${maxMs} ms, ≤${maxBytes} bytes`,
    isMet: ours.ms <= maxMs && bytesRead <= maxBytes,
    raw: { ours, other, bytesRead },
  };
}

/** Its scan goes on for two megabytes. */
function largeJpeg(): Uint8Array {
  const whole = jpeg(4_000, 3_000);
  return join(whole.subarray(0, -2), new Uint8Array(jpegBytes).fill(0x5a), whole.subarray(-2));
}

/** With the index that an encoder made. */
function largeVideo(index: "first" | "last"): Uint8Array {
  const small = fixture("index-last.mp4");
  const moov = small.subarray(Buffer.from(small).lastIndexOf("moov") - 4);
  const data = box("mdat", new Uint8Array(videoBytes));
  return index === "first" ? join(ftyp("isom", "isom"), moov, data) : join(ftyp("isom", "isom"), data, moov);
}

/** What mediabunny takes to say the same. */
async function readVideo(bytes: Uint8Array): Promise<unknown> {
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
  const video = await input.getPrimaryVideoTrack();
  const sound = await input.getPrimaryAudioTrack();
  return [
    await video?.getDisplayWidth(),
    await video?.getCodec(),
    await sound?.getCodec(),
    await input.getDurationFromMetadata(),
  ];
}
