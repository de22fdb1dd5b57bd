import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { png } from "../media/samples.ts";
import { connectAll, connectBluesky } from "../support/connect.ts";
import { expectAgreement, type HostingBench, hostingBench, hourMs } from "../support/hosting.ts";
import { silentLogger } from "../support/logger.ts";

let bench: HostingBench;

beforeEach(() => {
  bench = hostingBench();
});

afterEach(() => expectAgreement(bench.storage, bench.kept));

const upload = () => bench.clock.run(() => bench.social.media.upload(png(20, 10)));

describe("the list of hosted files", () => {
  it("has an account's files, newest first, page by page", async () => {
    const urls: string[] = [];
    for (let count = 0; count < 3; count++) {
      urls.unshift((await upload()).url);
      await bench.clock.advance(1_000);
    }
    const { data, pagination } = await bench.social.media.list({ limit: 2 });
    expect(data.map(({ url }) => url)).toEqual(urls.slice(0, 2));
    expect(pagination).toEqual({ limit: 2, offset: 0, total: 3, has_more: true });
    const rest = await bench.social.media.list({ limit: 2, offset: 2 });
    expect(rest.data.map(({ url }) => url)).toEqual(urls.slice(2));
    expect((await bench.social.forAccount("acct_2").media.list()).data).toEqual([]);
  });

  it("leaves out expired files, swept or not", async () => {
    const { url } = await upload();
    await bench.clock.advance(24 * hourMs - 1);
    expect((await bench.social.media.list()).pagination.total).toBe(1);
    await bench.clock.advance(1);
    expect(await bench.social.media.list()).toMatchObject({ data: [], pagination: { total: 0 } });
    await expect(bench.social.media.get(url)).rejects.toMatchObject({ code: "not_found" });
    await bench.sweep();
    expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
  });
});

describe("one hosted file", () => {
  it("is visible only to its account, under its URL or a signed one", async () => {
    const item = await upload();
    expect(await bench.social.media.get(item.url)).toEqual(item);
    expect(await bench.social.media.get(`${item.url}?expires=1&signature=x`)).toEqual(item);
    const stranger = bench.social.forAccount("acct_2").media;
    for (const url of [item.url, `${item.url.slice(0, -1)}x`, "https://app.example.com/media/a", "no address"]) {
      await expect(stranger.get(url)).rejects.toMatchObject({ code: "not_found", message: /no such file/ });
      await expect(stranger.delete(url)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(await bench.social.media.get(item.url)).toEqual(item);
  });

  it("is deleted immediately, and only once", async () => {
    const { url } = await upload();
    await bench.social.media.delete(url);
    expect([bench.kept.names(), await bench.rows()]).toEqual([[], []]);
    await expect(bench.social.media.delete(url)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is gone for its users even if the store cannot delete it, which the sweep does later", async () => {
    let isDown = true;
    const { store } = bench.kept;
    const failing = hostingBench({
      kept: {
        ...bench.kept,
        store: { ...store, delete: (...call) => (isDown ? Promise.reject(new Error("down")) : store.delete(...call)) },
      },
    });
    const { url } = await failing.clock.run(() => failing.social.media.upload(png(20, 10)));
    await failing.social.media.delete(url);
    await expect(failing.social.media.get(url)).rejects.toMatchObject({ code: "not_found" });
    expect((await failing.rows()).map(({ status }) => status)).toEqual(["deleting"]);
    await failing.sweep();
    expect(bench.kept.names()).toHaveLength(1);
    isDown = false;
    await failing.sweep();
    await failing.sweep();
    expect([bench.kept.names(), await failing.rows()]).toEqual([[], []]);
  });
});

describe("a file that a post uses", () => {
  const posted = async (body: object) => {
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    const post = await bench.clock.run(() =>
      bench.social.posts.create({ profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }], ...body }),
    );
    return { url, post };
  };

  it.each([
    ["a draft", { draft: true }],
    ["scheduled", { scheduled_at: "2026-11-30T12:00:00Z" }],
  ])("cannot be deleted if the post is %s, and outlives its day", async (_, body) => {
    const { url, post } = await posted(body);
    await expect(bench.social.media.delete(url)).rejects.toMatchObject({ code: "conflict" });
    for (let day = 0; day < 3; day++) {
      await bench.clock.advance(24 * hourMs);
      await bench.sweep();
    }
    expect(await bench.social.media.get(url)).toMatchObject({ status: "temporary" });
    expect((await bench.social.media.list()).data).toHaveLength(1);
    await bench.social.posts.cancel(post.id);
    await bench.sweep();
    await expect(bench.social.media.get(url)).rejects.toMatchObject({ code: "not_found" });
    expect(bench.kept.names()).toEqual([]);
  });

  it("may be deleted once an update has replaced it", async () => {
    const { url, post } = await posted({ draft: true });
    const other = await upload();
    await bench.clock.run(() => bench.social.posts.update(post.id, { media: [other.url] }));
    await bench.social.media.delete(url);
    await expect(bench.social.media.delete(other.url)).rejects.toMatchObject({ code: "conflict" });
  });

  it("is also found in covers, overrides and options", async () => {
    const { id } = await connectBluesky(bench);
    const files = await Promise.all([upload(), upload(), upload()]);
    const [cover, card, own] = files.map(({ url }) => url) as [string, string, string];
    const { url } = await upload();
    const post = await bench.clock.run(() =>
      bench.social.posts.create({
        profile_ids: [id],
        draft: true,
        media: [{ url, thumbnail_url: cover }],
        link: { url: "https://example.com", image_url: card },
        networks: { bluesky: { media: [own] } },
      }),
    );
    for (const each of [url, cover, card, own]) {
      await expect(bench.social.media.delete(each)).rejects.toMatchObject({ code: "conflict" });
    }
    await bench.social.posts.cancel(post.id);
    for (const each of [url, cover, card, own]) await bench.social.media.delete(each);
  });

  it("is missed by validate wherever create misses it, on the networks that use it", async () => {
    const profiles = await connectAll(bench);
    const missing = `https://app.example.com/media/${"0".repeat(32)}/${"1".repeat(32)}`;
    const { url } = await upload();
    const fieldsOf = async (body: object): Promise<Record<string, string[]>> => {
      const ids = profiles.map(({ id }) => id);
      const { targets } = await bench.clock.run(() =>
        bench.social.posts.validate({ profile_ids: ids, text: "a", ...body }),
      );
      const missed = targets.map(({ network, issues }) => {
        const fields = issues.filter(({ message }) => message.includes("does not exist")).map(({ field }) => field);
        return [network, fields] as const;
      });
      return Object.fromEntries(missed.filter(([, fields]) => fields.length > 0));
    };
    const all = (field: string) => Object.fromEntries(profiles.map(({ network }) => [network, [field]]));
    expect(await fieldsOf({ media: [url, missing] })).toEqual(all("media[1]"));
    expect(await fieldsOf({ media: [{ url, thumbnail_url: missing }] })).toEqual(all("media[0].thumbnail_url"));
    expect(await fieldsOf({ networks: { bluesky: { media: [missing] } } })).toEqual({
      bluesky: ["networks.bluesky.media[0]"],
    });
    expect(
      await fieldsOf({ networks: { bluesky: { link: { url: "https://a.example", image_url: missing } } } }),
    ).toEqual({
      bluesky: ["networks.bluesky.link.image_url"],
    });
    expect(await fieldsOf({ media: [url] })).toEqual({});
  });

  it("must be a media field: a URL in a text or a link does not count", async () => {
    const stranger = bench.social.forAccount("acct_2");
    const { id } = await connectBluesky({ ...bench, social: stranger });
    const { url } = await upload();
    const spoken = { text: url, title: url, thread: [url], link: url };
    const body = { profile_ids: [id], draft: true, ...spoken, networks: { bluesky: { ...spoken, link: { url } } } };
    expect(await bench.clock.run(() => stranger.posts.create(body))).toMatchObject({ status: "draft" });
    await bench.social.media.delete(url);
  });

  it("of another account is a media error like a missing one, wherever it is named", async () => {
    const stranger = bench.social.forAccount("acct_2");
    const { id } = await connectBluesky({ ...bench, social: stranger });
    const { url } = await upload();
    const missing = `${url.slice(0, -32)}${"0".repeat(32)}`;
    const bodies = (file: string) => [
      { media: [file] },
      { draft: true, media: [file] },
      { draft: true, link: { url: "https://example.com", image_url: file } },
      { draft: true, networks: { bluesky: { media: [file] } } },
    ];
    const refusals = async (file: string) =>
      Promise.all(
        bodies(file).map((body) =>
          stranger.posts.create({ profile_ids: [id], ...body }).then(
            () => "made",
            ({ details }) =>
              JSON.stringify(details).replaceAll(file, "FILE").replaceAll(new URL(file).pathname, "PATH"),
          ),
        ),
      );
    const foreign = await bench.clock.run(() => refusals(url));
    expect(foreign).toEqual(await bench.clock.run(() => refusals(missing)));
    for (const each of foreign) expect(each).toContain('"media_error"');
  });

  it("is deleted after its day if only a failed post names it", async () => {
    const answer = { status: 400, json: { error: "InvalidRequest", message: "No." } };
    bench.sandbox.bluesky.faults.add({ kind: "refuse", answer, operation: "commit", times: 10 });
    const { url, post } = await posted({ networks: { bluesky: { media: [] } } });
    expect(post.status).toBe("failed");
    await bench.clock.advance(24 * hourMs);
    await bench.sweep();
    await expect(bench.social.media.get(url)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a service without a store", () => {
  it("reports the missing option", async () => {
    const social = createSocialService({ storage: memoryStorage(), logger: silentLogger });
    const { media } = social;
    const calls = [
      () => media.upload(png(1, 1)),
      () => media.get("https://a.example"),
      () => media.delete("https://a.example"),
      () => media.signedUrl("https://a.example", { seconds: 1 }),
      () => media.createUpload({ content_type: "image/png", size_bytes: 1 }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: "unsupported", message: /mediaStore and a baseUrl/ });
    }
    expect(await media.list()).toEqual({ data: [], pagination: { limit: 20, offset: 0, total: 0, has_more: false } });
    await expect(media.list({ limit: 0 })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
