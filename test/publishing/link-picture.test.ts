import { describe, expect, it } from "vitest";
import type { SocialServiceOptions } from "../../src/options.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { fixture } from "../media/fixtures.ts";
import { join, jpeg, png, pngChunk } from "../media/samples.ts";
import { scenes } from "../networks/scenes.ts";
import { connectFirst } from "../support/connect.ts";
import { hostedFiles } from "../support/hosted-files.ts";
import { mediaRows, memoryStore } from "../support/hosting.ts";
import { createTestService, testBaseUrl } from "../support/service.ts";
import { fakeTransformer } from "../support/transformer.ts";

/** Networks that accept an image for the card of a link. */
const networks = ["bluesky", "linkedin"] as const;

/** Larger than Bluesky and LinkedIn accept. */
const heavy = join(jpeg(640, 480).subarray(0, -2), new Uint8Array(20_100_000).fill(0x5a), jpeg(640, 480).subarray(-2));

async function desk(network: (typeof networks)[number], given: Partial<SocialServiceOptions> = {}) {
  const clock = manualClock();
  const kept = memoryStore();
  const storage = memoryStorage({ clock });
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(kept.store, testBaseUrl)] });
  const sent: string[] = [];
  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(Buffer.from(await request.clone().arrayBuffer()).toString("latin1"));
    return sandbox.http(request);
  };
  const transformer = fakeTransformer();
  const { social } = createTestService({
    clock,
    storage,
    http,
    untrustedHttp: http,
    mediaStore: kept.store,
    mediaTransformers: [transformer],
    ...given,
  } as Parameters<typeof createTestService>[0]);
  const scene = scenes.find((each) => each.network === network);
  if (scene === undefined) throw new Error(`There is no scene of ${network}.`);
  const { id } = await connectFirst({ social, sandbox, clock }, scene);
  const bodyWith = (image_url: string) => ({
    profile_ids: [id],
    text: "Look",
    link: { url: "https://example.com/bread", title: "Bread", image_url },
  });
  return {
    sandbox,
    transformer,
    storage,
    wasSent: (bytes: Uint8Array) => sent.includes(Buffer.from(bytes).toString("latin1")),
    rows: () => mediaRows(storage),
    async warnings(url: string) {
      const { targets } = await clock.run(() => social.posts.validate(bodyWith(url)));
      return targets.flatMap(({ issues }) => issues.map(({ severity, field, message }) => [severity, field, message]));
    },
    async publish(url: string, meanwhile = async (): Promise<void> => {}) {
      const post = await clock.run(() => social.posts.create(bodyWith(url)));
      await meanwhile();
      for (let round = 0; round < 4; round += 1) {
        await clock.advance(3_600_000);
        await clock.run(() => social.runDue());
      }
      const [target] = (await social.posts.get(post.id)).targets;
      return target;
    },
  };
}

describe.each(networks)("the image of a link's card on %s", (network) => {
  it("is kept and sent unchanged where the network accepts it", async () => {
    const { sandbox, publish, warnings, wasSent, rows } = await desk(network);
    const picture = png(120, 63);
    const url = sandbox.media.put("card.png", picture);
    expect(await warnings(url)).toEqual([]);
    expect(await publish(url)).toMatchObject({ status: "published", error: null });
    expect(wasSent(picture)).toBe(true);
    expect((await rows()).map(({ status }) => status)).toEqual(["derived"]);
  });

  it.each([
    ["has a format that the network rejects", fixture("still.heic"), jpeg(64, 48)],
    ["has more bytes than the network accepts", heavy, jpeg(640, 480)],
  ])("is converted where it %s", async (_why, picture, made) => {
    const { sandbox, publish, warnings, wasSent, transformer } = await desk(network);
    const url = sandbox.media.put("card.bin", picture);
    expect(await warnings(url)).toEqual([]);
    expect(await publish(url)).toMatchObject({ status: "published", error: null });
    expect(transformer.asked).toEqual([expect.objectContaining({ mime_type: "image/jpeg" })]);
    expect(wasSent(made)).toBe(true);
  });

  it.each<[string, Uint8Array | null, RegExp]>([
    ["too large, and no transformer is set", heavy, /The size in bytes .* npm install sharp/],
    ["not an image", new TextEncoder().encode("<html></html>"), /is a web page/],
    ["a video", fixture("index-first.mp4"), /does not accept video\/mp4/],
    ["missing", null, /card\.bin .*404/],
  ])("is left out with a warning where it is %s", async (_why, picture, warning) => {
    const { sandbox, publish, warnings } = await desk(network, { mediaTransformers: [] });
    const url = picture === null ? "https://media.sandbox.example/card.bin" : sandbox.media.put("card.bin", picture);
    expect(await warnings(url)).toEqual([
      ["warning", "link.image_url", expect.stringMatching(/^On \w+ the card may have no image: /)],
    ]);
    expect((await warnings(url))[0]?.[2]).toMatch(warning);
    expect(await publish(url)).toMatchObject({ status: "published", error: null });
  });

  it("gets a warning when its conversion loses something, or when it may contain a location", async () => {
    const losing = { ...fakeTransformer(), warnings: async () => ["comes out pale"] };
    const { sandbox, warnings } = await desk(network, { mediaTransformers: [losing] });
    expect(await warnings(sandbox.media.put("card.heic", fixture("still.heic")))).toEqual([
      ["warning", "link.image_url", expect.stringMatching(/the card's image is converted\. It comes out pale\.$/)],
    ]);
    const unopened = pngChunk("zTXt", new TextEncoder().encode("Raw profile type exif\0\0nonsense"));
    const picture = join(png(120, 63).subarray(0, 33), unopened, png(120, 63).subarray(33));
    expect(await warnings(sandbox.media.put("card.png", picture))).toEqual([
      ["warning", "link.image_url", expect.stringContaining("compressed metadata that may contain the location")],
    ]);
  });

  it("is left out where its conversion fails", async () => {
    const broken = new PublishingError("media_error", "cannot be decoded; export it again");
    const transformer = { ...fakeTransformer(), transform: () => Promise.reject(broken) };
    const { sandbox, publish, wasSent } = await desk(network, { mediaTransformers: [transformer] });
    const picture = fixture("still.heic");
    const url = sandbox.media.put("card.heic", picture);
    expect(await publish(url)).toMatchObject({ status: "published", error: null });
    expect(wasSent(picture)).toBe(false);
  });
});

it.each(networks)(
  "a missing card image is a warning on the target where %s shows the card without it",
  async (network) => {
    const { sandbox, publish } = await desk(network, { mediaTransformers: [] });
    const target = await publish(sandbox.media.put("card.jpg", heavy));
    expect(target?.warnings).toEqual([expect.stringContaining("The link card has no image")]);
  },
);
