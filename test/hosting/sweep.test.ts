import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/handler.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectAll, connectBluesky } from "../support/connect.ts";
import { expectAgreement, type HostingBench, hostingBench, hourMs, memoryStore } from "../support/hosting.ts";
import { testBaseUrl } from "../support/service.ts";

/** A service whose hosted files are fetched from its own handler. */
function publishingBench(options: Parameters<typeof hostingBench>[0] = {}): HostingBench {
  const untrustedHttp: typeof fetch = (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    return url.startsWith(testBaseUrl) ? handler(new Request(url, init)) : bench.sandbox.untrustedHttp(input, init);
  };
  const bench = hostingBench({ untrustedHttp, ...options });
  const handler = createHandler(bench.social);
  return bench;
}

let bench: HostingBench;

beforeEach(() => {
  bench = publishingBench();
});

afterEach(() => expectAgreement(bench.storage, bench.kept));

const upload = (from = bench) => from.clock.run(() => from.social.media.upload(png(20, 10)));
const usesOf = async ({ storage }: HostingBench) => (await storage.find("media_uses", { where: {} })).total;
const refuse = { kind: "refuse", answer: { status: 400, json: { error: "InvalidRequest", message: "No." } } } as const;

describe("a settled post", () => {
  it("makes its files permanent in the write that publishes it", async () => {
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    const post = await bench.clock.run(() =>
      bench.social.posts.create({ profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }] }),
    );
    expect(post).toMatchObject({ status: "published", media: [{ url, type: "image", mime_type: "image/png" }] });
    expect(await bench.social.media.get(url)).toMatchObject({ status: "permanent", expires_at: null });
    await bench.clock.advance(60 * 24 * hourMs);
    await bench.sweep();
    expect(await bench.social.media.get(url)).toMatchObject({ status: "permanent" });
    await bench.social.media.delete(url);
    expect(bench.kept.names()).toEqual([]);
  });

  it("does so if one network of several published it, and a retry still has the files", async () => {
    const profiles = await connectAll(bench);
    const { url } = await upload();
    bench.sandbox.bluesky.faults.add({ ...refuse, operation: "commit" });
    const post = await bench.clock.run(() =>
      bench.social.posts.create({
        profile_ids: profiles.map(({ id }) => id),
        text: "Hello",
        media: [{ url, alt: "a" }],
      }),
    );
    expect(post.status).toBe("partially_published");
    await bench.clock.advance(30 * 24 * hourMs);
    await bench.sweep();
    const retried = await bench.clock.run(() => bench.social.posts.retry(post.id));
    expect(retried.status).toBe("published");
    expect(await usesOf(bench)).toBe(0);
  });

  it("does not do so if it failed: its files are deleted after their day, and a retry reports that", async () => {
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    bench.sandbox.bluesky.faults.add({ ...refuse, operation: "commit" });
    const post = await bench.clock.run(() =>
      bench.social.posts.create({ profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }] }),
    );
    expect(post.status).toBe("failed");
    expect(await bench.social.media.get(url)).toMatchObject({ status: "temporary" });
    await bench.clock.advance(24 * hourMs);
    const refused = bench.clock.run(() => bench.social.posts.retry(post.id));
    await expect(refused).rejects.toMatchObject({ details: [{ code: "media_error", field: "media[0]" }] });
  });

  it("needs its files again from the moment of a retry", async () => {
    bench = publishingBench({ publishWaitMs: 0 });
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    bench.sandbox.bluesky.faults.add({ ...refuse, operation: "commit" });
    const body = { profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }] };
    const post = await bench.clock.run(() => bench.social.posts.create(body));
    await bench.clock.run(async () => void (await bench.social.runDue()));
    expect((await bench.social.posts.get(post.id)).status).toBe("failed");
    expect(await usesOf(bench)).toBe(0);
    bench.sandbox.bluesky.faults.add({ kind: "not_sent", code: "ECONNREFUSED", times: 2 });
    await bench.clock.run(async () => {
      expect((await bench.social.posts.retry(post.id)).status).toBe("publishing");
      await expect(bench.social.media.delete(url)).rejects.toMatchObject({ code: "conflict" });
    });
    await bench.clock.advance(600_000);
    await bench.clock.run(async () => void (await bench.social.runDue()));
    expect(await usesOf(bench)).toBe(0);
    expect(await bench.social.media.get(url)).toMatchObject({ status: "permanent" });
  });

  it("no longer needs its files if it fails before any request", async () => {
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    const scheduled_at = "2026-11-21T13:00:00Z";
    const body = { profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }], scheduled_at };
    const post = await bench.clock.run(() => bench.social.posts.create(body));
    expect(await usesOf(bench)).toBe(1);
    await bench.clock.run(() => bench.social.profiles.disconnect(id));
    await bench.clock.advance(hourMs);
    await bench.clock.run(async () => void (await bench.social.runDue()));
    expect((await bench.social.posts.get(post.id)).status).toBe("failed");
    expect(await usesOf(bench)).toBe(0);
  });

  it("keeps its files if it is retried in time", async () => {
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    bench.sandbox.bluesky.faults.add({ ...refuse, operation: "commit" });
    const post = await bench.clock.run(() =>
      bench.social.posts.create({ profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }] }),
    );
    await bench.clock.run(() => bench.social.posts.retry(post.id));
    expect(await bench.social.media.get(url)).toMatchObject({ status: "permanent" });
  });

  it("stays published if its file was deleted before a network confirms it", async () => {
    const { id } = await connectBluesky(bench);
    const { url } = await upload();
    const at = "2026-11-21T13:00:00Z";
    const post = await bench.clock.run(() =>
      bench.social.posts.create({ profile_ids: [id], text: "Hello", media: [{ url, alt: "a" }], scheduled_at: at }),
    );
    await bench.clock.advance(hourMs);
    await bench.clock.run(async () => void (await bench.social.runDue()));
    expect((await bench.social.posts.get(post.id)).status).toBe("published");
    await bench.social.media.delete(url);
    expect((await bench.social.posts.get(post.id)).media).toMatchObject([{ url }]);
  });
});

describe("a concurrent post and sweep", () => {
  /** Runs `between` in the middle of the next write that `isMeant` selects. */
  function racing(
    isMeant: (operations: string) => boolean,
    between: () => Promise<unknown>,
    { slowMs = () => 0, ...options }: { slowMs?: () => number } & Parameters<typeof hostingBench>[0] = {},
  ): HostingBench {
    const clock = manualClock();
    const inner = memoryStorage({ clock });
    let isOver = false;
    const storage: Storage = {
      ...inner,
      now: async () => (await inner.now()) - slowMs(),
      async write(operations) {
        if (!isOver && isMeant(JSON.stringify(operations))) {
          isOver = true;
          await between();
        }
        return inner.write(operations);
      },
    };
    return publishingBench({ clock, storage, ...options });
  }

  it("leave the post its file, or fail the post because the sweep was first", async () => {
    const race = racing(
      (operations) => operations.includes('"media_uses"'),
      async () => {
        await race.clock.advance(24 * hourMs);
        await race.social.runDue();
      },
    );
    const { id } = await connectBluesky(race);
    const { url } = await upload(race);
    const made = race.social.posts.create({ profile_ids: [id], text: "a", media: [url], draft: true });
    await expect(made).rejects.toMatchObject({
      code: "invalid_request",
      details: [{ field: "media", code: "media_error" }],
    });
    expect(race.kept.names()).toEqual([]);
    expect((await race.social.posts.list()).data).toEqual([]);
    await expectAgreement(race.storage, race.kept);
  });

  it("fail the post for a deleted file, even while the store has not deleted it yet", async () => {
    const kept = memoryStore();
    const race = racing(
      (operations) => operations.includes('"media_uses"'),
      () => race.social.media.delete(url),
      { kept: { ...kept, store: { ...kept.store, delete: () => Promise.reject(new Error("down")) } } },
    );
    const { id } = await connectBluesky(race);
    const { url } = await upload(race);
    const made = race.social.posts.create({ profile_ids: [id], text: "a", media: [url], draft: true });
    await expect(made).rejects.toMatchObject({ details: [{ field: "media", code: "media_error" }] });
    await expectAgreement(race.storage, race.kept);
  });

  it.each(["the sweep", "a deletion"])("leave the post its file if the post came before %s", async (who) => {
    let url = "";
    let profileId = "";
    let slowMs = 0;
    const race = racing(
      (operations) => operations.includes('"deleting"'),
      async () => {
        // The post was created just before the file's day ended.
        slowMs = hourMs;
        await race.social.posts.create({ profile_ids: [profileId], text: "a", media: [url], draft: true });
        slowMs = 0;
      },
      { slowMs: () => slowMs },
    );
    profileId = (await connectBluesky(race)).id;
    ({ url } = await upload(race));
    if (who === "a deletion") {
      await expect(race.social.media.delete(url)).rejects.toMatchObject({ code: "conflict" });
    } else {
      await race.clock.advance(24 * hourMs);
      await race.clock.run(async () => void (await race.social.runDue()));
    }
    expect(await race.social.media.get(url)).toMatchObject({ status: "temporary" });
    await expectAgreement(race.storage, race.kept);
  });
});

describe("the sweep", () => {
  it("deletes hundreds of files of all accounts in one go, but none that has time left", async () => {
    for (let count = 0; count < 230; count++) await upload();
    await bench.clock.run(() => bench.social.forAccount("acct_2").media.upload(png(3, 3)));
    await bench.clock.advance(23 * hourMs);
    const young = await upload();
    await bench.sweep();
    expect(bench.kept.names()).toHaveLength(1);
    expect((await bench.social.media.list()).data).toEqual([young]);
  });

  it("continues after a file that the store does not delete", async () => {
    const { store } = bench.kept;
    let stuck = "";
    const failing = hostingBench({
      kept: {
        ...bench.kept,
        store: {
          ...store,
          delete: (key, options) => (key === stuck ? Promise.reject(new Error("busy")) : store.delete(key, options)),
        },
      },
    });
    const first = await upload(failing);
    stuck = first.url.slice(first.url.indexOf("/media/") + 7);
    await upload(failing);
    await failing.clock.advance(24 * hourMs);
    await failing.sweep();
    expect(bench.kept.names()).toEqual([stuck.replace("/", "+")]);
    stuck = "";
    await failing.sweep();
    await failing.sweep();
    expect(bench.kept.names()).toEqual([]);
  });

  it("releases a file's room once, even if several processes sweep concurrently", async () => {
    for (let count = 0; count < 5; count++) await upload();
    const { clock, storage, kept } = bench;
    const others = [0, 1].map(() => hostingBench({ clock, storage, kept }).social);
    await clock.advance(24 * hourMs);
    await clock.run(async () => void (await Promise.all([bench.social, ...others].map((social) => social.runDue()))));
    expect((await storage.find("media_accounts", { where: {} })).rows).toMatchObject([{ bytes: 0 }]);
    expect(kept.names()).toEqual([]);
  });

  it("runs beside due work in a started process", async () => {
    await upload();
    await bench.social.start();
    await bench.clock.advance(26 * hourMs);
    expect(bench.kept.names()).toEqual([]);
    await bench.clock.run(() => bench.social.stop());
  });
});
