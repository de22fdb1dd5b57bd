import { beforeEach, describe, expect, it } from "vitest";
import type { HostedMedia } from "../../src/hosting/schema.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { AddressOptions } from "../../src/media/store/store.ts";
import { png } from "../media/samples.ts";
import { recordingLogger } from "../support/logger.ts";
import { createRest, type Rest } from "./rest.ts";

const picture = png(20, 10);
const { length } = picture;

let rest: Rest;
let url: string;

async function start(options: Parameters<typeof createRest>[0] = {}): Promise<void> {
  rest = await createRest(options);
  ({ url } = await rest.clock.run(() => rest.social.media.upload(picture)));
}

beforeEach(() => start());

const fetched = (headers: Record<string, string> = {}, method = "GET", at = url): Promise<Response> =>
  rest.handler(new Request(at, { method, headers }));

async function bytesOf(response: Response): Promise<number[]> {
  return [...new Uint8Array(await response.arrayBuffer())];
}

describe("a hosted file", () => {
  it("is served without a key, and a browser executes nothing in it", async () => {
    const response = await fetched();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=3600",
      "content-disposition": "inline",
      "content-length": String(length),
      "content-security-policy": "sandbox",
      "content-type": "image/png",
      etag: `"${url.slice(-32)}"`,
      "x-content-type-options": "nosniff",
    });
    expect(await bytesOf(response)).toEqual([...picture]);
  });

  it("answers HEAD with the same headers and no body", async () => {
    const [head, get] = [await fetched({ range: "bytes=0-1" }, "HEAD"), await fetched()];
    expect([head.status, Object.fromEntries(head.headers)]).toEqual([200, Object.fromEntries(get.headers)]);
    expect(await bytesOf(head)).toEqual([]);
  });

  it.each<[string, number, number, string]>([
    ["bytes=0-0", 0, 1, `bytes 0-0/${length}`],
    ["bytes=10-19", 10, 20, `bytes 10-19/${length}`],
    ["bytes=10-", 10, length, `bytes 10-${length - 1}/${length}`],
    ["bytes=-5", length - 5, length, `bytes ${length - 5}-${length - 1}/${length}`],
    [`bytes=5-${length * 2}`, 5, length, `bytes 5-${length - 1}/${length}`],
  ])("answers the range %s with 206", async (range, from, to, contentRange) => {
    const response = await fetched({ range });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, contentRange]);
    expect(response.headers.get("content-length")).toBe(String(to - from));
    expect(await bytesOf(response)).toEqual([...picture.slice(from, to)]);
  });

  it.each([`bytes=${length}-`, "bytes=-0", "bytes=99999-"])("answers the range %s with 416", async (range) => {
    const response = await fetched({ range });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, `bytes */${length}`]);
    expect(await bytesOf(response)).toEqual([]);
  });

  it.each(["bytes=0-1,3-4", "bytes=4-2", "lines=1-2"])("answers %s with the whole file", async (range) => {
    const response = await fetched({ range });
    expect([response.status, await bytesOf(response)]).toEqual([200, [...picture]]);
  });

  it("answers a range whose If-Range names another version with the whole file", async () => {
    const etag = (await fetched()).headers.get("etag") ?? "";
    const same = await fetched({ range: "bytes=1-2", "if-range": etag });
    const other = await fetched({ range: "bytes=1-2", "if-range": '"other"' });
    expect([same.status, other.status]).toEqual([206, 200]);
  });

  it("answers 304 to a client that has it", async () => {
    const etag = (await fetched()).headers.get("etag") ?? "";
    const response = await fetched({ "if-none-match": `"x", W/${etag}` });
    expect([response.status, response.headers.get("etag"), await bytesOf(response)]).toEqual([304, etag, []]);
    expect((await fetched({ "if-none-match": '"x"' })).status).toBe(200);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("answers %s with 405", async (method) => {
    const response = await fetched({}, method);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it.each([
    ["under another name", () => `${url.slice(0, -1)}${url.endsWith("0") ? "1" : "0"}`],
    ["in another account's folder", () => url.replace(/media\/./, "media/x")],
    ["without a name", () => url.slice(0, -33)],
    ["in capitals", () => url.replace(/[0-9a-f]{32}$/, (name) => `${name.toUpperCase()}G`)],
    ["above its folder", () => `${url}/../../../v1/posts`],
    ["escaped", () => url.replace(/\/(?=[^/]+$)/, "%2F")],
    ["with a NUL", () => `${url}%00`],
    ["that is very long", () => url + "/a".repeat(4_000)],
  ])("%s is not found", async (_, at) => {
    expect([401, 404]).toContain((await fetched({}, "GET", at())).status);
  });

  it("is not found when it has expired, was deleted, or is not complete yet", async () => {
    await rest.clock.advance(24 * 3_600_000 - 1);
    expect((await fetched()).status).toBe(200);
    await rest.clock.advance(1);
    expect((await fetched()).status).toBe(404);
    await start();
    await rest.social.media.delete(url);
    expect((await fetched()).status).toBe(404);
  });

  it("is not found when the store has lost it, and the log says so", async () => {
    const mediaStore = memoryMediaStore();
    const logger = recordingLogger();
    await start({ mediaStore, logger });
    await mediaStore.delete(url.slice(url.indexOf("/media/") + 7));
    expect((await fetched()).status).toBe(404);
    expect(JSON.stringify(logger.lines)).toContain("a hosted file is not in the media store");
  });

  it("is still served after its day when a draft needs it", async () => {
    const { handle, password } = rest.sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const credentials = { identifier: handle, app_password: password };
    const profile = await rest.clock.run(() => rest.social.profiles.connect({ network: "bluesky", credentials }));
    await rest.social.posts.create({ profile_ids: [profile.id], draft: true, media: [url] });
    await rest.clock.advance(30 * 3_600_000);
    expect((await fetched()).status).toBe(200);
  });

  it("lies below the base path", async () => {
    await start({ handler: { basePath: "/social" }, baseUrl: "https://app.example.com/social/" });
    expect(url).toMatch(/^https:\/\/app\.example\.com\/social\/media\//);
    expect((await fetched()).status).toBe(200);
    expect((await fetched({}, "GET", url.replace("/social", ""))).status).toBe(404);
  });
});

describe("a private file", () => {
  const signed = (seconds: number) => rest.social.media.signedUrl(url, { seconds });

  beforeEach(() => start({ media: { private: true } }));

  it("is served only at signed URLs, until these expire", async () => {
    expect((await fetched()).status).toBe(403);
    const address = await signed(600);
    const response = await fetched({}, "GET", address);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, max-age=600"]);
    expect((await fetched({ range: "bytes=0-0" }, "GET", address)).status).toBe(206);
    expect((await fetched({}, "HEAD", address)).status).toBe(200);
    await rest.clock.advance(599_000);
    expect((await fetched({}, "GET", address)).status).toBe(200);
    await rest.clock.advance(1_000);
    expect((await fetched({}, "GET", address)).status).toBe(403);
  });

  it.each<[string, (address: string) => string]>([
    ["a later expiry", (address) => address.replace(/expires=(\d+)/, (_, end) => `expires=${Number(end) + 1}`)],
    ["another signature", (address) => address.replace(/.$/, (last) => (last === "A" ? "E" : "A"))],
    ["no signature", (address) => address.replace(/&signature=.*/, "")],
    ["an empty signature", (address) => address.replace(/signature=.*/, "signature=")],
    ["no expiry", (address) => address.replace(/expires=\d+&/, "")],
    ["an expiry that is not a number", (address) => address.replace(/expires=\d+/, "expires=1e12")],
    ["an expiry with a leading zero", (address) => address.replace(/expires=/, "expires=0")],
    ["another file", (address) => address.replace(/[0-9a-f]{32}\?/, `${"0".repeat(32)}?`)],
  ])("is not served with %s", async (_, change) => {
    const address = change(await signed(600));
    expect([403, 200]).toContain((await fetched({}, "GET", address)).status);
    if (!address.includes("expires=0")) expect((await fetched({}, "GET", address)).status).toBe(403);
  });

  it("gives the same response whether it exists or not", async () => {
    const missing = url.replace(/[0-9a-f]{32}$/, "0".repeat(32));
    const [one, other] = [await fetched(), await fetched({}, "GET", missing)];
    expect([one.status, await one.text()]).toEqual([other.status, await other.text()]);
  });

  it("is still named in posts and lists by its url", async () => {
    const { data } = await rest.social.media.list();
    expect(data.map((item: HostedMedia) => item.url)).toEqual([url]);
    const { address } = { address: await signed(5) };
    expect(await rest.social.media.get(address)).toMatchObject({ url });
  });

  it("uses its own signing key where one is given", async () => {
    const address = await signed(600);
    const others = { storage: rest.storage, clock: rest.clock };
    const same = await createRest({ ...others, media: { private: true } });
    const other = await createRest({ ...others, media: { private: true, signingKey: "k".repeat(32) } });
    expect((await same.handler(new Request(address))).status).toBe(404);
    expect((await other.handler(new Request(address))).status).toBe(403);
  });
});

describe("signedUrl", () => {
  it("is the file's url where files are public, and the store's own URL where it has one", async () => {
    expect(await rest.social.media.signedUrl(url, { seconds: 60 })).toBe(url);
    await expect(rest.social.media.signedUrl(`${url}0`, { seconds: 60 })).rejects.toMatchObject({ code: "not_found" });
    await expect(rest.social.media.signedUrl(url, { seconds: 0 })).rejects.toMatchObject({ code: "invalid_request" });
    await start({ mediaStore: withAddresses() });
    expect(await rest.social.media.signedUrl(url, { seconds: 60 })).toMatch(
      /^https:\/\/store\.example\/.*60 image\/png$/,
    );
    expect(await rest.social.media.signedUrl(url, { seconds: 60, own_host: true })).toBe(url);
  });
});

function withAddresses() {
  return {
    ...memoryMediaStore(),
    address: async (key: string, { seconds, contentType }: AddressOptions) =>
      `https://store.example/${key}?${seconds} ${contentType}`,
  };
}
