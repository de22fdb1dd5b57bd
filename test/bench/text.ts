/**
 * How much longer hostile text takes than prose of the same length, cutting a thread than counting it, and all networks
 * together than twitter-text alone.
 */
import twitter from "twitter-text";
import type { TextRule } from "../../src/networks/contract/limits.ts";
import { splitThread } from "../../src/planning/thread.ts";
import { countBytes } from "../../src/text/bytes.ts";
import { countText } from "../../src/text/count.ts";
import { graphemeOffsets } from "../../src/text/graphemes.ts";
import { createTextReader } from "../../src/text/reading.ts";
import { scenes } from "../networks/scenes.ts";
import { hostileTexts, proseOf, textReaders } from "../support/hostile-text.ts";
import type { BenchOptions } from "./arguments.ts";
import { type BenchResult, time } from "./result.ts";

const length = 100_000;
const maxCaptionLength = 20_000;
/** The slowest takes ten times as long as prose; what is quadratic, a thousand times. */
const maxTimesProse = 60;
/** It takes one to four times as long; counting each candidate again, hundreds. */
const maxTimesCounting = 30;

const weighted: TextRule = { max: 280, unit: "weighted" };

const rules: Record<string, TextRule> = Object.fromEntries(
  scenes.map(({ network, adapter }) => [network, adapter().spec.text]),
);

export async function benchText({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const hostile = hostileTexts(length);
  const reading = Object.entries(textReaders).map(([name, read]) => {
    const floorMs = minMs(() => read(proseOf(length)), pairs);
    const slowest = hostile
      .map((text) => ({ text: JSON.stringify(text.slice(0, 8)), ms: minMs(() => read(text), 2) }))
      .reduce((one, other) => (one.ms > other.ms ? one : other));
    return compared(`${name}: ${slowest.text}… against prose`, slowest.ms, floorMs, maxTimesProse);
  });
  const caption = proseOf(maxCaptionLength);
  const cutting = Object.entries(rules).map(([name, rule]) => {
    const count = (): unknown => [countText(caption, weighted), graphemeOffsets(caption), countBytes(caption)];
    const oursMs = minMs(() => splitThread(caption, rule), pairs);
    return compared(`splitThread for ${name} against counting`, oursMs, minMs(count, pairs), maxTimesCounting);
  });
  const together = Object.entries({ "plain prose": newsOf(maxCaptionLength), "links in every line": caption }).map(
    ([what, text]) => {
      const cutForAll = (): void => {
        const read = createTextReader();
        for (const rule of Object.values(rules)) splitThread(text, rule, { read });
      };
      const name = `${what}: counting and cutting for ${Object.keys(rules).length} networks against twitter-text alone`;
      return compared(
        name,
        minMs(cutForAll, manyRuns),
        minMs(() => twitter.parseTweet(text), manyRuns),
        1,
      );
    },
  );
  return [...reading, ...cutting, ...together];
}

/** Both take some milliseconds, and are fast once they have run some hundred times. */
const manyRuns = 300;

const news = `We shipped the new release on Tuesday, and most of what we had planned for it is there. The rest follows in two weeks: the import of old orders, and the page that shows where a parcel is. Thanks to everybody who has written to us, above all to @anna@social.example, who found three mistakes in one evening! Read more at https://example.com/blog/2026/11/release-notes?ref=post 🎉 #release

`;

/** What people write: a link, a mention, a hashtag and an emoji in each paragraph. */
function newsOf(length: number): string {
  return news.repeat(Math.ceil(length / news.length)).slice(0, length);
}

function compared(name: string, oursMs: number, floorMs: number, max: number): BenchResult {
  const times = oursMs / floorMs;
  return {
    name,
    ours: time(oursMs),
    floor: time(floorMs),
    reached: `${times.toFixed(1)}×`,
    goal: `≤${max}×`,
    isMet: times <= max,
    raw: { oursMs, floorMs },
  };
}

function minMs(run: () => unknown, runs: number): number {
  const took = Array.from({ length: runs }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
  return Math.min(...took);
}
