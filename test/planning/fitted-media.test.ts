import { describe, expect, it } from "vitest";
import type { MeasuredMedia } from "../../src/media/fit/faults.ts";
import type { MediaTools } from "../../src/media/fit/fit.ts";
import type { MediaRule, MediaSpec } from "../../src/networks/contract/limits.ts";
import type { LocationHandling } from "../../src/planning/check-location.ts";
import { toPlan } from "../../src/planning/plan.ts";
import { createPlanner } from "../../src/planning/planner.ts";
import { createPostSchema } from "../../src/planning/schema.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { fileOf } from "../media/fit/files.ts";
import { fakeAdapter } from "../networks/fake-network.ts";
import { profileRow } from "../profiles/profile-row.ts";
import { everyTool } from "../support/transformer.ts";

const jpeg: MediaRule = { type: "image", mime: "image/jpeg", max_bytes: 1_000_000 };
const mp4: MediaRule = { type: "video", mime: "video/mp4", max_bytes: 1_000_000 };
const looped = { type: "gif", max_pixels: 1_000, action: "turned into a video" } as const;
const gif: MediaRule = { type: "gif", mime: "image/gif", max_bytes: 1_000_000, action: "shown as a still image" };
const movingPng: MediaRule = { type: "image", mime: "image/png", max_bytes: 1_000_000, moving: looped };

/** A file that cannot be read. */
const gone = "gone";

interface Given {
  mediaTools: MediaTools;
  changeWarnings: string[];
  pullProblem: string | null;
  location: LocationHandling;
}

const removed: LocationHandling = { isKept: false, isPulledAsGiven: false };

/** The plan of a service with these tools, for a post with these files on a network with this spec. */
async function planOf(
  files: readonly (MeasuredMedia | typeof gone)[],
  spec: Partial<MediaSpec> = {},
  { mediaTools = everyTool, changeWarnings = [], pullProblem = null, location = removed }: Partial<Given> = {},
) {
  const plain = fakeAdapter();
  const media: MediaSpec = { max_items: 4, mixing: "any", types: [jpeg, mp4], ...spec };
  const adapter = { ...plain, spec: { ...plain.spec, media } };
  const ports = {
    storage: memoryStorage({ clock: manualClock() }),
    async inspectMedia(url: string) {
      const file = files[Number(url.slice(-1))] ?? fileOf("image/jpeg");
      if (file === gone) throw new PublishingError("media_error", "It does not exist.");
      return file;
    },
    mediaTools,
    changeWarnings: async () => changeWarnings,
    pullProblem: async () => pullProblem,
    location,
    pace: async () => {},
    entitlements: () => true,
    adapter: () => adapter,
  };
  const profile = profileRow();
  const body = createPostSchema.parse({
    profile_ids: [profile.id],
    text: "Hello",
    media: files.map((_, index) => `https://media.example/${index}`),
  });
  const plan = toPlan(await createPlanner(ports, "acct_1", body).plan({ profile, adapter }), null);
  return { ...plan, problems: plan.issues.map(({ field, message }) => `${field}: ${message}`) };
}

const png = fileOf("image/png", { width: 3_000, height: 2_000, size_bytes: 4_000_000 });
const still = fileOf("image/gif", { is_animated: false, frames: 1 });

describe("a plan", () => {
  it("has each file's conversion with its reason", async () => {
    const { valid, media } = await planOf([png], { types: [{ ...jpeg, max_width: 1_500 }] });
    expect(valid).toBe(true);
    expect(media).toEqual([
      {
        url: "https://media.example/0",
        type: "image",
        action: "jpeg",
        before: { mime_type: "image/png", width: 3_000, height: 2_000, size_bytes: 4_000_000 },
        after: { mime_type: "image/jpeg", width: 1_500, height: 1_000, size_bytes: 1_000_000 },
        reasons: ["Example does not accept image/png; it accepts image/jpeg."],
      },
    ]);
  });

  it("warns of losses by a conversion, and stays valid", async () => {
    const changeWarnings = ["is HDR, and comes out pale; give it in SDR"];
    const { valid, issues } = await planOf([fileOf("image/jpeg"), png], {}, { changeWarnings });
    expect(valid).toBe(true);
    expect(issues).toEqual([
      {
        severity: "warning",
        code: "media_error",
        field: "media[1]",
        message: "For Example the file is converted. It is HDR, and comes out pale; give it in SDR.",
      },
    ]);
  });

  it("has a refusal with the remedy and the file's name", async () => {
    const { valid, media, problems } = await planOf([fileOf("image/jpeg"), fileOf("image/gif")], { types: [jpeg] });
    const reason =
      "Example does not accept image/gif; it accepts image/jpeg. An animation is never converted to a still image: use a still image.";
    expect([valid, problems]).toEqual([false, [`media[1]: ${reason}`]]);
    expect(media[1]).toMatchObject({ action: "refuse", before: { mime_type: "image/gif" }, after: null });
    expect(media.map(({ reasons }) => reasons)).toEqual([[], [reason]]);
  });

  it("warns of the network's own changes to a file only if the network gets that file", async () => {
    const shown = "media[0]: On Example: shown as a still image";
    expect(await planOf([still], { types: [gif, jpeg] })).toMatchObject({
      media: [{ action: "shown as a still image", reasons: [] }],
      problems: [shown],
    });
    const large = { ...still, size_bytes: 1_000_001 };
    expect(await planOf([large], { types: [gif, jpeg] })).toMatchObject({
      media: [{ action: "recompress", after: { mime_type: "image/jpeg" } }],
      problems: [],
    });
  });

  it("counts an animated image like its network, and warns of the consequences", async () => {
    const spec = { types: [movingPng, jpeg], max_of_type: { gif: 1 } };
    const size = { width: 30, height: 30, size_bytes: 1_000 };
    const moving = fileOf("image/png", { ...size, is_animated: true, frames: 5 });
    const unmoving = fileOf("image/png", { ...size, is_animated: false, frames: 1 });
    const shown = (index: number) => `media[${index}]: On Example: turned into a video`;
    expect((await planOf([unmoving, unmoving], spec)).problems).toEqual([]);
    expect((await planOf([unmoving, moving], spec)).problems).toEqual([shown(1)]);
    expect((await planOf([moving, moving], spec)).problems).toEqual([
      "media: 2 files of type gif; Example accepts at most 1.",
      shown(0),
      shown(1),
    ]);
    expect((await planOf([{ ...moving, width: 40 }], spec)).problems).toEqual([
      expect.stringContaining("The number of pixels is 1200; Example accepts at most 1000."),
    ]);
    expect((await planOf([{ ...unmoving, width: 40 }], spec)).problems).toEqual([]);
  });

  it("rejects a file that needs a conversion if the service has no tool for it", async () => {
    const { valid, media, problems } = await planOf([png], {}, { mediaTools: { ...everyTool, image: null } });
    expect(valid).toBe(false);
    expect(media).toMatchObject([{ action: "refuse", after: null }]);
    expect(problems).toEqual([expect.stringMatching(/^media\[0\]: .* npm install sharp, import /)]);
  });
});

describe("a plan for a network that fetches files itself", () => {
  const types = [{ ...jpeg, pulled: true }, mp4];
  const pullProblem = "its address is not https";

  it("names each file that the network cannot fetch, in its final form, and no other", async () => {
    const { problems } = await planOf([fileOf("video/mp4"), png, fileOf("image/jpeg")], { types }, { pullProblem });
    const message = "Example fetches this file by URL, and its address is not https.";
    expect(problems).toEqual([`media[1]: ${message}`, `media[2]: ${message}`]);
    expect((await planOf([png, fileOf("image/jpeg")], { types })).problems).toEqual([]);
  });
});

describe("a plan with a file that cannot be read", () => {
  it("names the other files by their own positions", async () => {
    const { problems } = await planOf([gone, fileOf("image/jpeg"), fileOf("image/gif")], { types: [jpeg] });
    expect(problems).toEqual(["media[0]: It does not exist.", expect.stringMatching(/^media\[2\]: Example does not/)]);
  });
});

describe("a post's files together", () => {
  it("are counted by their converted types", async () => {
    const limits: Partial<MediaSpec> = { mixing: "one_type", max_of_type: { gif: 1 }, types: [jpeg] };
    expect((await planOf([still, fileOf("image/jpeg"), still], limits)).problems).toEqual([]);
    const moving = (await planOf([fileOf("image/jpeg"), fileOf("video/webm")], { mixing: "one_type" })).problems;
    expect(moving).toEqual(["media: image and video in one post; Example accepts files of one type only."]);
  });

  it("share a total limit: converted files get the room that the others leave", async () => {
    const light = fileOf("image/jpeg", { size_bytes: 400_000 });
    const { problems, media } = await planOf([png, light, png], { max_total_bytes: 1_000_001 });
    expect(problems).toEqual([]);
    expect(media.map(({ after }) => after?.size_bytes)).toEqual([300_000, 400_000, 300_000]);
  });

  it("are rejected if the unchanged ones exceed the limit", async () => {
    const light = fileOf("image/jpeg", { size_bytes: 600_000 });
    const { problems } = await planOf([light, png, light], { max_total_bytes: 1_100_000 });
    expect(problems).toEqual(["media: 2.2 MB in total; Example accepts 1.1 MB."]);
  });
});

describe("a file's location", () => {
  const located = fileOf("image/jpeg", { has_location: true });
  const tracked = fileOf("video/mp4", { location_left: ["timed_track", "out_of_reach"] });
  const types = [{ ...jpeg, pulled: true }, mp4];
  const asGiven: LocationHandling = { isKept: false, isPulledAsGiven: true };

  it("causes a warning if it cannot be removed, with each reason in a sentence", async () => {
    const { valid, issues } = await planOf([located, tracked]);
    expect(valid).toBe(true);
    expect(issues).toEqual([
      {
        severity: "warning",
        code: "media_error",
        field: "media[1]",
        message:
          "The file has a track that may contain the camera's location; it is not removed. Export the video without that track.",
      },
      {
        severity: "warning",
        code: "media_error",
        field: "media[1]",
        message:
          "Parts of the file could not be searched for a location; they are sent unchanged. Save it without metadata to be sure.",
      },
    ]);
  });

  it("causes a warning if a network fetches the file from the caller's own URL", async () => {
    const message =
      "media[0]: The file contains its location, which is not removed: Example fetches the file from your URL. Export it without the location. [For the developer: With createSocialService's mediaStore set, the service removes it.]";
    expect((await planOf([located], { types }, { location: asGiven })).problems).toEqual([message]);
    expect((await planOf([located], { types })).problems).toEqual([]);
    expect((await planOf([located], {}, { location: asGiven })).problems).toEqual([]);
  });

  it("causes no warning if the host keeps locations, or if the file is converted", async () => {
    const kept: LocationHandling = { isKept: true, isPulledAsGiven: true };
    expect((await planOf([located, tracked], { types }, { location: kept })).problems).toEqual([]);
    const small = { types: [{ ...mp4, max_width: 16 }] };
    const { media, problems } = await planOf([tracked], small);
    expect(media[0]?.action).toBe("transcode");
    expect(problems).toEqual([]);
  });
});
