import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { connectBluesky } from "../support/connect.ts";
import { startDatabases } from "../support/databases.ts";
import { expectAgreement, type HostingBench, hostingBench, hourMs } from "../support/hosting.ts";

const databases = await startDatabases();
afterAll(() => databases.remove());

describe.each(databases.all)("hosted files on %s", (_, open) => {
  describe.skipIf(open === null)("if that database is available", () => {
    let bench: HostingBench;

    beforeEach(() => {
      const clock = manualClock();
      const storage = open?.();
      if (storage === undefined) throw new Error("There is no database.");
      // The test's time, not the server's.
      const watched = clock.watch({ ...storage, now: async () => clock.now() });
      bench = hostingBench({ clock, storage: watched, media: { maxUploads: 100 } });
    });

    const upload = () => bench.social.media.upload(png(20, 10));

    it("are uploaded, listed, kept by a post, and swept", async () => {
      const { id } = await connectBluesky(bench);
      const [kept, gone] = await bench.clock.run(async () => [await upload(), await upload()] as const);
      const post = await bench.clock.run(() =>
        bench.social.posts.create({ profile_ids: [id], draft: true, media: [kept.url] }),
      );
      await bench.clock.run(async () => {
        await expect(bench.social.media.delete(kept.url)).rejects.toMatchObject({ code: "conflict" });
      });
      await bench.clock.advance(24 * hourMs);
      await bench.sweep();
      const { data } = await bench.clock.run(() => bench.social.media.list());
      expect(data.map(({ url }) => url)).toEqual([kept.url]);
      await bench.clock.run(async () => {
        await expect(bench.social.media.get(gone.url)).rejects.toMatchObject({ code: "not_found" });
      });
      await bench.clock.run(() => bench.social.posts.cancel(post.id));
      await bench.sweep();
      expect(bench.kept.names()).toEqual([]);
      await expectAgreement(bench.storage, bench.kept);
    });

    it("count every byte when many uploads and deletions are concurrent", async () => {
      const { url } = await bench.clock.run(upload);
      await bench.clock.run(async () => {
        const uploads = Array.from({ length: 20 }, upload);
        await Promise.all([...uploads, bench.social.media.delete(url)]);
      });
      await expectAgreement(bench.storage, bench.kept);
      expect(bench.kept.names()).toHaveLength(20);
      await bench.clock.run(async () => {
        const { data } = await bench.social.media.list({ limit: 100 });
        await Promise.all(data.map((item) => bench.social.media.delete(item.url)));
      });
      await expectAgreement(bench.storage, bench.kept);
      expect(bench.kept.names()).toEqual([]);
    });

    it("are deleted once by concurrent sweeps, but not if a concurrent post uses them", async () => {
      const { id } = await connectBluesky(bench);
      const items = await bench.clock.run(() => Promise.all(Array.from({ length: 20 }, upload)));
      await bench.clock.advance(24 * hourMs - 1);
      const outcomes = await bench.clock.run(async () => {
        const posts = items.map(({ url }) =>
          bench.social.posts.create({ profile_ids: [id], draft: true, media: [url] }).then(
            () => url,
            () => null,
          ),
        );
        await bench.clock.sleep(1);
        await Promise.all([bench.social.runDue(), bench.social.runDue(), bench.social.runDue()]);
        return Promise.all(posts);
      });
      for (const url of outcomes.filter((each) => each !== null)) {
        expect(await bench.clock.run(() => bench.social.media.get(url))).toMatchObject({ url });
      }
      expect(bench.kept.names()).toHaveLength(outcomes.filter((url) => url !== null).length);
      await expectAgreement(bench.storage, bench.kept);
    });
  });
});
