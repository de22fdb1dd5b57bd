import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NotReady } from "../../src/networks/contract/request.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { jpeg, movie } from "../media/samples.ts";
import { mediaRows, memoryStore } from "../support/hosting.ts";
import { createToy } from "../support/toy.ts";

const [document, otherDocument] = [jpeg(640, 360), jpeg(320, 180)];
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A network with an option that names a file, which is sent before the post; it can be away for a while. */
async function desk() {
  const clock = manualClock();
  const { media, untrustedHttp } = createSandbox({ clock });
  const kept = memoryStore();
  const storage = memoryStorage({ clock });
  const sent: string[] = [];
  let isAway = false;
  const options = z.strictObject({ document: z.string().optional() });
  const toy = await createToy(
    {
      async stage(context, { options: { document: url } }) {
        if (typeof url !== "string") return;
        const bytes = await context.readMedia(url, { maxBytes: 1_000_000 });
        if (isAway) throw new NotReady("The network is away.");
        sent.push(sha256(bytes));
      },
    },
    {
      clock,
      storage,
      untrustedHttp,
      mediaStore: kept.store,
      adapter: { options },
      spec: { option_files: { document: { mimes: ["image/jpeg"], max_bytes: 100_000 } } },
    },
  );
  toy.script["POST /posts"] = () => ({ json: { id: "1" } });
  const onTheWeb = media.put("document.jpg", document, { contentType: "image/jpeg" });
  const bodyWith = (url: string) => ({
    profile_ids: [toy.profileId],
    text: "A document",
    networks: { mastodon: { document: url } },
  });
  return {
    ...toy,
    media,
    sent,
    rows: () => mediaRows(storage),
    setAway: (away: boolean) => {
      isAway = away;
    },
    publish: (url = onTheWeb) => clock.run(() => toy.social.posts.create(bodyWith(url))),
    async issues(url: string) {
      const { targets } = await clock.run(() => toy.social.posts.validate(bodyWith(url)));
      return targets.flatMap(({ issues }) => issues.map(({ field, code, message }) => ({ field, code, message })));
    },
  };
}

describe("a file that an option names", () => {
  it("goes out, and is kept until the post is out", async () => {
    const { publish, sent, rows, clock, social } = await desk();
    const { targets } = await publish();
    expect(targets.map(({ status }) => status)).toEqual(["published"]);
    expect(sent).toEqual([sha256(document)]);
    expect(await rows()).toHaveLength(1);
    for (let hours = 0; hours < 26; hours += 1) {
      await clock.advance(3_600_000);
      await clock.run(async () => void (await social.runDue()));
    }
    expect(await rows()).toEqual([]);
  });

  it("is the kept file, though the URL served another one while the network was away", async () => {
    const { publish, sent, media, setAway, clock, social } = await desk();
    setAway(true);
    await publish();
    expect(sent).toEqual([]);
    media.put("document.jpg", otherDocument, { contentType: "image/jpeg" });
    setAway(false);
    await clock.run(async () => {
      await clock.sleep(600_000);
      await social.runDue();
    });
    expect(sent).toEqual([sha256(document)]);
  });

  it("goes out from the media store, and stays there", async () => {
    const { publish, sent, social, rows } = await desk();
    const { url } = await social.media.upload(document);
    await publish(url);
    expect(sent).toEqual([sha256(document)]);
    expect((await rows()).map(({ status }) => status)).toEqual(["permanent"]);
  });

  it("is refused before any request is sent, where the network does not accept it: the error names the option", async () => {
    const { publish, issues, media, requests } = await desk();
    const video = media.put("film.mp4", movie("isom", "first", { width: 1_280, height: 720 }), {
      contentType: "video/mp4",
    });
    const isVideo = "The file is video/mp4; Example accepts image/jpeg.";
    const field = "networks.mastodon.document";
    expect(await issues(video)).toEqual([{ field, code: "media_error", message: isVideo }]);
    await expect(publish(video)).rejects.toMatchObject({
      details: [{ field, network: "mastodon", code: "media_error", message: isVideo }],
    });
    const nothing = media.put("empty.jpg", new Uint8Array(0), { contentType: "image/jpeg" });
    expect(await issues(nothing)).toMatchObject([{ field, code: "media_error" }]);
    expect(requests).toEqual([]);
  });

  it("is reported once when it is missing from the media store", async () => {
    const { issues, social } = await desk();
    const { url } = await social.media.upload(document);
    await social.media.delete(url);
    expect(await issues(url)).toMatchObject([{ field: "networks.mastodon.document", code: "media_error" }]);
  });

  it("is listed with its allowed types and size", async () => {
    const { social } = await desk();
    expect(social.networks.list().map(({ option_files }) => option_files)).toEqual([
      { document: { mimes: ["image/jpeg"], max_bytes: 100_000 } },
    ]);
  });
});
