import { beforeEach, describe, expect, it } from "vitest";
import type { SocialServiceOptions } from "../../src/options.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { cleaned, located, tracesIn } from "../media/located.ts";
import { connectAll } from "../support/connect.ts";
import { expectAgreement, hostingBench } from "../support/hosting.ts";
import { fakeTransformer } from "../support/transformer.ts";

const photo = Buffer.from(located("still.jpg"));
let clean: Buffer;

beforeEach(async () => {
  clean = Buffer.from((await cleaned(photo)).bytes);
});

type Given = Omit<Partial<SocialServiceOptions>, "tenants" | "clock">;

/** A service with a profile on Bluesky, Mastodon and Discord; `sent` has all bytes sent to them. */
async function desk(given: Given = {}) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const sent: Buffer[] = [];
  const watched =
    (http: typeof fetch): typeof fetch =>
    async (input, init) => {
      const request = new Request(input, { ...init, ...(init?.body instanceof ReadableStream && { duplex: "half" }) });
      const body = Buffer.from(await request.clone().arrayBuffer());
      if (body.length > 0) sent.push(body);
      return http(request);
    };
  const options = { clock, http: watched(sandbox.http), untrustedHttp: watched(sandbox.untrustedHttp), ...given };
  const bench = { ...hostingBench(options), sandbox };
  const profiles = await connectAll(bench);
  const publish = async (url: string, body = {}) => {
    const post = { profile_ids: profiles.map(({ id }) => id), text: "Hi", media: [url], ...body };
    const { targets } = await clock.run(() => bench.social.posts.create(post));
    expect(targets.map(({ status, error }) => error ?? status)).toEqual(Array(3).fill("published"));
  };
  const timesSent = (bytes: Buffer) => sent.filter((body) => body.includes(bytes)).length;
  return { ...bench, publish, sent, timesSent };
}

const statuses = (rows: { status: string }[]) => rows.map(({ status }) => status).sort();

describe("a photo with a location", () => {
  it("from the web is sent to every network and stored without it", async () => {
    const { publish, timesSent, sandbox, sent, rows, storage, kept } = await desk();
    await publish(sandbox.media.put("photo.jpg", photo));
    expect([timesSent(clean), timesSent(photo)]).toEqual([3, 0]);
    expect(sent.flatMap((body) => tracesIn(body))).toEqual([]);
    expect(statuses(await rows())).toEqual(["derived"]);
    await expectAgreement(storage, kept);
  });

  it("in the store is sent without it, and the account's own file stays unchanged", async () => {
    const { publish, timesSent, social, rows, kept } = await desk();
    const { url } = await social.media.upload(photo);
    await publish(url);
    await publish(url);
    expect([timesSent(clean), timesSent(photo)]).toEqual([6, 0]);
    expect(statuses(await rows())).toEqual(["derived", "permanent"]);
    const [own] = (await rows()).filter(({ status }) => status === "permanent");
    const body = await kept.store.read(own?.id ?? "");
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(Uint8Array.from(photo));
  });

  it("is sent without it even without a store", async () => {
    const { publish, timesSent, sandbox } = await desk({ mediaStore: undefined as never });
    await publish(sandbox.media.put("photo.jpg", photo));
    expect([timesSent(clean), timesSent(photo)]).toEqual([3, 0]);
  });

  it.each([{}, { mediaStore: undefined as never }])(
    "is sent unchanged if the host keeps locations (%o)",
    async (given) => {
      const { publish, timesSent, sandbox, rows } = await desk({ ...given, media: { keepLocation: true } });
      await publish(sandbox.media.put("photo.jpg", photo));
      expect([timesSent(clean), timesSent(photo)]).toEqual([0, 3]);
      expect(statuses(await rows())).toEqual("mediaStore" in given ? [] : ["derived"]);
    },
  );

  it("is not copied if the file has no location", async () => {
    const { publish, social, rows } = await desk();
    const { url } = await social.media.upload(clean);
    await publish(url);
    expect(statuses(await rows())).toEqual(["permanent"]);
  });

  it("is passed to a transformer without it, and not copied for that", async () => {
    const seen: string[][] = [];
    const tool = fakeTransformer();
    const watching = {
      ...tool,
      async transform(...[source, change, options]: Parameters<typeof tool.transform>) {
        seen.push(tracesIn(new Uint8Array(await new Response(await source.read()).arrayBuffer())));
        return tool.transform(source, change, options);
      },
    };
    const { publish, social, rows } = await desk({ mediaTransformers: [watching] });
    const { url } = await social.media.upload(located("still.heic"));
    await publish(url);
    expect(seen).toEqual([[]]);
    // Bluesky gets a converted file; the two others get the one without a location.
    expect(statuses(await rows())).toEqual(["derived", "derived", "permanent"]);
  });
});

describe("a link's image with a location", () => {
  it.each([{}, { mediaStore: undefined as never }])("is sent without it (%o)", async (given) => {
    const { sandbox, sent, publish } = await desk(given);
    const image_url = sandbox.media.put("card.jpg", photo);
    await publish("", { media: [], link: { url: "https://example.com/a", title: "A", image_url } });
    expect(sent.filter((body) => body.includes(clean))).toHaveLength(1);
    expect(sent.flatMap((body) => tracesIn(body))).toEqual([]);
  });
});
