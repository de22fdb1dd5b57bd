import fc from "fast-check";
import { expect, it } from "vitest";
import type { MeasuredMedia } from "../../../src/media/fit/faults.ts";
import { fileAfter, fitMedia, toolsOf } from "../../../src/media/fit/fit.ts";
import { shareNumber, shareOfRuns } from "../../support/share.ts";
import { everyTool } from "../../support/transformer.ts";
import { outcomeOf } from "./files.ts";
import { fitSpecs } from "./specs.ts";

/** A failure prints it: POSTRIDER_SEED repeats the run. */
const seed = Number(process.env.POSTRIDER_SEED ?? 20_261_123 + shareNumber);

const images = ["jpeg", "png", "webp", "heic", "avif", "gif", "bmp"].map((kind) => `image/${kind}`);
const videos = ["mp4", "quicktime", "webm", "matroska"].map((kind) => `video/${kind}`);

/** Sides at and next to limits, and any others. */
const side = fc.oneof(
  fc.constantFrom(1, 2, 31, 32, 359, 360, 540, 566, 960, 1_080, 1_280, 1_350, 1_440, 1_920, 4_096, 4_097),
  fc.integer({ min: 1, max: 20_000 }),
);
const bytes = fc.oneof(fc.integer({ min: 1, max: 30_000_000 }), fc.integer({ min: 1, max: 20_000_000_000 }));

const facts = fc.record({
  width: fc.option(side, { freq: 10 }),
  height: fc.option(side, { freq: 10 }),
  size_bytes: fc.option(bytes, { freq: 5 }),
});

const image = fc
  .tuple(
    fc.constantFrom(...images),
    facts,
    fc.record(
      { is_animated: fc.boolean(), has_alpha: fc.boolean(), frames: fc.integer({ min: 1, max: 500 }) },
      { requiredKeys: [] },
    ),
  )
  .map(([mime_type, known, details]): MeasuredMedia => {
    const type = mime_type === "image/gif" ? "gif" : "image";
    return { type, mime_type, duration_seconds: null, ...known, ...details };
  });

const video = fc
  .tuple(
    fc.constantFrom(...videos),
    facts,
    fc.option(fc.double({ min: 0, max: 50_000, noNaN: true }), { freq: 5 }),
    fc.record(
      {
        codec: fc.constantFrom("h264", "hevc", "vp9", "av1", "prores"),
        fps: fc.double({ min: 0.1, max: 240, noNaN: true }),
        bitrate: fc.integer({ min: 1, max: 200_000_000 }),
        has_audio: fc.boolean(),
        audio_codec: fc.constantFrom("aac", "opus", "pcm"),
        audio_channels: fc.constantFrom(1, 2, 6),
        audio_sample_rate: fc.constantFrom(8_000, 48_000, 96_000),
        profile: fc.constantFrom("high", "high-10", "high-4:4:4", "main", "main-10", "range-extensions", "0", "2"),
        chroma: fc.constantFrom("4:0:0", "4:2:0", "4:2:2", "4:4:4"),
        bit_depth: fc.constantFrom(8, 10, 12),
        is_index_first: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  )
  .map(
    ([mime_type, known, duration_seconds, details]): MeasuredMedia => ({
      type: "video",
      mime_type,
      duration_seconds,
      ...known,
      ...details,
    }),
  );

const tools = fc.record({
  image: fc.constantFrom(null, everyTool.image, ["image/jpeg"]),
  video: fc.constantFrom(null, everyTool.video, ["video/webm"]),
});
const advice = /(Use|Save|Files are|Make|Scale|Export|Cut|An animation is)\b[^;]*\.$/;

it("any file gets a plan: its conversion fits, or its refusal explains what to do", () => {
  fc.assert(
    fc.property(fc.oneof(image, video), fc.constantFrom(...fitSpecs), tools, (item, { spec }, tools) => {
      const fit = fitMedia(item, spec, tools);
      const without = fitMedia(item, spec, toolsOf());
      if (fit.kind === "change") {
        const { change } = fit;
        const { width = 0, height = 0 } = item as { width: number; height: number };
        expect(tools[change.kind]).toContain(item.mime_type);
        expect(fitMedia(outcomeOf(item, change), spec, toolsOf())).toEqual({ kind: "as_is" });
        expect([change.width <= width, change.height <= height]).toEqual([true, true]);
        // Its aspect ratio is kept, except for rounding.
        const rounding = change.kind === "video" ? 2 : 1;
        expect(Math.abs(change.width * height - change.height * width)).toBeLessThanOrEqual(
          rounding * Math.max(width, height),
        );
        expect(fit.reasons.join(" ")).toContain(spec.name);
        if (without.kind === "refuse") expect(without.message).toContain("postrider/media/");
        else expect(without.kind === "as_is" && without.warnings?.join(" ")).toContain("postrider/media/");
      } else {
        expect(fileAfter(item, fit)).toEqual(
          fit.kind === "refuse" ? null : expect.objectContaining({ mime_type: item.mime_type }),
        );
      }
      if (without.kind === "refuse") {
        expect(without.message).toContain(spec.name);
        const [told = ""] = without.message.split(/ This service does not convert/);
        expect(told).toMatch(advice);
      }
    }),
    { seed, numRuns: shareOfRuns(20_000, 4) },
  );
});
