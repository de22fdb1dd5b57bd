import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Post } from "../../src/publishing/schema.ts";
import { jpeg, movie } from "../media/samples.ts";
import { connectMastodon } from "../support/connect.ts";
import { expectAgreement, type HostingBench, hostingBench } from "../support/hosting.ts";

const video = movie("isom", "first", { width: 1_280, height: 720 });
const [cover, otherCover] = [jpeg(640, 360), jpeg(320, 180)];

interface Desk extends HostingBench {
  /** Publishes the video with a cover: an image on the web, unless a URL is given. */
  publish(thumbnail_url?: string): Promise<Post>;
  /** The hashes of the covers on the network. */
  shown(): (string | null | undefined)[];
}

async function desk(): Promise<Desk> {
  const bench = hostingBench();
  const { clock, sandbox, social } = bench;
  const profile = await connectMastodon(bench);
  const onTheWeb = sandbox.media.put("cover.jpg", cover, { contentType: "image/jpeg" });
  const url = sandbox.media.put("film.mp4", video, { contentType: "video/mp4" });
  return {
    ...bench,
    publish: (thumbnail_url = onTheWeb) =>
      clock.run(() =>
        social.posts.create({ profile_ids: [profile.id], text: "A video", media: [{ url, thumbnail_url }] }),
      ),
    shown: () => sandbox.mastodon.posts().map(({ files }) => files[0]?.coverSha256),
  };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const messagesOf = ({ targets }: Post) => targets.map(({ status, error }) => error?.message ?? status);

describe("the cover of a video", () => {
  it("goes out with the video, from the web, and is kept until the post is out", async () => {
    const { publish, shown, rows, storage, kept, sweep } = await desk();
    expect(messagesOf(await publish())).toEqual(["published"]);
    expect(shown()).toEqual([sha256(cover)]);
    expect((await rows()).map(({ private: { facts } }) => facts?.mime_type).sort()).toEqual([
      "image/jpeg",
      "video/mp4",
    ]);
    await expectAgreement(storage, kept);
    for (let hours = 0; hours < 26; hours += 1) await sweep();
    expect(await rows()).toEqual([]);
  });

  it("goes out from the media store, and stays there", async () => {
    const { publish, shown, social, rows, sweep } = await desk();
    const { url } = await social.media.upload(cover);
    expect(messagesOf(await publish(url))).toEqual(["published"]);
    expect(shown()).toEqual([sha256(cover)]);
    for (let hours = 0; hours < 26; hours += 1) await sweep();
    expect((await rows()).map(({ status }) => status)).toEqual(["permanent"]);
  });

  it("is the kept image, though the URL served another one while the instance was away", async () => {
    const { publish, shown, sandbox, clock, social } = await desk();
    const backAt = clock.now() + 60_000;
    let refused = 0;
    sandbox.mastodon.faults.next = (operation) => {
      if (!/media/i.test(operation) || clock.now() >= backAt) return undefined;
      refused += 1;
      sandbox.media.put("cover.jpg", otherCover, { contentType: "image/jpeg" });
      return { kind: "refuse", answer: { status: 503, json: { error: "Remote data could not be fetched" } } };
    };
    await publish();
    await clock.run(async () => {
      await clock.sleep(600_000);
      await social.runDue();
    });
    expect(refused).toBeGreaterThan(0);
    expect(shown()).toEqual([sha256(cover)]);
  });

  it("is refused before any request is sent, where the network does not accept it", async () => {
    const { publish, sandbox } = await desk();
    const url = sandbox.media.put("cover.mp4", video, { contentType: "video/mp4" });
    await expect(publish(url)).rejects.toMatchObject({
      details: [expect.objectContaining({ field: "media[0].thumbnail_url", network: "mastodon" })],
    });
    expect(sandbox.mastodon.posts()).toEqual([]);
  });

  it("does not block the video on an instance that ignores covers", async () => {
    const { publish, shown, sandbox } = await desk();
    sandbox.mastodon.changeInstance({ ignoresCovers: true });
    expect(messagesOf(await publish())).toEqual(["published"]);
    expect(shown()).toEqual([null]);
  });
});
