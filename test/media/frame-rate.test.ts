import { describe, expect, it } from "vitest";
import { probeMedia } from "../../src/media/probe/probe.ts";
import { bytesReader, type MediaReader } from "../../src/media/probe/reader.ts";
import { fixture } from "./fixtures.ts";
import { box, ftyp, join, text, uint, webm } from "./samples.ts";

interface Index {
  /** The frames in the index. */
  frames?: number;
  ticks?: number;
  /** Ticks of every frame, unless a fragment says otherwise; absent: no fragments. */
  frameTicks?: number;
  compact?: boolean;
}

/** Times in ticks, of which a second has a thousand. */
function moov({ frames = 0, ticks = 0, frameTicks, compact = false }: Index): Uint8Array {
  const times = [uint(0, 12), uint(1_000, 4), uint(ticks, 4)];
  const header = box("mvhd", ...times, new Uint8Array(80));
  const track = box("tkhd", uint(0, 12), uint(7, 4), new Uint8Array(60), uint(64 << 16, 4), uint(48 << 16, 4));
  const handler = box("hdlr", uint(0, 8), text("vide"), new Uint8Array(13));
  const sizes = box(compact ? "stz2" : "stsz", uint(0, 4), uint(compact ? 8 : 0, 4), uint(frames, 4));
  const media = box("mdia", box("mdhd", ...times, uint(0, 4)), handler, box("minf", box("stbl", sizes)));
  const fragments =
    frameTicks === undefined
      ? []
      : [box("mvex", box("trex", uint(0, 4), uint(7, 4), uint(1, 4), uint(frameTicks, 4), uint(0, 8)))];
  return box("moov", header, ...fragments, box("trak", track, media));
}

interface Fragment {
  track?: number;
  /** Ticks of all its frames; absent: as in the index. */
  frameTicks?: number;
  /** The number of frames, or the length of each. */
  frames: number | readonly number[];
}

function moof({ track = 7, frameTicks, frames }: Fragment): Uint8Array {
  const durations = typeof frames === "number" ? [] : frames;
  const count = typeof frames === "number" ? frames : frames.length;
  const isListed = typeof frames !== "number";
  const header = box(
    "tfhd",
    uint(frameTicks === undefined ? 0x20000 : 0x20008, 4),
    uint(track, 4),
    ...(frameTicks === undefined ? [] : [uint(frameTicks, 4)]),
  );
  const rows = durations.flatMap((ticks) => [uint(ticks, 4), uint(9, 4)]);
  const run = box("trun", uint(isListed ? 0x301 : 1, 4), uint(count, 4), uint(0, 4), ...rows);
  return join(box("moof", box("mfhd", uint(0, 8)), box("traf", header, run)), box("mdat", new Uint8Array(50)));
}

const video = (index: Index, ...fragments: Uint8Array[]): Uint8Array =>
  join(ftyp("isom", "isom"), moov(index), ...fragments);
const probe = (bytes: Uint8Array, sizeBytes: number | null = bytes.length) =>
  probeMedia({ ...bytesReader(bytes), sizeBytes });
const fragmented = { frameTicks: 0 };

describe("the frame rate", () => {
  it.each<[what: string, bytes: Uint8Array, fps: number | undefined, seconds: number | null]>([
    ["of a video with an index", video({ frames: 50, ticks: 2_000 }), 25, 2],
    ["of a video with a compact index", video({ frames: 50, ticks: 2_000, compact: true }), 25, 2],
    ["of a video whose index has no length", video({ frames: 50 }), undefined, null],
    ["of a video without frames", video({ ticks: 2_000 }), undefined, 2],
    [
      "of a fragmented video",
      video(fragmented, moof({ frameTicks: 40, frames: 25 }), moof({ frameTicks: 20, frames: 50 })),
      37.5,
      2,
    ],
    ["of listed frames", video(fragmented, moof({ frames: [2_000, 1_000] }), moof({ frames: [10, 10, 980] })), 1.25, 4],
    ["of fragments with the frame length of the index", video({ frameTicks: 40 }, moof({ frames: 25 })), 25, 1],
    [
      "of a video with frames in index and fragments",
      video({ frames: 25, ticks: 1_000, frameTicks: 20 }, moof({ frames: 50 })),
      37.5,
      1,
    ],
    [
      "of a video beside another track",
      video(fragmented, moof({ frameTicks: 40, frames: 25 }), moof({ track: 8, frameTicks: 1, frames: 999 })),
      25,
      1,
    ],
    ["of fragments without frame lengths", video(fragmented, moof({ frames: 25 })), undefined, null],
    [
      "of a video with one fragment without frame lengths",
      video(fragmented, moof({ frameTicks: 40, frames: 25 }), moof({ frames: 9 })),
      undefined,
      null,
    ],
    ["of a video whose fragments are missing", video(fragmented), undefined, null],
  ])("is found or missing: %s", async (_, bytes, fps, duration_seconds) => {
    const facts = await probe(bytes);
    expect([facts?.fps, facts?.duration_seconds]).toEqual([fps, duration_seconds]);
  });

  it("is unknown if only some of the fragments were read", async () => {
    const start = video(fragmented, moof({ frameTicks: 100, frames: 10 }));
    const long = join(start, ...Array.from({ length: 200 }, () => moof({ frameTicks: 10, frames: 100 })));
    expect(await probe(long)).toMatchObject({ duration_seconds: null });
    expect((await probe(long))?.fps).toBeUndefined();
    expect((await probe(start, null))?.fps).toBeUndefined();
    const large = moof({ frames: Array.from({ length: 5_000 }, () => 1) });
    expect((await probe(join(start, large)))?.fps).toBeUndefined();
  });

  it("is searched for only in the first part of a long video", async () => {
    const bytes = video(fragmented, moof({ frameTicks: 40, frames: 25 }));
    const read: number[] = [];
    const reader: MediaReader = {
      sizeBytes: 17 * 1024 * 1024,
      async read(offset, length) {
        read.push(offset);
        return bytes.subarray(offset, offset + length);
      },
    };
    expect((await probeMedia(reader))?.fps).toBeUndefined();
    expect(Math.max(...read)).toBeLessThan(bytes.length - 100);
  });

  it("of a Matroska file is the stated one, unless that is a clock's tick", async () => {
    const plain = fixture("vp9.webm");
    const at = Buffer.from(plain).indexOf(Uint8Array.of(0x23, 0xe3, 0x83, 0x84)) + 4;
    const rateWith = async (nanoseconds: number) => {
      const changed = plain.slice();
      changed.set(uint(nanoseconds, 4), at);
      return (await probe(changed))?.fps;
    };
    expect(await rateWith(33_333_333)).toBe(30);
    expect(await rateWith(4_166_667)).toBe(240);
    expect(await rateWith(1_000_000)).toBeUndefined();
    expect((await probe(webm()))?.fps).toBeUndefined();
  });
});
