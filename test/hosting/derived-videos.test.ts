import { expect, it } from "vitest";
import type { VideoChange } from "../../src/media/transform/transformer.ts";
import { fixture } from "../media/fixtures.ts";
import { connectMastodon } from "../support/connect.ts";
import { hostingBench } from "../support/hosting.ts";
import type { TestService } from "../support/service.ts";

/** A service whose transformer always returns this video, and records the requested changes. */
function benchThatMakes(made: Uint8Array) {
  const asked: VideoChange[] = [];
  const bench = hostingBench({
    mediaTransformers: [
      {
        makes: "video",
        reads: ["video/mp4", "video/quicktime", "video/webm", "video/matroska"],
        version: async () => "fake 1",
        async transform(_source, change) {
          if (change.kind === "video") asked.push(change);
          return { body: new Blob([Buffer.from(made)]).stream(), size_bytes: made.length };
        },
      },
    ],
  });
  return { ...bench, asked };
}

/** A video for Mastodon, which does not accept Matroska. */
async function publish({ social, sandbox, clock }: Pick<TestService, "social" | "sandbox" | "clock">, name: string) {
  const profile = await connectMastodon({ social, sandbox, clock });
  const url = sandbox.media.put(name, fixture(name));
  return clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hi", media: [url] }));
}

it("a video in another container is requested with its own video stream, and published", async () => {
  const bench = benchThatMakes(fixture("index-first.mp4"));
  expect((await publish(bench, "h264.mkv")).status).toBe("published");
  expect(bench.asked).toEqual([expect.objectContaining({ width: 64, height: 48, remux: { sound: "copy" } })]);
});

it("a video stream that players do not show is requested anew", async () => {
  const bench = benchThatMakes(fixture("index-first.mp4"));
  expect((await publish(bench, "h264-444.mp4")).status).toBe("published");
  expect(bench.asked).toEqual([expect.not.objectContaining({ remux: expect.anything() })]);
});

it.each(["index-last.mp4", "h264-10bit.mov", "hevc.mp4"])(
  "%s is not sent if another video was requested",
  async (name) => {
    const [target] = (await publish(benchThatMakes(fixture(name)), "vp9-444.mp4")).targets;
    expect(target).toMatchObject({ status: "failed", error: { code: "internal_error" } });
    expect(target?.error?.message).toContain("was converted to");
  },
);
