import { describe, expect, it } from "vitest";
import { publisher } from "../../../src/networks/google_business/publish.ts";
import { connectFirst } from "../../support/connect.ts";
import { createTestService } from "../../support/service.ts";
import { sceneOf } from "../scenes.ts";
import { jobIn, liveIn, stepsOf, workOn } from "../steps.ts";
import { connectedBench, part, photoOn } from "./bench.ts";

const { inputOf, stage, send, look } = stepsOf(publisher);

async function work(over: Parameters<typeof part>[0] = {}, { hasPhoto = false } = {}) {
  const desk = await connectedBench();
  const each = workOn(desk, part({ ...over, ...(hasPhoto && { media: [photoOn(desk.bench)] }) }));
  await stage(each);
  return each;
}

describe("a post for Google Business", () => {
  it("may be an event with its four-part schedule, a button and a language", async () => {
    const each = await work({
      text: "Come!",
      options: {
        topic_type: "EVENT",
        event: { title: "Baking", starts: "2026-12-24", ends: "2026-12-24T18:30" },
        call_to_action: { action_type: "CALL" },
        language_code: "de",
      },
    });
    await send(each);
    const [post] = each.bench.network.posts();
    expect(each.bench.network.post(post?.id ?? "")).toEqual({
      topicType: "EVENT",
      summary: "Come!",
      languageCode: "de",
      event: {
        title: "Baking",
        schedule: {
          startDate: { year: 2026, month: 12, day: 24 },
          startTime: { hours: 0, minutes: 0, seconds: 0, nanos: 0 },
          endDate: { year: 2026, month: 12, day: 24 },
          endTime: { hours: 18, minutes: 30, seconds: 0, nanos: 0 },
        },
      },
      callToAction: { actionType: "CALL" },
    });
  });

  it("names the photo by a URL that Google fetches", async () => {
    const each = await work({}, { hasPhoto: true });
    await send(each);
    const [post] = each.bench.network.posts();
    expect(each.bench.network.post(post?.id ?? "")).toMatchObject({
      media: [{ mediaFormat: "PHOTO", sourceUrl: "https://media.example/photo.jpg" }],
    });
  });
});

describe("Google's response", () => {
  it("is a live post, with its full name and URL", async () => {
    const each = await work();
    const { external_id, account_facts: known } = each.connected.profile;
    const id = expect.stringMatching(new RegExp(`^${known.parent}/${external_id}/localPosts/\\d{19}$`));
    expect(await send(each)).toEqual({
      live: { id, url: expect.stringMatching(/^https:\/\/local\.google/), ref: null },
    });
  });

  it("is a refusal if the post is rejected, despite the success status", async () => {
    const each = await work();
    each.bench.network.rejectNext();
    expect(await send(each)).toMatchObject({ refused: { code: "rejected_by_network" } });
  });

  it("is not a publication while Google reviews the post", async () => {
    const each = await work();
    each.bench.network.processFor(600);
    const job = jobIn(await send(each));
    expect(job).toEqual({ name: expect.stringContaining("/localPosts/") });
    expect(await look(each, { job })).toEqual({ pending: "Google is reviewing the post.", again_seconds: 300 });
    await each.bench.clock.advance(600_000);
    expect(await look(each, { job })).toMatchObject({ live: { id: job.name } });
  });

  it("becomes a failure if the review rejects the post", async () => {
    const each = await work();
    const { network, clock } = each.bench;
    network.processFor(600);
    network.rejectNext();
    const job = jobIn(await send(each));
    await clock.advance(600_000);
    expect(await look(each, { job })).toMatchObject({ failed: { code: "rejected_by_network" } });
  });

  it("is inconclusive for a post that is not shown yet", async () => {
    const each = await work();
    each.bench.network.processFor(600);
    const job = jobIn(await send(each));
    each.bench.network.lagReads(60);
    expect(await look(each, { job })).toMatchObject({ pending: expect.any(String) });
  });
});

describe("a look after a lost response at Google Business", () => {
  it.each([false, true])("finds the post on the last page, in any order; oldest first: %s", async (oldestFirst) => {
    const each = await work({ text: "One\ntwo\n\nthree" });
    const { network } = each.bench;
    network.change({ oldestFirst, pageSize: 2, joinsLines: true });
    const location = each.connected.profile.external_id;
    for (let count = 0; count < 5; count++) network.postByHand(location, `Earlier ${count}`);
    await send(each);
    for (let count = 0; count < 5; count++) network.postByHand(location, `Later ${count}`);
    const seen = await look(each);
    expect(seen).toMatchObject({ parent: null, lists: [{ isWhole: true, showsSuch: true }] });
    const posts = "lists" in seen ? (seen.lists[0]?.posts ?? []) : [];
    expect(posts).toHaveLength(11);
    expect(posts.filter(({ texts }) => texts[0] === publisher.textForms(each.part, 0)[0])).toHaveLength(1);
  });

  it("does not lead to a second post if Google omits creation times", async () => {
    const service = createTestService();
    const { social, sandbox, clock } = service;
    const profile = await connectFirst(service, sceneOf("google_business"));
    sandbox.google_business.change({ hidesTimes: true });
    sandbox.google_business.faults.add({ kind: "drop_after", operation: "commit" });
    const body = { profile_ids: [profile.id], text: "We open the new shop on Main Street this Saturday" };
    const { id } = await clock.run(() => social.posts.create(body));
    for (let minute = 0; minute < 30; minute++) {
      await clock.advance(60_000);
      await clock.run(() => social.runDue());
    }
    expect((await social.posts.get(id)).status).toBe("published");
    expect(sandbox.google_business.posts()).toHaveLength(1);
  });

  it("is incomplete if the list does not end", async () => {
    const each = await work();
    const { network } = each.bench;
    network.change({ pageSize: 1 });
    for (let count = 0; count < 41; count++) network.postByHand(each.connected.profile.external_id, `${count}`);
    expect(await look(each)).toMatchObject({ lists: [{ isWhole: false }] });
  });

  it("treats a post under review as neither live nor absent", async () => {
    const each = await work();
    each.bench.network.processFor(600);
    await send(each);
    expect(await look(each)).toMatchObject({ pending: expect.stringContaining("may be this one") });
    await each.bench.clock.advance(600_000);
    expect(await look(each)).toMatchObject({ lists: [{ posts: [{ isSameKind: true }] }] });
  });

  it("treats a rejected post as absent", async () => {
    const each = await work();
    each.bench.network.rejectNext();
    await send(each);
    expect(await look(each)).toMatchObject({ lists: [{ posts: [], isWhole: true }] });
  });

  it("does not match a post of another kind with the same words", async () => {
    const each = await work({}, { hasPhoto: true });
    each.bench.network.postByHand(each.connected.profile.external_id, "Hello");
    expect(await look(each)).toMatchObject({ lists: [{ posts: [{ isSameKind: false }] }] });
  });

  it("does not read another response as an empty list", async () => {
    const each = await work();
    each.bench.network.faults.add({
      kind: "refuse",
      operation: "listPosts",
      answer: { status: 200, json: { a: 1 } },
    });
    await expect(look(each)).rejects.toMatchObject({ code: "network_error" });
  });
});

it("a post that went live without a URL gets it when it is confirmed", async () => {
  const each = await work();
  const live = liveIn(await send(each));
  const bare = { ...live, url: null };
  const { bench, connected } = each;
  const confirmed = await bench.run(async () => publisher.confirm?.(connected.context, bare, inputOf(each)));
  expect(confirmed).toEqual(live);
});
