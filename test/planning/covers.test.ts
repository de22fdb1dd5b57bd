import { describe, expect, it } from "vitest";
import type { FileRule } from "../../src/networks/contract/limits.ts";
import type { NetworkSpec } from "../../src/networks/contract/spec.ts";
import { checkCovers } from "../../src/planning/check-covers.ts";
import { checkMedia } from "../../src/planning/check-media.ts";
import type { MediaResult } from "../../src/planning/media.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { fileOf } from "../media/fit/files.ts";
import { fakeAdapter } from "../networks/fake-network.ts";
import { everyTool } from "../support/transformer.ts";

const cover: FileRule = { mimes: ["image/jpeg", "image/png"], max_bytes: 1_000 };

/** The problems of a video with this cover on a network with this cover rule. */
async function covered(found: MediaResult, rule: FileRule | undefined = cover, pullProblem: string | null = null) {
  const mp4 = { type: "video", mime: "video/mp4", max_bytes: 1_000_000 } as const;
  const spec: NetworkSpec = {
    ...fakeAdapter().spec,
    media: { max_items: 4, mixing: "any", types: [mp4], ...(rule && { cover: rule }) },
  };
  const video = {
    ...fileOf("video/mp4"),
    url: "https://a.example/film.mp4",
    alt: null,
    thumbnail_url: "https://a.example/cover",
  };
  const { fitted } = checkMedia([video], spec, everyTool);
  const { media, issues, waits } = await checkCovers(fitted, spec, {
    readMedia: async () => found,
    pullProblem: async () => pullProblem,
    location: { isKept: false, isPulledAsGiven: true },
  });
  return {
    type: media[0]?.thumbnail_mime_type,
    issues: issues.map(({ severity, field, message }) => [severity, field, message]),
    waits,
  };
}

const picture = { ...fileOf("image/jpeg"), url: "https://a.example/cover", alt: null, thumbnail_url: null };

describe("a video's cover", () => {
  it("is published with it, and is identified by its bytes", async () => {
    expect(await covered({ ...picture, size_bytes: 1_000 })).toEqual({ type: "image/jpeg", issues: [], waits: false });
  });

  it("is rejected if the network would have to fetch it and cannot, but not if the service uploads it", async () => {
    const problem = "its address is not https";
    const found = { ...picture, size_bytes: 1_000 };
    expect((await covered(found, { ...cover, pulled: true }, problem)).issues).toEqual([
      ["error", "media[0].thumbnail_url", `Example fetches this cover by URL, and ${problem}.`],
    ]);
    expect((await covered(found, cover, problem)).issues).toEqual([]);
  });

  it("is rejected if the network would refuse it, with the cover's name", async () => {
    const at = "media[0].thumbnail_url";
    expect((await covered({ ...picture, mime_type: "image/webp" })).issues).toEqual([
      ["error", at, "The cover is image/webp; Example accepts image/jpeg, image/png."],
    ]);
    expect((await covered({ ...picture, size_bytes: 1_001 })).issues).toEqual([
      ["error", at, "The cover has 1001 bytes; Example accepts at most 1000."],
    ]);
    const gone = await covered({ error: new PublishingError("media_error", "It does not exist.") });
    expect(gone).toMatchObject({ issues: [["error", at, "It does not exist."]], waits: false });
  });

  it("is waited for if it may be available later", async () => {
    const error = new PublishingError("media_error", "Its host does not answer.", { isPassing: true });
    expect((await covered({ error })).waits).toBe(true);
  });

  it("is left out with a warning, and not read, if the network accepts none", async () => {
    const { type, issues } = await covered(
      { error: new PublishingError("media_error", "It does not exist.") },
      null as never,
    );
    expect(type).toBeUndefined();
    expect(issues).toEqual([
      ["warning", "media[0].thumbnail_url", "Example accepts no cover for this file; it is left out there."],
    ]);
  });
});
