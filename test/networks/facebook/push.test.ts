import { describe, expect, it } from "vitest";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { createApi } from "../../../src/networks/facebook/api.ts";
import { facebook } from "../../../src/networks/facebook/index.ts";
import { createPublisher } from "../../../src/networks/facebook/publish.ts";
import { uploadRefusal } from "../../../src/sandbox/parts/graph-files.ts";
import type { Json } from "../../../src/wire/json.ts";
import { connectedBench, part, video } from "./bench.ts";

const publisher = createPublisher(createApi("v26.0"), { videoUpload: "push" });
const upload = "POST /video-upload/:id";

/** A reel, and a function that stages it at each call. */
async function reel(given: { size_bytes?: null } = {}) {
  const { bench, connected } = await connectedBench();
  const kept: Record<string, Json> = {};
  const own = part({ post_type: "reel", media: [video(bench, given)] });
  const stage = () => bench.run(() => publisher.stage(connected.stage(kept), own));
  return { bench, connected, own, kept, stage };
}

describe("reels that are uploaded to Facebook", () => {
  it("arrive complete, with their length and the upload's own word before the token", async () => {
    const { bench, connected, own, kept, stage } = await reel();
    await stage();
    const sent = bench.seen.find(({ url }) => url.hostname === "rupload.facebook.com");
    expect(Object.fromEntries(sent?.headers ?? [])).toMatchObject({
      authorization: `OAuth ${bench.token}`,
      offset: "0",
      file_size: String(sent?.bytes.length),
    });
    const before = { first: null, previous: null };
    const created_at = new Date(connected.context.now()).toISOString();
    const input = { profile: connected.profile, secret: {}, part: own, index: 0, staged: kept, ...before, key: "" };
    await bench.run(() => connected.send(publisher.commit({ ...input, created_at })));
    expect(bench.network.posts()).toMatchObject([{ kind: "reel", text: "Hello" }]);
  });

  it("are uploaded once, however often they are staged", async () => {
    const { bench, stage } = await reel();
    await stage();
    await stage();
    expect(bench.network.uploads().videos).toBe(1);
    expect(bench.seen.filter(({ operation }) => operation === upload)).toHaveLength(1);
  });

  it.each(["drop_before", "drop_after"] as const)("start again if an upload ends with %s", async (kind) => {
    const { bench, kept, stage } = await reel();
    bench.network.faults.add({ kind, operation: upload });
    await expect(stage()).rejects.toMatchObject({ refusal: { code: "network_error" } });
    expect(kept).toEqual({});
    await stage();
    expect(bench.network.uploads().videos).toBe(2);
  });

  it("are uploaded a second time, but not a third, if Facebook could not process them", async () => {
    const { bench, stage } = await reel();
    const { answer } = uploadRefusal("ProcessingFailedError", "Request processing failed");
    bench.network.faults.add({ kind: "refuse", answer, operation: upload, times: 2 });
    await expect(stage()).rejects.toBeInstanceOf(NotReady);
    await expect(stage()).rejects.toMatchObject({ code: "media_error" });
    expect(bench.network.uploads().videos).toBe(2);
  });

  it("are rejected if their length is unknown", async () => {
    const { stage } = await reel({ size_bytes: null });
    await expect(stage()).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringMatching(/does not report its size/),
    });
  });

  it("need no public URL, but photos do", () => {
    const rulesOf = (type: string) => {
      const { spec } = facebook({ videoUpload: "push" });
      const rules = [spec.media, ...(spec.variants ?? []).map(({ media }) => media)].flatMap(
        (media) => media?.types ?? [],
      );
      return rules.filter((rule) => rule.type === type).map(({ pulled = false }) => pulled);
    };
    expect(new Set(rulesOf("video"))).toEqual(new Set([false]));
    expect(new Set(rulesOf("image"))).toEqual(new Set([true]));
    expect(() => facebook({ videoUpload: "fetch" as "push" })).toThrow(/videoUpload/);
  });
});
