import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { LookResult } from "../../../src/networks/contract/look.ts";
import type { Part } from "../../../src/networks/contract/plan.ts";
import type { GoogleBusinessOptions } from "../../../src/networks/google_business/options.ts";
import { publisher } from "../../../src/networks/google_business/publish.ts";
import type { Json } from "../../../src/wire/json.ts";
import { connectFirst } from "../../support/connect.ts";
import { createTestService } from "../../support/service.ts";
import { commitInputOf } from "../parts.ts";
import { sceneOf } from "../scenes.ts";
import { connectedBench, part, photoOn } from "./bench.ts";

interface Work {
  at: Awaited<ReturnType<typeof connectedBench>>;
  given: Part<GoogleBusinessOptions>;
  kept: Record<string, Json>;
}

async function work(over: Parameters<typeof part>[0] = {}, { hasPhoto = false } = {}): Promise<Work> {
  const at = await connectedBench();
  const each = { at, given: part({ ...over, ...(hasPhoto && { media: [photoOn(at.bench)] }) }), kept: {} };
  await at.bench.run(async () => publisher.stage?.(at.connected.stage(each.kept), each.given));
  return each;
}

function inputOf({ at, given, kept }: Work, more: Partial<CommitInput<GoogleBusinessOptions>> = {}) {
  return commitInputOf(at.connected, { part: given, staged: kept, ...more });
}

async function send(each: Work) {
  const input = inputOf(each);
  const response = await each.at.bench.run(() => each.at.connected.send(publisher.commit(input)));
  return publisher.accepted(response, input);
}

function look(each: Work, job?: Json): Promise<LookResult> {
  const { at } = each;
  const since = at.bench.clock.now() - 120_000;
  const input = { ...inputOf(each), since, ...(job === undefined ? {} : { job }) };
  return at.bench.run(() => publisher.lookFor(at.connected.context, input));
}

describe("what is sent", () => {
  it("is an event with all four parts of its schedule, a button and a language", async () => {
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
    const [post] = each.at.bench.network.posts();
    expect(each.at.bench.network.post(post?.id ?? "")).toEqual({
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

  it("names the photo by an address that Google fetches from", async () => {
    const each = await work({}, { hasPhoto: true });
    await send(each);
    const [post] = each.at.bench.network.posts();
    expect(each.at.bench.network.post(post?.id ?? "")).toMatchObject({
      media: [{ mediaFormat: "PHOTO", sourceUrl: "https://media.example/photo.jpg" }],
    });
  });
});

describe("what Google answers", () => {
  it("is a post that is live, with its name and address, whole", async () => {
    const each = await work();
    const { external_id, account_facts: known } = each.at.connected.profile;
    const id = expect.stringMatching(new RegExp(`^${known.parent}/${external_id}/localPosts/\\d{19}$`));
    expect(await send(each)).toEqual({
      live: { id, url: expect.stringMatching(/^https:\/\/local\.google/), ref: null },
    });
  });

  it("is a refusal although its status says yes, where the post is rejected", async () => {
    const each = await work();
    each.at.bench.network.rejectNext();
    expect(await send(each)).toMatchObject({ refused: { code: "rejected_by_network" } });
  });

  it("is no publication while Google looks at the post", async () => {
    const each = await work();
    each.at.bench.network.processFor(600);
    const accepted = await send(each);
    const job = { name: expect.stringContaining("/localPosts/") };
    expect(accepted).toEqual({ job });
    const kept = (accepted as { job: Json }).job;
    expect(await look(each, kept)).toEqual({ pending: "Google is reviewing the post.", again_seconds: 300 });
    await each.at.bench.clock.advance(600_000);
    expect(await look(each, kept)).toMatchObject({ live: { id: (kept as { name: string }).name } });
  });

  it("is a failure when the look at it ends badly", async () => {
    const each = await work();
    const { network, clock } = each.at.bench;
    network.processFor(600);
    network.rejectNext();
    const { job } = (await send(each)) as { job: Json };
    await clock.advance(600_000);
    expect(await look(each, job)).toMatchObject({ failed: { code: "rejected_by_network" } });
  });

  it("says nothing about a post that is not shown yet", async () => {
    const each = await work();
    each.at.bench.network.processFor(600);
    const { job } = (await send(each)) as { job: Json };
    each.at.bench.network.lagReads(60);
    expect(await look(each, job)).toMatchObject({ pending: expect.any(String) });
  });
});

describe("after a lost answer", () => {
  it.each([false, true])(
    "the post is found on the last page, in whatever order; oldest first: %s",
    async (oldestFirst) => {
      const each = await work({ text: "One\ntwo\n\nthree" });
      const { network } = each.at.bench;
      network.change({ oldestFirst, pageSize: 2, joinsLines: true });
      const location = each.at.connected.profile.external_id;
      for (let count = 0; count < 5; count++) network.postByHand(location, `Earlier ${count}`);
      await send(each);
      for (let count = 0; count < 5; count++) network.postByHand(location, `Later ${count}`);
      const seen = await look(each);
      expect(seen).toMatchObject({ parent: null, lists: [{ isWhole: true, showsSuch: true }] });
      const posts = "lists" in seen ? (seen.lists[0]?.posts ?? []) : [];
      expect(posts).toHaveLength(11);
      expect(posts.filter(({ texts }) => texts[0] === publisher.textForms(each.given, 0)[0])).toHaveLength(1);
    },
  );

  it("a post is not made again where Google does not tell when its posts were made", async () => {
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

  it("a list that does not end is not whole", async () => {
    const each = await work();
    const { network } = each.at.bench;
    network.change({ pageSize: 1 });
    for (let count = 0; count < 41; count++) network.postByHand(each.at.connected.profile.external_id, `${count}`);
    expect(await look(each)).toMatchObject({ lists: [{ isWhole: false }] });
  });

  it("a post that Google looks at is not live yet, and not absent", async () => {
    const each = await work();
    each.at.bench.network.processFor(600);
    await send(each);
    expect(await look(each)).toMatchObject({ pending: expect.stringContaining("may be this one") });
    await each.at.bench.clock.advance(600_000);
    expect(await look(each)).toMatchObject({ lists: [{ posts: [{ isSameKind: true }] }] });
  });

  it("a post that Google has rejected is not there", async () => {
    const each = await work();
    each.at.bench.network.rejectNext();
    await send(each);
    expect(await look(each)).toMatchObject({ lists: [{ posts: [], isWhole: true }] });
  });

  it("a post of another kind in the same words is not this one", async () => {
    const each = await work({}, { hasPhoto: true });
    each.at.bench.network.postByHand(each.at.connected.profile.external_id, "Hello");
    expect(await look(each)).toMatchObject({ lists: [{ posts: [{ isSameKind: false }] }] });
  });

  it("an answer of something else is no empty list", async () => {
    const each = await work();
    each.at.bench.network.faults.add({
      kind: "refuse",
      operation: "listPosts",
      answer: { status: 200, json: { a: 1 } },
    });
    await expect(look(each)).rejects.toMatchObject({ code: "network_error" });
  });
});

it("a post that went live without an address gets it when it is confirmed", async () => {
  const each = await work();
  const accepted = await send(each);
  if (accepted === null || !("live" in accepted)) throw new Error("not live");
  const bare = { ...accepted.live, url: null };
  const { bench, connected } = each.at;
  const confirmed = await bench.run(async () => publisher.confirm?.(connected.context, bare, inputOf(each)));
  expect(confirmed).toEqual(accepted.live);
});
