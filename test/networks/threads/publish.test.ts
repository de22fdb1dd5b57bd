import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { Part } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { errors } from "../../../src/networks/threads/errors.ts";
import type { ThreadsOptions } from "../../../src/networks/threads/options.ts";
import { publisher } from "../../../src/networks/threads/publish.ts";
import { fixture } from "../../media/fixtures.ts";
import type { Desk } from "../desk.ts";
import { refusalsBy } from "../refusals.ts";
import { formOf, seenOf } from "../seen.ts";
import { liveIn, stepsOf, workOn } from "../steps.ts";
import { connectedBench, part, pictures, type ThreadsBench, video } from "./bench.ts";

const { inputOf, stage, publish } = stepsOf(publisher);

type Thread = Partial<Pick<CommitInput, "index" | "previous">>;

/** Publishes, and confirms what is live. */
async function published(
  desk: Desk<ThreadsBench>,
  given: Part<ThreadsOptions>,
  { index = 0, previous = null }: Thread = {},
) {
  const work = workOn(desk, given);
  const more = { index, previous, first: previous };
  const accepted = liveIn(await publish(work, more));
  const { bench, connected } = work;
  const live = await bench.run(() => publisher.confirm(connected.context, accepted, inputOf(work, more)));
  return { work, live: { ...live, id: live.id ?? "" } };
}

/** The bodies of the requests that created containers. */
function containersAsked({ bench }: Desk): Record<string, string>[] {
  return seenOf(bench, "POST /:id/threads").map(formOf);
}

it("a video in a professional format fails once Threads has processed it", async () => {
  const scene = await connectedBench();
  const file = video(scene.bench);
  scene.bench.files.set(file.url, fixture("h264-444.mp4"));
  const work = workOn(scene, part({ media: [file] }));
  await expect(stage(work)).rejects.toThrow(NotReady);
  await scene.bench.clock.advance(60_000);
  await expect(stage(work)).rejects.toMatchObject({ code: "media_error" });
});

describe("a Threads post", () => {
  it("is a text with its card, under another id than the container's", async () => {
    const scene = await connectedBench();
    const link = { url: "https://example.com/", title: "left out", description: null, image_url: null };
    const { work, live } = await published(
      scene,
      part({ link, options: { topic_tag: "#tea", reply_control: "mentioned_only" } }),
    );
    expect(containersAsked(scene)).toEqual([
      {
        media_type: "TEXT",
        text: "Hello",
        link_attachment: "https://example.com/",
        topic_tag: "tea",
        reply_control: "mentioned_only",
      },
    ]);
    const [post] = scene.bench.network.posts();
    expect(post).toMatchObject({ text: "Hello", kind: "TEXT_POST", topic: "tea", link: "https://example.com/" });
    expect(live).toEqual({ id: post?.id, url: post?.url, ref: null });
    expect(live.id).not.toBe(work.kept.container);
    expect(Number.isSafeInteger(Number(live.id))).toBe(false);
  });

  it("is a chain of replies by post ids, in which each container names the previous part", async () => {
    const scene = await connectedBench();
    const options = { topic_tag: "tea", reply_control: "followers_only" };
    const first = await published(scene, part({ text: "One.", options }));
    const second = await published(scene, part({ text: "Two.", options }), { index: 1, previous: first.live });
    await published(scene, part({ text: "Three.", options }), { index: 2, previous: second.live });
    expect(containersAsked(scene).slice(1)).toEqual([
      { media_type: "TEXT", text: "Two.", reply_to_id: first.live.id, reply_control: "followers_only" },
      { media_type: "TEXT", text: "Three.", reply_to_id: second.live.id, reply_control: "followers_only" },
    ]);
    expect(scene.bench.network.posts().map(({ reply_to }) => reply_to)).toEqual([null, first.live.id, second.live.id]);
  });

  it("is a carousel of images and videos with their alt texts, created when each child is finished", async () => {
    const scene = await connectedBench();
    const file = video(scene.bench, { alt: "a film" });
    await published(scene, part({ media: [...pictures(scene.bench, 1), file], options: { is_spoiler_media: true } }));
    const [picture, child, parent] = containersAsked(scene);
    expect(picture).toEqual({
      is_carousel_item: "true",
      media_type: "IMAGE",
      image_url: "https://media.example/0.jpg",
      alt_text: "picture 0",
    });
    expect(child).toMatchObject({ media_type: "VIDEO", alt_text: "a film" });
    expect(parent).toMatchObject({ media_type: "CAROUSEL", text: "Hello", is_spoiler_media: "true" });
    expect(scene.bench.network.posts()).toMatchObject([{ kind: "CAROUSEL_ALBUM", media: 2, isSpoiler: true }]);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      "a poll",
      { poll_attachment: { option_a: "Tea", option_b: "Coffee" } },
      { poll_attachment: '{"option_a":"Tea","option_b":"Coffee"}' },
    ],
    [
      "a long text",
      {
        text_attachment: {
          plaintext: "Long",
          text_with_styling_info: [{ offset: 0, length: 4, styling_info: ["bold"] }],
        },
      },
      {
        text_attachment:
          '{"plaintext":"Long","text_with_styling_info":[{"offset":0,"length":4,"styling_info":["bold"]}]}',
      },
    ],
    ["a GIF", { gif_attachment: { gif_id: "abc" } }, { gif_attachment: '{"provider":"GIPHY","gif_id":"abc"}' }],
    ["a ghost post", { is_ghost_post: true }, { is_ghost_post: "true" }],
    [
      "a spoiler",
      { text_entities: [{ entity_type: "SPOILER", offset: 0, length: 5 }] },
      { text_entities: '[{"entity_type":"SPOILER","offset":"0","length":"5"}]' },
    ],
    [
      "the options of every kind of post",
      {
        quote_post_id: "18000000000000123",
        location_id: "9007199254741301",
        enable_reply_approvals: true,
        crossreshare_to_ig: true,
      },
      {
        quote_post_id: "18000000000000123",
        location_id: "9007199254741301",
        enable_reply_approvals: "true",
        crossreshare_to_ig: "true",
      },
    ],
  ])("has %s", async (_, options, sent) => {
    const scene = await connectedBench();
    await published(scene, part({ options }));
    expect(containersAsked(scene)).toEqual([{ media_type: "TEXT", text: "Hello", ...sent }]);
  });

  it("is limited to some countries if the account may choose them", async () => {
    const scene = await connectedBench({ may_choose_countries: true });
    await published(scene, part({ options: { allowlisted_country_codes: ["DE", "AT"] } }));
    expect(containersAsked(scene)).toMatchObject([{ allowlisted_country_codes: "DE,AT" }]);
  });

  it("is live although Instagram does not show it, with a warning", async () => {
    const scene = await connectedBench();
    scene.bench.network.failShares();
    const { live } = await published(scene, part({ options: { crossreshare_to_ig: true } }));
    expect(live.warnings).toEqual([expect.stringContaining("Instagram")]);
  });
});

describe("containers at Threads", () => {
  it("are ready before they are used", async () => {
    const desk = await connectedBench();
    const { bench } = desk;
    bench.network.processMediaFor(60);
    const work = workOn(desk, part({ media: [video(bench)] }));
    await expect(stage(work)).rejects.toThrow(NotReady);
    await bench.clock.advance(60_000);
    await stage(work);
    expect(bench.network.containers()).toBe(1);
  });

  it("that failed temporarily are created once more, but not a third time; the message has the reason", async () => {
    const desk = await connectedBench();
    const { bench } = desk;
    const work = workOn(desk, part({ media: [video(bench)] }));
    bench.network.failNextMedia("UNKNOWN");
    await expect(stage(work)).rejects.toThrow(NotReady);
    bench.network.failNextMedia("UNKNOWN");
    await expect(stage(work)).rejects.toMatchObject({
      code: "media_error",
      message: expect.not.stringContaining("UNKNOWN"),
    });
    expect(bench.network.containers()).toBe(2);
  });

  it("that failed for good are not created again", async () => {
    const scene = await connectedBench();
    scene.bench.network.failNextMedia("INVALID_DURATION");
    await expect(stage(workOn(scene, part({ media: [video(scene.bench)] })))).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("5 minutes"),
    });
  });

  it("that are a day old are gone, and created again", async () => {
    const work = workOn(await connectedBench(), part());
    const { bench } = work;
    await stage(work);
    await bench.clock.advance(25 * 3_600_000);
    await expect(stage(work)).rejects.toThrow(NotReady);
    await stage(work);
    expect(bench.network.containers()).toBe(2);
  });
});

describe("the day's quota of posts and replies", () => {
  it("is reported as used up before anything is public", async () => {
    const scene = await connectedBench();
    scene.bench.network.useUpPosts(scene.bench.accountId, { posts: 250 });
    await expect(stage(workOn(scene, part()))).rejects.toMatchObject({
      code: "rejected_by_network",
      message: expect.stringContaining("250 of the 250 posts"),
    });
  });

  it("stops a thread that could not be finished before it starts", async () => {
    const { bench, connected } = await connectedBench();
    bench.network.useUpPosts(bench.accountId, { replies: 999 });
    const begin = (count: number) => bench.run(() => publisher.stage({ ...connected.stage({}), count }, part()));
    await expect(begin(2)).resolves.toBeUndefined();
    await expect(begin(3)).rejects.toMatchObject({ message: expect.stringContaining("999 of the 1000 replies") });
  });
});

describe("a refusal by Threads", () => {
  const read = refusalsBy(errors);

  it.each([
    [
      "a container that is not yet visible everywhere",
      { message: "The requested resource does not exist", code: 24, error_subcode: 4279009 },
      { effect: "later", remedy: "not_ready" },
    ],
    ["any other code 24", { message: "Gone", code: 24 }, { effect: "none", code: "rejected_by_network" }],
    [
      "a file that cannot be fetched",
      { message: "Unknown", code: 1, error_subcode: 2207052 },
      { effect: "none", code: "media_error" },
    ],
    [
      "the same refusal by its message",
      { message: "The media could not be fetched from this URI: x", code: 1 },
      { effect: "none", code: "media_error" },
    ],
    ["anything else unknown", { message: "An unknown error occurred", code: 1 }, { effect: "unknown" }],
    [
      "spam, under any code: such a post was found live",
      { message: "Restricted", code: 4, error_subcode: 2207051 },
      { effect: "unknown", code: "network_error" },
    ],
    [
      "a restricted user",
      { message: "Restricted", code: 10, error_subcode: 4279013 },
      { effect: "none", code: "profile_unavailable" },
    ],
    ["the app's limit", { message: "Limit", code: 4 }, { effect: "later", remedy: "rate_limit", scope: "app" }],
    [
      "too many links",
      { message: "THREADS_API__LINK_LIMIT_EXCEEDED", code: 100 },
      { effect: "none", code: "invalid_request" },
    ],
  ])("is read: %s", (_, error, expected) => {
    expect(read(400, { error })).toMatchObject(expected);
  });
});
