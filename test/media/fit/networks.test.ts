import { describe, expect, it } from "vitest";
import { fitMedia, type MediaTools, toolsOf } from "../../../src/media/fit/fit.ts";
import { everyTool } from "../../support/transformer.ts";
import { boundariesOf } from "./boundaries.ts";
import { fileFor, fileOf } from "./files.ts";
import { allLimits, fitSpecs } from "./specs.ts";

const all: MediaTools = everyTool;

describe.each(fitSpecs)("$title", ({ spec }) => {
  const rules = spec.media.types.map((rule) => ({ mime: rule.mime, rule }));
  const boundaries = rules.flatMap(({ mime, rule }) => boundariesOf(rule).map((each) => ({ mime, ...each })));

  it.each(rules)("accepts $mime unchanged", ({ rule }) => {
    expect(fitMedia(fileFor(rule), spec, toolsOf())).toEqual({ kind: "as_is" });
  });

  it.each(boundaries)(
    "accepts $mime up to its $bound, and no further",
    ({ inside, outside, isMendable, isAdvised }) => {
      expect(fitMedia(inside, spec, toolsOf())).toEqual({ kind: "as_is" });
      expect(fitMedia(outside, spec, all).kind).toBe(isMendable ? "change" : "refuse");
      const told = expect.stringContaining(spec.name);
      expect(fitMedia(outside, spec, toolsOf())).toMatchObject(
        isAdvised ? { kind: "as_is", warnings: [told, expect.anything()] } : { message: told },
      );
    },
  );
});

/** The outcome of each kind of file in a plain post. The columns: */
const files = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/heic",
  "image/gif",
  "video/mp4",
  "video/quicktime",
  "video/webm",
];
const outcomes = {
  facebook: "as_is as_is jpeg jpeg refuse as_is as_is transcode",
  instagram: "as_is jpeg jpeg jpeg refuse as_is as_is transcode",
  x: "as_is as_is as_is jpeg as_is as_is as_is transcode",
  linkedin: "as_is as_is jpeg jpeg as_is as_is remux transcode",
  pinterest: "as_is as_is jpeg jpeg refuse as_is as_is transcode",
  bluesky: "as_is as_is as_is jpeg as_is as_is remux transcode",
  threads: "as_is as_is jpeg jpeg refuse as_is as_is transcode",
  tiktok: "as_is jpeg as_is jpeg refuse as_is as_is as_is",
  youtube: "refuse refuse refuse refuse refuse as_is as_is as_is",
  google_business: "as_is as_is jpeg jpeg refuse refuse refuse refuse",
  mastodon: "as_is as_is as_is as_is as_is as_is as_is as_is",
  discord: "as_is as_is as_is as_is as_is as_is as_is as_is",
};

it.each(Object.entries(outcomes))("%s has an outcome for each kind of file", (network, expected) => {
  const spec = allLimits.find((each) => each.network === network);
  if (spec === undefined) throw new Error(`there are no limits of ${network}`);
  const found = files.map((mime) => {
    const fit = fitMedia(fileOf(mime), spec, all);
    return fit.kind === "change" ? fit.action : fit.kind;
  });
  expect(found.join(" ")).toBe(expected);
});
