import { describe, expect, it } from "vitest";
import { knownNetworks } from "../../src/networks/contract/network-id.ts";
import type { PlannedMedia } from "../../src/networks/contract/plan.ts";
import { limits as x } from "../../src/networks/x/limits.ts";
import { specContract } from "../../src/testing/network/spec.ts";
import { fileOf } from "../media/fit/files.ts";
import { allLimits } from "../media/fit/specs.ts";
import { somebody } from "../support/profile-facts.ts";

it("limits exist for every network that has a known name", () => {
  expect(allLimits.map(({ network }) => network)).toEqual([...knownNetworks]);
});

describe.each(allLimits.map((spec) => ({ network: spec.network, spec })))("$network", ({ spec }) => specContract(spec));

it("X counts the pixels of all frames of a GIF together", () => {
  const problemOf = (frames: number) => {
    const file: PlannedMedia = {
      ...fileOf("image/gif", { width: 1_000, height: 1_000, frames }),
      url: "https://media.example/a.gif",
      alt: null,
      thumbnail_url: null,
    };
    const media = [{ ...file, frames: 1 }, file];
    const input = {
      text: "",
      title: null,
      link: null,
      thread: null,
      auto_thread: false,
      media,
      post_type: "post",
    } as const;
    const part = { text: "", media, link: null, title: null, post_type: "post", options: {} } as const;
    const parts = [{ ...part, media: [...media] }];
    const problems = x.rules.map((rule) =>
      rule.check({ input: { ...input, options: {} }, parts, spec: x, profile: somebody }),
    );
    return problems.filter((problem) => problem !== null);
  };
  expect(problemOf(300)).toEqual([]);
  expect(problemOf(301)).toMatchObject([{ field: "media[1]" }]);
});
