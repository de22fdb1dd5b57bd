import { describe, expect, it } from "vitest";
import type { SocialServiceOptions } from "../../src/options.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { PublishingError } from "../../src/wire/errors.ts";
import { fixture } from "../media/fixtures.ts";
import { jpeg, png } from "../media/samples.ts";
import { connectAll, connectBluesky, connectDiscord } from "../support/connect.ts";
import { expectAgreement, type HostingBench, hostingBench, memoryStore } from "../support/hosting.ts";
import { createTestService } from "../support/service.ts";
import { type FakeTransformer, fakeTransformer } from "../support/transformer.ts";

interface Desk extends HostingBench {
  transformer: FakeTransformer;
  profiles: Profile[];
  /** The URLs of fetched files, in order. */
  fetched: string[];
  publish(url: string, given?: object): Promise<Post>;
}

/** A phone's photo, which Bluesky does not accept. */
const photo = fixture("still.heic");

async function desk(given: Omit<Partial<SocialServiceOptions>, "tenants" | "clock"> = {}): Promise<Desk> {
  const clock = manualClock();
  const { http, untrustedHttp, ...sandbox } = createSandbox({ clock });
  const fetched: string[] = [];
  const watched: typeof fetch = (input, init) => {
    const { url } = new Request(input);
    if (url.includes("media.sandbox.example")) fetched.push(new URL(url).pathname);
    return untrustedHttp(input, init);
  };
  const transformer = fakeTransformer();
  const options = { clock, http, untrustedHttp: watched, mediaTransformers: [transformer], ...given };
  const bench = { ...hostingBench(options), sandbox: { ...sandbox, http, untrustedHttp } };
  const profiles = await connectAll(bench);
  return {
    ...bench,
    transformer,
    profiles,
    fetched,
    publish: (url, body = {}) =>
      clock.run(() =>
        bench.social.posts.create({ profile_ids: profiles.map(({ id }) => id), text: "Hi", media: [url], ...body }),
      ),
  };
}

function derived(rows: Awaited<ReturnType<HostingBench["rows"]>>): string[] {
  return rows
    .filter(({ status }) => status === "derived")
    .map(({ private: { facts } }) => String(facts?.mime_type))
    .sort();
}

describe("a post's media files", () => {
  it("are fetched once to inspect and once to store, for all networks, and converted once", async () => {
    const { sandbox, publish, fetched, transformer, rows, kept, storage } = await desk();
    const url = sandbox.media.put("photo.heic", photo, { contentType: "image/heic" });
    const post = await publish(url);
    expect(post.targets.map(({ status, error }) => error ?? status)).toEqual(Array(3).fill("published"));
    expect(fetched).toEqual(["/photo.heic", "/photo.heic"]);
    expect(transformer.asked).toEqual([expect.objectContaining({ mime_type: "image/jpeg", width: 64, height: 48 })]);
    expect(derived(await rows())).toEqual(["image/heic", "image/jpeg"]);
    await expectAgreement(storage, kept);
  });

  it("are in no list, and cannot be read, deleted or used by their URLs", async () => {
    const { sandbox, publish, social, rows } = await desk();
    await publish(sandbox.media.put("photo.heic", photo));
    expect((await social.media.list()).data).toEqual([]);
    for (const { id } of await rows()) {
      const url = `https://app.example.com/media/${id}`;
      await expect(social.media.get(url)).rejects.toThrow("no such file");
      await expect(social.media.delete(url)).rejects.toThrow("no such file");
    }
  });

  it("are deleted a day after the post is out; the account's uploads stay", async () => {
    const { publish, social, rows, sweep, kept, transformer } = await desk();
    const { url } = await social.media.upload(photo);
    expect((await publish(url)).status).toBe("published");
    expect(transformer.asked).toHaveLength(1);
    expect((await rows()).map(({ status }) => status).sort()).toEqual(["derived", "permanent"]);
    for (let hours = 0; hours < 26; hours += 1) await sweep();
    expect((await rows()).map(({ status }) => status)).toEqual(["permanent"]);
    expect(kept.names()).toHaveLength(1);
  });

  it("are converted once for posts with the same uploaded file, and again with another version of the tool", async () => {
    const { publish, social, transformer, clock, sandbox, storage, kept, profiles } = await desk();
    const { url } = await social.media.upload(photo);
    await publish(url);
    await publish(url);
    expect(transformer.asked).toHaveLength(1);
    const newer = fakeTransformer({ version: "2" });
    const { http, untrustedHttp } = sandbox;
    const after = createTestService({
      clock,
      http,
      untrustedHttp,
      storage,
      mediaStore: kept.store,
      mediaTransformers: [newer],
    });
    const [profile] = profiles;
    await clock.run(() => after.social.posts.create({ profile_ids: [profile?.id ?? ""], text: "Again", media: [url] }));
    expect(newer.asked).toHaveLength(1);
  });
});

describe("a conversion that loses something", () => {
  it("causes a warning if its network needs it", async () => {
    const warnings = async ({ mime_type }: { mime_type: string }) => [
      `is ${mime_type}, and comes out pale; give another`,
    ];
    const { social, sandbox, profiles } = await desk({ mediaTransformers: [{ ...fakeTransformer(), warnings }] });
    const media = [sandbox.media.put("photo.heic", photo)];
    const { valid, targets } = await social.posts.validate({ profile_ids: profiles.map(({ id }) => id), media });
    expect(valid).toBe(true);
    expect(targets.map(({ network, issues }) => [network, issues.map(({ message }) => message)])).toEqual([
      ["bluesky", ["For Bluesky the file is converted. It is image/heic, and comes out pale; give another."]],
      ["mastodon", []],
      ["discord", [expect.stringContaining("attached as a download")]],
    ]);
  });

  it("is planned even if its transformer cannot predict the loss, and the log has the reason", async () => {
    const warnings = () => Promise.reject(new Error("No idea."));
    const logged: unknown[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void logged.push(line) };
    const { publish, sandbox } = await desk({ logger, mediaTransformers: [{ ...fakeTransformer(), warnings }] });
    expect((await publish(sandbox.media.put("photo.heic", photo))).status).toBe("published");
    expect(logged).toEqual([["a media transformer could not report what a file loses", { error: "Error: No idea." }]]);
  });
});

describe("a file that cannot be stored or converted", () => {
  it("fails the networks that need it, with the reason and the file's name; the others are published", async () => {
    const broken = {
      ...fakeTransformer(),
      transform: () => Promise.reject(new PublishingError("media_error", "cannot be decoded; export it again")),
    };
    const { sandbox, publish } = await desk({ mediaTransformers: [broken] });
    const post = await publish(sandbox.media.put("photo.heic", photo));
    expect(post.targets.map(({ network, status, error }) => [network, status, error])).toEqual([
      [
        "bluesky",
        "failed",
        { code: "media_error", message: "media.sandbox.example/photo.heic cannot be decoded; export it again" },
      ],
      ["mastodon", "published", null],
      ["discord", "published", null],
    ]);
  });

  it.each([
    ["of another format", png(64, 48), "image/png instead of image/jpeg"],
    ["turned", jpeg(48, 64), "48 × 64 pixels instead of 64 × 48"],
    ["smaller", jpeg(32, 24), "32 × 24 pixels instead of 64 × 48"],
  ])("is not sent if it was converted to one %s, and is not at fault", async (_how, bytes, made) => {
    const transform = async () => ({ body: new Blob([Buffer.from(bytes)]).stream(), size_bytes: bytes.length });
    const { sandbox, publish } = await desk({ mediaTransformers: [{ ...fakeTransformer(), transform }] });
    const [target] = (await publish(sandbox.media.put("photo.heic", photo))).targets;
    expect([target?.status, target?.error]).toEqual([
      "failed",
      {
        code: "internal_error",
        message: `media.sandbox.example/photo.heic was converted to ${made}; the error is in the service's mediaTransformers, not in the file`,
      },
    ]);
  });

  it("fails immediately if the account has no room, with that reason", async () => {
    const { sandbox, publish, rows } = await desk({ media: { maxAccountBytes: 100 } });
    const post = await publish(sandbox.media.put("photo.heic", photo));
    expect(post.targets.map(({ error }) => error?.message)).toEqual(
      Array(3).fill(expect.stringMatching(/photo.heic could not be stored: .*100 bytes \(maxAccountBytes\)/)),
    );
    expect(await rows()).toEqual([]);
  });

  it.each([
    [
      "its transformer lacks a codec",
      { transform: () => Promise.reject(new PublishingError("internal_error", "cannot be converted: no encoder")) },
    ],
    [
      "its transformer is not installed",
      { version: () => Promise.reject(new PublishingError("internal_error", "cannot be converted: no encoder")) },
    ],
  ])("is not at fault if %s", async (_, fault) => {
    const { sandbox, publish } = await desk({ mediaTransformers: [{ ...fakeTransformer(), ...fault }] });
    const { targets } = await publish(sandbox.media.put("photo.heic", photo));
    expect(targets.find(({ network }) => network === "bluesky")?.error).toEqual({
      code: "internal_error",
      message: "media.sandbox.example/photo.heic cannot be converted: no encoder",
    });
  });

  it("waits while its transformer has no room", async () => {
    let isFull = true;
    const maker = fakeTransformer();
    const full = new PublishingError("internal_error", "could not be converted: the disk is full", { isPassing: true });
    const transform: typeof maker.transform = (...given) => (isFull ? Promise.reject(full) : maker.transform(...given));
    const { sandbox, publish, clock, social } = await desk({ mediaTransformers: [{ ...maker, transform }] });
    const { id, targets } = await publish(sandbox.media.put("photo.heic", photo));
    expect(targets.map(({ status }) => status)).toEqual(["publishing", "published", "published"]);
    isFull = false;
    await clock.advance(120_000);
    await clock.run(async () => void (await social.runDue()));
    expect((await social.posts.get(id)).status).toBe("published");
  });

  it("waits while the store is unavailable", async () => {
    const store = memoryStore();
    let isAway = true;
    const put: typeof store.store.put = (...file) =>
      isAway ? Promise.reject(new Error("The store is away.")) : store.store.put(...file);
    const { sandbox, publish, clock, social } = await desk({ mediaStore: { ...store.store, put } });
    const { id, status } = await publish(sandbox.media.put("a.png", png(8, 8)));
    expect(status).toBe("publishing");
    isAway = false;
    await clock.advance(120_000);
    await clock.run(async () => void (await social.runDue()));
    expect((await social.posts.get(id)).status).toBe("published");
  });

  it("names the option for a process without the transformer, if another process has planned it", async () => {
    const store = memoryStore();
    const put = () => Promise.reject(new Error("The store is away."));
    const { sandbox, publish, clock, storage } = await desk({ mediaStore: { ...store.store, put } });
    const { http, untrustedHttp } = sandbox;
    const { id } = await publish(sandbox.media.put("photo.heic", photo));
    const without = createTestService({ clock, http, untrustedHttp, storage, mediaStore: store.store });
    await clock.advance(120_000);
    await clock.run(async () => void (await without.social.runDue()));
    const [target] = (await without.social.posts.get(id)).targets;
    expect(target?.error?.message).toContain("mediaTransformers to a list with one that makes images from image/heic");
  });
});

it("a converted file belongs to one account and is never shared with another", async () => {
  const clock = manualClock();
  const transformer = fakeTransformer();
  const bench = hostingBench({ clock, tenants: false, mediaTransformers: [transformer] });
  const one = await connectBluesky(bench);
  const url = bench.sandbox.media.put("photo.heic", photo);
  await clock.run(() => bench.social.posts.create({ profile_ids: [one.id], text: "One", media: [url] }));
  const rows = await bench.rows();
  expect(new Set(rows.map(({ account_id }) => account_id)).size).toBe(1);
  expect(rows.every(({ id }) => id.startsWith(String(rows[0]?.id.split("/")[0])))).toBe(true);
});

it("a file that must be converted fails immediately on a service without a store, with that reason", () => {
  expect(() => createTestService({ mediaStore: undefined, mediaTransformers: [fakeTransformer()] })).toThrow(
    "mediaStore",
  );
  expect(() => createTestService({ mediaTransformers: [{ makes: "image" }] as never })).toThrow("mediaTransformers");
});

it("a file goes to Discord unchanged, because Discord accepts any file", async () => {
  const bench = hostingBench({ mediaTransformers: [fakeTransformer()] });
  const profile = await connectDiscord(bench);
  const url = bench.sandbox.media.put("a.png", png(8, 8), { contentType: "image/png" });
  const post = await bench.clock.run(() =>
    bench.social.posts.create({ profile_ids: [profile.id], text: "Hi", media: [url] }),
  );
  expect(post.status).toBe("published");
  expect((await bench.rows()).map(({ status }) => status)).toEqual(["derived"]);
});
