import { describe, expect, it } from "vitest";
import type { PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { png } from "../../media/samples.ts";
import {
  connectedMember,
  connectedOrganization,
  type Desk,
  type Kept,
  type LinkedinBench,
  linkOn,
  part,
  publish,
  stageOnce,
  video,
} from "./bench.ts";

function sent({ seen }: LinkedinBench, operation: string) {
  return seen.filter((each) => each.operation === operation);
}

describe("a video's upload to LinkedIn", () => {
  async function deskWith(
    given: Partial<PlannedMedia> = {},
    connect: () => Promise<Desk> = connectedOrganization,
  ): Promise<Desk & { media: PlannedMedia[] }> {
    const desk = await connect();
    desk.bench.network.cutVideosInto(100);
    return { ...desk, media: [video(desk.bench, 250, given)] };
  }

  it("sends each part to its own URL, without the token, and lists their ETags in order", async () => {
    const desk = await deskWith();
    const { id } = await publish(desk, part({ media: desk.media }));
    const parts = sent(desk.bench, "uploadPart");
    expect(parts.map(({ bytes }) => bytes.length)).toEqual([100, 100, 50]);
    expect(parts.filter(({ headers }) => headers.has("authorization"))).toEqual([]);
    const [end] = sent(desk.bench, "finalizeVideo");
    const { finalizeUploadRequest } = JSON.parse(new TextDecoder().decode(end?.bytes));
    expect(finalizeUploadRequest).toMatchObject({ uploadToken: "", video: expect.stringMatching(/^urn:li:video:/) });
    expect(finalizeUploadRequest.uploadedPartIds.map((each: string) => each.replace(/.*-/, ""))).toEqual([
      "0",
      "100",
      "200",
    ]);
    expect(id).toMatch(/^urn:li:ugcPost:\d{19}$/);
    expect(desk.bench.network.detailsOf(id ?? "").files).toMatchObject([{ urn: finalizeUploadRequest.video }]);
  });

  it("resumes after a part was lost, from its record", async () => {
    const desk = await deskWith();
    const kept: Kept = {};
    const given = part({ media: desk.media });
    desk.bench.network.faults.add({ kind: "drop_before", operation: "uploadPart", after: 1, times: 3 });
    expect(await stageOnce(desk, given, kept)).toBeDefined();
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
    expect(sent(desk.bench, "initializeVideo")).toHaveLength(1);
  });

  it("succeeds if the video was finalized already, and only the response was lost", async () => {
    const desk = await deskWith();
    desk.bench.network.faults.add({ kind: "drop_after", operation: "finalizeVideo" });
    await publish(desk, part({ media: desk.media }));
    expect(sent(desk.bench, "finalizeVideo")).toHaveLength(2);
    expect(desk.bench.network.posts()).toHaveLength(1);
  });

  it("waits for the video, also for a member", async () => {
    const desk = await deskWith({}, connectedMember);
    desk.bench.network.processMediaFor(60);
    const kept: Kept = {};
    const given = part({ media: desk.media });
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    await desk.bench.clock.advance(61_000);
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
  });

  it("waits a round if a member may not read the status", async () => {
    const desk = await deskWith({}, connectedMember);
    desk.bench.network.hideVideos();
    const kept: Kept = {};
    const given = part({ media: desk.media });
    expect(await stageOnce(desk, given, kept)).toMatchObject({ name: "NotReady" });
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
  });

  it("reports why LinkedIn could not use it, and starts again in another attempt", async () => {
    const desk = await deskWith();
    desk.bench.network.failNextMedia();
    const kept: Kept = {};
    const given = part({ media: desk.media });
    expect(await stageOnce(desk, given, kept)).toMatchObject({
      code: "media_error",
      message: expect.stringMatching(/^media\[0\]: .*could not be processed/),
    });
    expect(await stageOnce(desk, given, kept)).toBeUndefined();
    expect(sent(desk.bench, "initializeVideo")).toHaveLength(2);
  });

  it("includes subtitles and a cover", async () => {
    const desk = await deskWith({ thumbnail_url: "https://media.example/cover.png", thumbnail_mime_type: "image/png" });
    desk.bench.files.set("https://media.example/cover.png", png(8, 8));
    desk.bench.files.set(
      "https://media.example/words.srt",
      new TextEncoder().encode("1\n00:00:00,000 --> 00:00:01,000\nHi"),
    );
    const options = { captions_url: "https://media.example/words.srt" };
    const { id } = await publish(desk, part({ media: desk.media, options }));
    const [uploaded] = desk.bench.network.detailsOf(id ?? "").files;
    expect(desk.bench.network.besideOf(uploaded?.urn ?? "")).toEqual(["captions", "thumbnail"]);
  });

  it("measures a file whose host does not announce its length", async () => {
    const desk = await deskWith({ size_bytes: null });
    await publish(desk, part({ media: desk.media }));
    expect(sent(desk.bench, "uploadPart").map(({ bytes }) => bytes.length)).toEqual([100, 100, 50]);
  });
});

describe("a document for LinkedIn", () => {
  const options = { document: { url: "https://media.example/slides.pdf", title: "Slides" } };

  it("is uploaded in one piece, with its title", async () => {
    const desk = await connectedOrganization();
    desk.bench.files.set(options.document.url, new TextEncoder().encode("%PDF-1.7 …"));
    const { id } = await publish(desk, part({ options }));
    expect(desk.bench.network.detailsOf(id ?? "").given.content).toEqual({
      media: { id: expect.stringMatching(/^urn:li:document:/), title: "Slides" },
    });
    expect(sent(desk.bench, "uploadFile")[0]?.headers.get("content-type")).toBe("application/pdf");
    expect(sent(desk.bench, "statusDocument")).toHaveLength(1);
  });

  it("that is no document is rejected before any request is sent", async () => {
    const desk = await connectedOrganization();
    desk.bench.files.set(options.document.url, png(8, 8));
    expect(await stageOnce(desk, part({ options }))).toMatchObject({
      code: "media_error",
      message: expect.stringMatching(/^networks\.linkedin\.document\.url: /),
    });
    expect(sent(desk.bench, "initializeDocument")).toEqual([]);
  });
});

describe("a LinkedIn post below its text", () => {
  it("may have a poll", async () => {
    const desk = await connectedMember();
    const poll = { question: "Tea?", options: ["Yes", "No"], duration: "SEVEN_DAYS" } as const;
    const { id } = await publish(desk, part({ options: { poll } }));
    expect(desk.bench.network.detailsOf(id ?? "").given.content).toEqual({
      poll: { question: "Tea?", options: [{ text: "Yes" }, { text: "No" }], settings: { duration: "SEVEN_DAYS" } },
    });
  });

  it("may reshare a post, by its URN or its URL", async () => {
    const desk = await connectedOrganization();
    const shared = desk.bench.network.postAs(desk.connected.profile.external_id, "First");
    for (const [text, reshare_of] of [
      ["One", shared],
      ["Two", `https://www.linkedin.com/feed/update/${shared}/`],
    ] as const) {
      const { id } = await publish(desk, part({ text, options: { reshare_of } }));
      expect(desk.bench.network.detailsOf(id ?? "").given.reshareContext).toEqual({ parent: shared });
    }
  });

  it("may be limited to an audience", async () => {
    const desk = await connectedOrganization();
    const audience = { geo_locations: ["urn:li:geo:103644278"], staff_count_ranges: ["SIZE_11_TO_50"] };
    const { id } = await publish(desk, part({ options: { audience } }));
    expect(desk.bench.network.detailsOf(id ?? "").given.distribution).toMatchObject({
      targetEntities: [{ geoLocations: ["urn:li:geo:103644278"], staffCountRanges: ["SIZE_11_TO_50"] }],
    });
  });

  it("has the card's image as the account's own upload", async () => {
    const desk = await connectedMember();
    await publish(desk, part({ link: linkOn(desk.bench) }));
    expect(desk.bench.network.posts()).toHaveLength(1);
  });
});
