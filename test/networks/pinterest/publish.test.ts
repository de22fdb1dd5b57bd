import { afterEach, describe, expect, it } from "vitest";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { NotReady } from "../../../src/networks/contract/request.ts";
import { publisher } from "../../../src/networks/pinterest/publish.ts";
import { groupBoardId } from "../../../src/sandbox/pinterest/state.ts";
import type { Json } from "../../../src/wire/json.ts";
import type { Desk } from "../desk.ts";
import { jsonOf, seenOf } from "../seen.ts";
import { stepsOf, workOn } from "../steps.ts";
import { connectedBench, type PinterestBench, part, pictures, video } from "./bench.ts";
import { contractAbsent, contractFindings } from "./openapi.ts";

const { inputOf, stage, publish, look } = stepsOf(publisher);

const places: Desk<PinterestBench>[] = [];

async function place(given: Parameters<typeof connectedBench>[0] = {}) {
  const made = await connectedBench(given);
  places.push(made);
  return made;
}

afterEach(() => {
  for (const { bench } of places.splice(0)) expect(contractFindings(bench.seen)).toEqual([]);
});

it("the simulated Pinterest is checked against Pinterest's own description of the API (POSTRIDER_CONTRACTS)", (context) => {
  if (contractAbsent !== null) context.skip(contractAbsent);
  expect(contractAbsent).toBeNull();
});

function sent({ bench }: Desk): Json[] {
  return seenOf(bench, "POST /pins").map(jsonOf);
}

describe("a Pin", () => {
  it("holds an image that Pinterest fetches, with all options", async () => {
    const scene = await place();
    const { board_id, section_ids } = scene.bench.network.addBoard({
      members: [scene.bench.accountId],
      name: "Tea",
      sections: ["Green"],
    });
    const link = { url: "https://example.com/a", title: null, description: null, image_url: null };
    const options = {
      board_id,
      board_section_id: section_ids[0],
      dominant_color: "#6E7874",
      ai_disclosures: ["AI_MODIFIED", "SYNTHETIC_PERFORMER"],
    };
    const given = part({ title: "Title", link, media: pictures(scene.bench, 1), options });
    const acceptance = await publish(workOn(scene, given));
    expect(sent(scene)).toEqual([
      {
        board_id,
        board_section_id: section_ids[0],
        title: "Title",
        description: "Hello",
        link: "https://example.com/a",
        alt_text: "picture 0",
        dominant_color: "#6E7874",
        ai_disclosures: { values: ["AI_MODIFIED", "SYNTHETIC_PERFORMER"] },
        media_source: { source_type: "image_url", url: "https://media.example/0.jpg" },
      },
    ]);
    const [pin] = scene.bench.network.posts();
    expect(acceptance).toEqual({ live: { id: pin?.id, url: pin?.url, ref: null } });
    expect(Number.isSafeInteger(Number(pin?.id))).toBe(false);
    expect(pin).toMatchObject({ title: "Title", section: section_ids[0], color: "#6E7874" });
    expect(pin?.labels).toEqual(["AI_MODIFIED", "SYNTHETIC_PERFORMER"]);
  });

  it("holds up to five images, with one alt text for all", async () => {
    const scene = await place();
    await publish(workOn(scene, part({ text: "", media: pictures(scene.bench, 2) })));
    expect(sent(scene)).toEqual([
      {
        board_id: groupBoardId,
        alt_text: "picture 0\npicture 1",
        media_source: {
          source_type: "multiple_image_urls",
          items: [{ url: "https://media.example/0.jpg" }, { url: "https://media.example/1.jpg" }],
        },
      },
    ]);
    expect(scene.bench.network.posts()).toMatchObject([{ kind: "multiple_images", media: 2 }]);
  });

  const cover = "https://media.example/cover.jpg";
  it.each<[string, Partial<PlannedMedia>, Record<string, unknown>, Record<string, unknown>]>([
    ["its first moment", {}, {}, { cover_image_key_frame_time: 0 }],
    ["the given moment", {}, { cover_image_key_frame_time: 3 }, { cover_image_key_frame_time: 3 }],
    [
      "the video's own cover",
      { thumbnail_url: cover, thumbnail_mime_type: "image/jpeg" },
      {},
      { cover_image_url: cover },
    ],
    [
      "the option's cover",
      { thumbnail_url: "https://media.example/other.jpg", thumbnail_mime_type: "image/jpeg" },
      { cover_image_url: cover },
      { cover_image_url: cover },
    ],
  ])("shows a video with a cover: %s", async (_, media, options, expected) => {
    const scene = await place();
    const [picture] = pictures(scene.bench, 1);
    scene.bench.files.set(cover, scene.bench.files.get(picture?.url ?? "") ?? new Uint8Array());
    await publish(workOn(scene, part({ media: [video(scene.bench, media)], options })));
    expect(sent(scene)).toMatchObject([{ media_source: { source_type: "video_id", ...expected } }]);
    expect(scene.bench.network.posts()).toMatchObject([{ kind: "video" }]);
  });

  it("of an app with Trial access fails with the reason", async () => {
    const scene = await place({ mayPin: false });
    const work = workOn(scene, part({ media: pictures(scene.bench, 1) }));
    await stage(work);
    const request = publisher.commit(inputOf(work));
    const body = "json" in request.body ? request.body : { json: {} };
    const refused = scene.bench.run(() => scene.connected.context.request({ method: "POST", url: request.url, body }));
    await expect(refused).rejects.toMatchObject({ refusal: { code: "internal_error", effect: "none" } });
  });
});

describe("a video for Pinterest", () => {
  it("is uploaded without the token, with the file as the last field, and the service waits for it", async () => {
    const scene = await place();
    const { bench } = scene;
    bench.network.processMediaFor(60);
    const work = workOn(scene, part({ media: [video(bench)] }));
    await expect(stage(work)).rejects.toThrow(NotReady);
    const store = bench.seen.find(({ operation }) => operation === "POST /store");
    expect(store?.headers.has("authorization")).toBe(false);
    expect(store?.answer?.status).toBe(204);
    await bench.clock.advance(60_000);
    await stage(work);
    expect(bench.network.uploads()).toBe(1);
  });

  it("is uploaded once more, but not a third time, if it cannot be processed", async () => {
    const scene = await place();
    const work = workOn(scene, part({ media: [video(scene.bench)] }));
    scene.bench.network.failNextMedia();
    await expect(stage(work)).rejects.toThrow(NotReady);
    scene.bench.network.failNextMedia();
    await expect(stage(work)).rejects.toMatchObject({ code: "media_error" });
    expect(scene.bench.network.uploads()).toBe(2);
  });
});

describe("a look for a Pin", () => {
  /** A published Pin. */
  async function pinned(given: Partial<Part> = {}) {
    const scene = await place();
    const work = workOn(scene, part({ media: pictures(scene.bench, 1), ...given }));
    await publish(work);
    return work;
  }

  it("compares its words, title and link, in any order of the board", async () => {
    const link = { url: "https://example.com/a", title: null, description: null, image_url: null };
    const work = await pinned({ title: "Title", link });
    const { bench } = work;
    bench.network.postAs(bench.accountId, { board: groupBoardId, description: "By hand" });
    bench.network.changeLists({ order: "oldest first" });
    const [pin] = bench.network.posts();
    expect(await look(work)).toMatchObject({
      lists: [
        {
          isWhole: true,
          showsSuch: true,
          posts: [
            { published: { id: pin?.id }, texts: ["Title\nHello\nhttps://example.com/a"], isSameKind: true },
            { texts: ["By hand"] },
          ],
        },
      ],
    });
    expect(publisher.textForms(part({ title: "Title", link }))).toEqual(["Title\nHello\nhttps://example.com/a"]);
  });

  it("reads a time without a zone as UTC", async () => {
    const work = await pinned();
    const { bench } = work;
    const sight = await look(work);
    const [seen] = "lists" in sight ? (sight.lists[0]?.posts ?? []) : [];
    expect(seen?.created_at).toBe(
      Date.parse(bench.network.posts()[0]?.created_at ?? "") - (work.connected.context.now() % 1000),
    );
  });

  it("reads to the end of the board, and says if that is out of reach", async () => {
    const work = await pinned();
    const { bench } = work;
    for (let index = 0; index < 260; index++)
      bench.network.postAs(bench.accountId, { board: groupBoardId, description: `${index}` });
    const sight = await look(work);
    expect("lists" in sight && sight.lists[0]?.posts).toHaveLength(261);
    bench.network.faults.add({
      kind: "refuse",
      operation: "GET /boards/:id/pins",
      times: 100,
      answer: { status: 200, json: { items: [], bookmark: "again" } },
    });
    expect(await look(work)).toMatchObject({ lists: [{ isWhole: false }] });
  });

  it("counts secret boards and sections only once they have shown a Pin", async () => {
    const work = await pinned();
    const { bench } = work;
    const [board] = [
      bench.network.addBoard({ members: [bench.accountId], name: "Secret", privacy: "SECRET", sections: ["One"] }),
    ];
    const options = { board_id: board?.board_id ?? "" };
    expect(await look(work, { part: part({ options }), staged: { privacy: "SECRET" } })).toMatchObject({
      lists: [{ showsSuch: false, name: "pins of a board, SECRET" }],
    });
    const inSection = part({ options: { ...options, board_section_id: board?.section_ids[0] ?? "" } });
    expect(await look(work, { part: inSection, staged: { privacy: "PUBLIC" } })).toMatchObject({
      lists: [{ showsSuch: false, name: "pins of a section, PUBLIC" }],
    });
  });
});
