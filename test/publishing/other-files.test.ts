import { describe, expect, it } from "vitest";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { NetworkId } from "../../src/networks/contract/network-id.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { jpeg, movie } from "../media/samples.ts";
import { scenes } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";

const captions = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n";
const subRip = "1\n00:00:00,000 --> 00:00:01,000\nHello\n";

const videoBytes = movie("isom", "first", { width: 1280, height: 720, seconds: 5 }, 100_000);

/** Options that name a file that is neither image nor video. */
const otherFiles: readonly {
  network: NetworkId;
  option: string;
  content: string;
  isBesideVideo: boolean;
  optionsWith(url: string): Readonly<Record<string, unknown>>;
}[] = [
  {
    network: "bluesky",
    option: "captions[].url",
    content: captions,
    isBesideVideo: true,
    optionsWith: (url) => ({ captions: [{ lang: "en", url }] }),
  },
  {
    network: "x",
    option: "subtitles[].url",
    content: subRip,
    isBesideVideo: true,
    optionsWith: (url) => ({ subtitles: [{ language: "en", name: "English", url }] }),
  },
  {
    network: "linkedin",
    option: "captions_url",
    content: subRip,
    isBesideVideo: true,
    optionsWith: (url) => ({ captions_url: url }),
  },
  {
    network: "linkedin",
    option: "document.url",
    content: "%PDF-1.7\n%%EOF",
    isBesideVideo: false,
    optionsWith: (url) => ({ document: { url, title: "Slides" } }),
  },
];

const sceneOf = (network: NetworkId) => {
  const scene = scenes.find((each) => each.network === network);
  if (scene === undefined) throw new Error(`no scene of ${network}`);
  return scene;
};

/** A host with one account of a network, and a video at a URL. */
async function hostWith(network: NetworkId) {
  const clock = manualClock();
  const mediaStore = memoryMediaStore();
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(mediaStore, testBaseUrl)] });
  const sent: string[] = [];
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(await request.clone().text());
    return sandbox.http(request);
  };
  const { social } = createTestService({ clock, http, untrustedHttp: http, mediaStore });
  const { id } = await connectFirst({ social, sandbox, clock }, sceneOf(network));
  const video = sandbox.media.put("film.mp4", videoBytes, { contentType: "video/mp4" });
  return {
    sandbox,
    sent,
    video,
    async publish(body: object, options: Readonly<Record<string, unknown>>) {
      const given = { profile_ids: [id], ...body, networks: { [network]: options } } as CreatePost;
      const post = await clock.run(() => social.posts.create(given));
      await clock.advance(3_600_000);
      await clock.run(() => social.runDue());
      const { targets } = await social.posts.get(post.id);
      return targets.map(({ status, error }) => [status, error]);
    },
  };
}

describe("a file that is neither image nor video", () => {
  it.each(otherFiles)("reaches $network as $option", async ({ network, content, isBesideVideo, optionsWith }) => {
    const { sandbox, sent, video, publish } = await hostWith(network);
    const url = sandbox.media.put("other.bin", new TextEncoder().encode(content));
    const body = { text: "Look", ...(isBesideVideo ? { media: [{ url: video }] } : {}) };
    expect(await publish(body, optionsWith(url))).toEqual([["published", null]]);
    expect(sent.some((each) => each.includes(content))).toBe(true);
  });
});

describe("the image of a link's card", () => {
  it.each(["bluesky", "linkedin"] as const)("reaches %s", async (network) => {
    const { sandbox, sent, publish } = await hostWith(network);
    const picture = jpeg(1200, 630);
    const image_url = sandbox.media.put("card.jpg", picture, { contentType: "image/jpeg" });
    const link = { url: "https://example.com/bread", title: "Bread", image_url };
    expect(await publish({ text: "Look", link }, {})).toEqual([["published", null]]);
    expect(sent.some((each) => each === new TextDecoder().decode(picture))).toBe(true);
  });
});
