import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { IdentifiedPart, Part } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { readRefusal } from "../../../src/networks/runtime/error-map.ts";
import { errors } from "../../../src/networks/threads/errors.ts";
import type { ThreadsOptions } from "../../../src/networks/threads/options.ts";
import { publisher } from "../../../src/networks/threads/publish.ts";
import type { Json } from "../../../src/wire/json.ts";
import { fixture } from "../../media/fixtures.ts";
import { connectedBench, part, pictures, video } from "./bench.ts";

type Bench = Awaited<ReturnType<typeof connectedBench>>;
interface Where {
  index?: number;
  previous?: IdentifiedPart | null;
}

async function staged({ bench, connected }: Bench, given: Part<ThreadsOptions>, { index, previous }: Where = {}) {
  const kept: Record<string, Json> = {};
  await bench.run(() => publisher.stage(connected.stage(kept, index, previous), given));
  return kept;
}

async function published(scene: Bench, given: Part<ThreadsOptions>, where: Where = {}) {
  const { bench, connected } = scene;
  const { index = 0, previous = null } = where;
  const input: CommitInput<ThreadsOptions> = {
    profile: connected.profile,
    secret: {},
    part: given,
    index,
    staged: await staged(scene, given, where),
    first: previous,
    previous,
    key: "",
    created_at: new Date(connected.context.now()).toISOString(),
  };
  const response = await bench.run(() => connected.send(publisher.commit(input)));
  const acceptance = publisher.accepted(response);
  if (acceptance === null) throw new Error("nothing was accepted");
  const live = await bench.run(() => publisher.confirm(connected.context, acceptance.live, input));
  return { input, live: { ...live, id: live.id ?? "" } };
}

/** The bodies of the requests that made containers. */
function containersAsked({ bench }: Bench): Record<string, string>[] {
  const asked = bench.seen.filter(({ operation }) => operation === "POST /:id/threads");
  return asked.map(({ bytes }) => Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes))));
}

it("a film that only studios play is refused once it is looked at", async () => {
  const scene = await connectedBench();
  const film = video(scene.bench);
  scene.bench.files.set(film.url, fixture("h264-444.mp4"));
  const kept: Record<string, Json> = {};
  const stage = () => scene.bench.run(() => publisher.stage(scene.connected.stage(kept), part({ media: [film] })));
  await expect(stage()).rejects.toThrow(NotReady);
  await scene.bench.clock.advance(60_000);
  await expect(stage()).rejects.toMatchObject({ code: "media_error" });
});

describe("what is published", () => {
  it("is a text with its card, under an id that is none of the container's", async () => {
    const scene = await connectedBench();
    const link = { url: "https://example.com/", title: "left out", description: null, image_url: null };
    const { input, live } = await published(
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
    expect(live.id).not.toBe(input.staged.container);
    expect(Number.isSafeInteger(Number(live.id))).toBe(false);
  });

  it("is a chain of replies by the ids of posts, each container naming the one before", async () => {
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

  it("is a carousel of pictures and films, each with its words, made when each child is finished", async () => {
    const scene = await connectedBench();
    const film = video(scene.bench, { alt: "a film" });
    await published(scene, part({ media: [...pictures(scene.bench, 1), film], options: { is_spoiler_media: true } }));
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
      "a hidden word",
      { text_entities: [{ entity_type: "SPOILER", offset: 0, length: 5 }] },
      { text_entities: '[{"entity_type":"SPOILER","offset":"0","length":"5"}]' },
    ],
    [
      "what stands on every kind of post",
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

  it("is shown in some countries where the account may choose them", async () => {
    const scene = await connectedBench({ may_choose_countries: true });
    await published(scene, part({ options: { allowlisted_country_codes: ["DE", "AT"] } }));
    expect(containersAsked(scene)).toMatchObject([{ allowlisted_country_codes: "DE,AT" }]);
  });

  it("is live although Instagram does not show it, and says so", async () => {
    const scene = await connectedBench();
    scene.bench.network.failShares();
    const { live } = await published(scene, part({ options: { crossreshare_to_ig: true } }));
    expect(live.warnings).toEqual([expect.stringContaining("Instagram")]);
  });
});

describe("containers", () => {
  it("are waited for, and then used", async () => {
    const { bench, connected } = await connectedBench();
    bench.network.processMediaFor(60);
    const kept: Record<string, Json> = {};
    const given = part({ media: [video(bench)] });
    const stage = () => bench.run(() => publisher.stage(connected.stage(kept), given));
    await expect(stage()).rejects.toThrow(NotReady);
    await bench.clock.advance(60_000);
    await stage();
    expect(bench.network.containers()).toBe(1);
  });

  it("that failed in a way that may pass are made once more, and no third time; why is said in words", async () => {
    const { bench, connected } = await connectedBench();
    const kept: Record<string, Json> = {};
    const given = part({ media: [video(bench)] });
    const stage = () => bench.run(() => publisher.stage(connected.stage(kept), given));
    bench.network.failNextMedia("UNKNOWN");
    await expect(stage()).rejects.toThrow(NotReady);
    bench.network.failNextMedia("UNKNOWN");
    await expect(stage()).rejects.toMatchObject({
      code: "media_error",
      message: expect.not.stringContaining("UNKNOWN"),
    });
    expect(bench.network.containers()).toBe(2);
  });

  it("that failed for good are not made again", async () => {
    const scene = await connectedBench();
    scene.bench.network.failNextMedia("INVALID_DURATION");
    await expect(staged(scene, part({ media: [video(scene.bench)] }))).rejects.toMatchObject({
      code: "media_error",
      message: expect.stringContaining("5 minutes"),
    });
  });

  it("of a day ago are gone, and made anew", async () => {
    const { bench, connected } = await connectedBench();
    const kept: Record<string, Json> = {};
    const stage = () => bench.run(() => publisher.stage(connected.stage(kept), part()));
    await stage();
    await bench.clock.advance(25 * 3_600_000);
    await expect(stage()).rejects.toThrow(NotReady);
    await stage();
    expect(bench.network.containers()).toBe(2);
  });
});

describe("the day's posts and replies", () => {
  it("that are used up are told before anything is public", async () => {
    const scene = await connectedBench();
    scene.bench.network.useUpPosts(scene.bench.accountId, { posts: 250 });
    await expect(staged(scene, part())).rejects.toMatchObject({
      code: "rejected_by_network",
      message: expect.stringContaining("250 of the 250 posts"),
    });
  });

  it("do not begin a thread that could not be finished", async () => {
    const { bench, connected } = await connectedBench();
    bench.network.useUpPosts(bench.accountId, { replies: 999 });
    const stage = (count: number) => bench.run(() => publisher.stage({ ...connected.stage({}), count }, part()));
    await expect(stage(2)).resolves.toBeUndefined();
    await expect(stage(3)).rejects.toMatchObject({ message: expect.stringContaining("999 of the 1000 replies") });
  });
});

describe("refusals", () => {
  const said = (status: number, error: { message: string; code: number; error_subcode?: number }) =>
    readRefusal({ status, headers: new Headers(), body: { error } }, errors, { now: 0 });

  it.each([
    [
      "a container that is not seen everywhere",
      { message: "The requested resource does not exist", code: 24, error_subcode: 4279009 },
      { effect: "later", remedy: "not_ready" },
    ],
    ["any other 24", { message: "Gone", code: 24 }, { effect: "none", code: "rejected_by_network" }],
    [
      "a file that cannot be fetched",
      { message: "Unknown", code: 1, error_subcode: 2207052 },
      { effect: "none", code: "media_error" },
    ],
    [
      "the same in words",
      { message: "The media could not be fetched from this URI: x", code: 1 },
      { effect: "none", code: "media_error" },
    ],
    ["anything else unknown", { message: "An unknown error occurred", code: 1 }, { effect: "unknown" }],
    [
      "spam, under whatever code: such a post was found live",
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
  ])("of %s", (_, error, expected) => {
    expect(said(400, error)).toMatchObject(expected);
  });
});
