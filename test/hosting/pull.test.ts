import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { MediaRule } from "../../src/networks/contract/limits.ts";
import type { PullOptions } from "../../src/networks/contract/request.ts";
import { cleaned, located } from "../media/located.ts";
import { png } from "../media/samples.ts";
import { createToy, type Toy } from "../support/toy.ts";

const bytes = png(20, 10);
const pulled: MediaRule = { type: "image", mime: "image/png", max_bytes: 1_000_000, pulled: true };
const host = "https://api.network.example";

/** A network that fetches images from URLs. */
function createPulling(
  options: Parameters<typeof createToy>[1] = {},
  given: PullOptions = { seconds: 3_600 },
): Promise<Toy> {
  return createToy(
    {
      async stage(context, { media }) {
        const [file] = media;
        if (file === undefined) return;
        await context.once("address", () => context.signedUrl(file.url, given), { keepSeconds: 600 });
      },
      commit: ({ part, staged }) => ({
        method: "POST",
        url: `${host}/posts`,
        body: { json: { text: part.text, image_url: staged.address ?? null } },
      }),
    },
    { spec: { media: { max_items: 4, mixing: "any", types: [pulled] } }, ...options },
  );
}

/** Publishes one file; returns the URL that the network got. */
async function addressOf(toy: Toy, url: string): Promise<string> {
  let address = "";
  toy.script["POST /posts"] = ({ text }) => {
    address = JSON.parse(text).image_url;
    return { status: 201, json: { id: "1" } };
  };
  const body = { profile_ids: [toy.profileId], text: "A fox", media: [url] };
  const post = await toy.clock.run(() => toy.social.posts.create(body));
  expect(post.targets).toMatchObject([{ status: "published", error: null }]);
  return address;
}

/** Fetches it like a network. */
function fetchFrom(toy: Toy, address: string, init: RequestInit = {}): Promise<Response> {
  const handler = createHandler(toy.social, { basePath: "/" });
  return toy.clock.run(() => handler(new Request(address, init)));
}

async function expectPullable(toy: Toy, address: string): Promise<void> {
  expect(address).toMatch(/^[\x21-\x7e]+$/);
  const whole = await fetchFrom(toy, address);
  expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(new Uint8Array(await whole.arrayBuffer())).toEqual(Uint8Array.from(bytes));
  const head = await fetchFrom(toy, address, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  const part = await fetchFrom(toy, address, { headers: { range: "bytes=0-7" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 0-7/${bytes.length}`]);
}

describe("a network that fetches files itself", () => {
  it("gets the URL of an uploaded file", async () => {
    const toy = await createPulling();
    const { url } = await toy.clock.run(() => toy.social.media.upload(bytes));
    const address = await addressOf(toy, url);
    expect(address).toBe(url);
    await expectPullable(toy, address);
  });

  it("gets a file on the web from the service: it fetches the inspected bytes", async () => {
    const toy = await createPulling();
    const address = await addressOf(toy, toy.sandbox.media.put("fox.png", bytes));
    expect(address).toContain("https://app.example.com/media/");
    await expectPullable(toy, address);
  });

  it("gets a file without its location, wherever the file is stored", async () => {
    const photo = located("still.png");
    const { bytes: clean } = await cleaned(photo);
    for (const isUploaded of [true, false]) {
      const toy = await createPulling();
      const uploaded = () => toy.clock.run(() => toy.social.media.upload(photo));
      const url = isUploaded ? (await uploaded()).url : toy.sandbox.media.put("photo.png", photo);
      const response = await fetchFrom(toy, await addressOf(toy, url));
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.from(clean));
    }
  });

  it("gets a signed URL that expires if media are private", async () => {
    const toy = await createPulling({ media: { private: true } });
    const { url } = await toy.clock.run(() => toy.social.media.upload(bytes));
    const address = await addressOf(toy, url);
    await expectPullable(toy, address);
    expect((await fetchFrom(toy, url)).status).toBe(403);
    await toy.clock.advance(3_601_000);
    expect((await fetchFrom(toy, address)).status).toBe(403);
  });

  it("fetches from the store if that has URLs, unless the network accepts only one host", async () => {
    const store = { ...memoryMediaStore(), address: async (key: string) => `https://bucket.example.com/${key}` };
    const toy = await createPulling({ mediaStore: store });
    const { url } = await toy.clock.run(() => toy.social.media.upload(bytes));
    expect(await addressOf(toy, url)).toMatch(/^https:\/\/bucket\.example\.com\//);
    const strict = await createPulling({ mediaStore: store }, { seconds: 3_600, ownHost: true });
    const own = await strict.clock.run(() => strict.social.media.upload(bytes));
    expect(await addressOf(strict, own.url)).toBe(own.url);
  });

  it("fetches a file on the web from its own URL if the service stores none", async () => {
    const toy = await createPulling({ mediaStore: undefined as never });
    const url = toy.sandbox.media.put("a.png", bytes);
    expect(await addressOf(toy, url)).toBe(url);
  });
});

describe("a service without a public URL", () => {
  it("reports that when such a network is connected", async () => {
    const spec = { media: { max_items: 4, min_items: 1, mixing: "any", types: [pulled] } } as const;
    await expect(createPulling({ spec, baseUrl: "http://localhost:3000/social" })).rejects.toMatchObject({
      code: "unsupported",
      message:
        "Example fetches files by URL, and this service's files are at http://localhost:3000, which is not https " +
        "[For the developer: Set createSocialService to use a baseUrl that is public.].",
      details: [{ field: "network" }],
    });
    const store = { ...memoryMediaStore(), address: async (key: string) => `https://minio.internal/${key}` };
    await expect(createPulling({ spec, mediaStore: store })).rejects.toThrow(
      "Set createSocialService to use a mediaStore whose",
    );
  });
});
