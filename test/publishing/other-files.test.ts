import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { NetworkId } from "../../src/networks/contract/network-id.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import { groupBoardId } from "../../src/sandbox/pinterest/state.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { jpeg, movie } from "../media/samples.ts";
import { scenes } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";

const captions = "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n";
const subRip = "1\n00:00:00,000 --> 00:00:01,000\nHello\n";

const filmBytes = movie("isom", "first", { width: 1280, height: 720, seconds: 5 }, 100_000);

/** Options that name a page or a picture that the service does not read. */
const shownOnly = [
  ...["avatar_url", "embeds[].author.icon_url", "embeds[].author.url", "embeds[].footer.icon_url"].map(of("discord")),
  ...["embeds[].image.url", "embeds[].thumbnail.url", "embeds[].url"].map(of("discord")),
  ...["call_to_action.link"].map(of("facebook")),
  ...["call_to_action.url", "offer.redeem_online_url"].map(of("google_business")),
  ...["text_attachment.link_attachment_url"].map(of("threads")),
];

function of(network: NetworkId): (option: string) => string {
  return (option) => `${network}: ${option}`;
}

/** Where a schema takes an address on the web: `a.b[].url`. */
function addressesIn(schema: JsonObject, path: string): string[] {
  const { format, properties = {}, items } = schema as { format?: string; properties?: JsonObject; items?: JsonObject };
  if (format === "uri") return [path];
  const inside = Object.entries(properties).flatMap(([name, each]) =>
    addressesIn(each as JsonObject, path === "" ? name : `${path}.${name}`),
  );
  return items === undefined ? inside : [...inside, ...addressesIn(items, `${path}[]`)];
}

/** Options that name a file that is neither picture nor video. */
const otherFiles: readonly {
  network: NetworkId;
  option: string;
  content: string;
  isBesideFilm: boolean;
  optionsWith(url: string): Readonly<Record<string, unknown>>;
}[] = [
  {
    ...{ network: "bluesky", option: "captions[].url", content: captions, isBesideFilm: true },
    optionsWith: (url) => ({ captions: [{ lang: "en", url }] }),
  },
  {
    ...{ network: "x", option: "subtitles[].url", content: subRip, isBesideFilm: true },
    optionsWith: (url) => ({ subtitles: [{ language: "en", name: "English", url }] }),
  },
  {
    ...{ network: "linkedin", option: "captions_url", content: subRip, isBesideFilm: true },
    optionsWith: (url) => ({ captions_url: url }),
  },
  {
    ...{ network: "linkedin", option: "document.url", content: "%PDF-1.7\n%%EOF", isBesideFilm: false },
    optionsWith: (url) => ({ document: { url, title: "Slides" } }),
  },
];

const sceneOf = (network: NetworkId) => {
  const scene = scenes.find((each) => each.network === network);
  if (scene === undefined) throw new Error(`no scene of ${network}`);
  return scene;
};

/** A host with one account of a network, and a film at an address. */
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
  const film = sandbox.media.put("film.mp4", filmBytes, { contentType: "video/mp4" });
  return {
    sandbox,
    sent,
    film,
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

describe("a file that is neither picture nor video", () => {
  it.each(otherFiles)("reaches $network as $option", async ({ network, content, isBesideFilm, optionsWith }) => {
    const { sandbox, sent, film, publish } = await hostWith(network);
    const url = sandbox.media.put("other.bin", new TextEncoder().encode(content));
    const body = { text: "Look", ...(isBesideFilm ? { media: [{ url: film }] } : {}) };
    expect(await publish(body, optionsWith(url))).toEqual([["published", null]]);
    expect(sent.some((each) => each.includes(content))).toBe(true);
  });

  it("is named by no other option: such an option belongs into this table, or among the option_files of its network", () => {
    const known = new Set(otherFiles.map(({ network, option }) => of(network)(option)));
    const named = scenes.flatMap(({ network, adapter }) => {
      const { spec, options } = adapter();
      const schema = z.toJSONSchema(options, { io: "input" }) as JsonObject;
      return addressesIn(schema, "")
        .filter((option) => !Object.hasOwn(spec.option_files ?? {}, option))
        .map(of(network));
    });
    expect(named.filter((each) => !known.has(each)).sort()).toEqual([...shownOnly].sort());
  });
});

describe("a picture that an option names", () => {
  it.each([
    { network: "facebook", option: "thumbnail", body: {} },
    { network: "instagram", option: "cover_url", body: { post_type: "reel" } },
    { network: "pinterest", option: "cover_image_url", body: {}, besides: { board_id: groupBoardId } },
    { network: "youtube", option: "thumbnail", body: { title: "A film" } },
  ] as const)("reaches $network as $option", async ({ network, option, body, ...given }) => {
    const { sandbox, film, publish } = await hostWith(network);
    const besides = "besides" in given ? given.besides : {};
    const cover = sandbox.media.put("cover.jpg", jpeg(1280, 720), { contentType: "image/jpeg" });
    expect(await publish({ text: "Look", media: [{ url: film }], ...body }, { [option]: cover, ...besides })).toEqual([
      ["published", null],
    ]);
  });
});

describe("the picture of a link's card", () => {
  it.each(["bluesky", "linkedin"] as const)("reaches %s", async (network) => {
    const { sandbox, sent, publish } = await hostWith(network);
    const picture = jpeg(1200, 630);
    const image_url = sandbox.media.put("card.jpg", picture, { contentType: "image/jpeg" });
    const link = { url: "https://example.com/bread", title: "Bread", image_url };
    expect(await publish({ text: "Look", link }, {})).toEqual([["published", null]]);
    expect(sent.some((each) => each === new TextDecoder().decode(picture))).toBe(true);
  });
});
