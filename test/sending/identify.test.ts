import { describe, expect, it } from "vitest";
import type { PublishedPart } from "../../src/networks/contract/plan.ts";
import type { Publisher } from "../../src/networks/contract/publish.ts";
import { createToy, type Toy } from "../support/toy.ts";

const hourMs = 3_600_000;
const nameless: PublishedPart = { id: null, url: null, ref: "job-7" };
const named: PublishedPart = { id: "1", url: "https://network.example/1", ref: "job-7" };

/** A network that publishes immediately, but gives the id only later, if at all. */
async function withLateIds(answers: (PublishedPart | Error)[]): Promise<Toy & { asked: PublishedPart[] }> {
  const asked: PublishedPart[] = [];
  const identify: Publisher["lookUpId"] = async (_, published) => {
    asked.push(published);
    const answer = answers.shift() ?? published;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ...(await withoutIds({ lookUpId: identify })), asked };
}

async function withoutIds(publish: Partial<Publisher>): Promise<Toy> {
  const publisher: Partial<Publisher> = {
    accepted: ({ body }) => ({ live: (body as { is_reply?: true }).is_reply ? { ...named, id: "2" } : nameless }),
    commit: ({ part, previous }) => ({
      method: "POST",
      url: "https://api.network.example/posts",
      body: { json: { text: part.text, reply_to: previous?.id ?? null } },
    }),
    ...publish,
  };
  const toy = await createToy(publisher, { spec: { threads: true } });
  toy.script["POST /posts"] = ({ text }) => ({ json: JSON.parse(text).text === "Two" ? { is_reply: true } : {} });
  return toy;
}

async function wait(toy: Toy, ms: number): Promise<void> {
  await toy.clock.advance(ms);
  await toy.clock.run(() => toy.social.runDue());
}

function publishThread(toy: Toy) {
  return toy.clock.run(() => toy.social.posts.create({ profile_ids: [toy.profileId], thread: ["One", "Two"] }));
}

describe("a post whose id the network does not return immediately", () => {
  it("is published without ids, which are filled in later without an event", async () => {
    const toy = await withLateIds([nameless, named]);
    const events: string[] = [];
    for (const name of ["post.published", "post.failed", "post.partially_published"] as const)
      toy.social.on(name, () => events.push(name));
    const post = await toy.publish();
    expect(post).toMatchObject({ status: "published", targets: [{ post_ids: [], url: null, error: null }] });
    expect(toy.asked).toEqual([]);
    await wait(toy, 60_000);
    expect((await toy.social.posts.get(post.id)).targets[0]?.post_ids).toEqual([]);
    await wait(toy, 600_000);
    expect(await toy.social.posts.get(post.id)).toMatchObject({
      status: "published",
      targets: [{ post_ids: ["1"], url: "https://network.example/1", error: null }],
    });
    await wait(toy, 100 * hourMs);
    expect(toy.asked).toEqual([nameless, nameless]);
    expect(events).toEqual(["post.published"]);
    expect(toy.requests).toHaveLength(1);
  });

  it("records its owner as soon as the id is known", async () => {
    const toy = await withLateIds([named]);
    await toy.publish();
    await wait(toy, 60_000);
    const found = await toy.storage.find("publications", { where: { network_post_id: "1" } });
    expect(found.rows).toHaveLength(1);
  });

  it("stays published without an id, however the lookup ends", async () => {
    const toy = await withLateIds([new Error("The network is down."), nameless]);
    const post = await toy.publish();
    for (let hour = 0; hour < 100; hour++) await wait(toy, hourMs);
    expect(await toy.social.posts.get(post.id)).toMatchObject({ status: "published", targets: [{ post_ids: [] }] });
    expect(toy.asked).toHaveLength(5);
  });

  it("is not looked up on a network that has no lookup", async () => {
    const toy = await withoutIds({});
    const post = await toy.publish();
    await wait(toy, 100 * hourMs);
    expect(await toy.social.posts.get(post.id)).toMatchObject({ status: "published", targets: [{ post_ids: [] }] });
  });

  it("is not looked up once its profile is disconnected", async () => {
    const toy = await withLateIds([named]);
    const post = await toy.publish();
    await toy.clock.run(() => toy.social.profiles.disconnect(toy.profileId));
    for (let hour = 0; hour < 100; hour++) await wait(toy, hourMs);
    expect(toy.asked).toEqual([]);
    expect((await toy.social.posts.get(post.id)).status).toBe("published");
  });
});

describe("a part that replies to one whose id is unknown", () => {
  it("waits for the id, and then replies to it", async () => {
    const toy = await withLateIds([nameless, named]);
    const post = await publishThread(toy);
    expect(post.targets[0]?.error?.message).toContain("Part 1 is live, but its id is unknown");
    expect(toy.requests).toHaveLength(1);
    await wait(toy, 30_000);
    expect(await toy.social.posts.get(post.id)).toMatchObject({
      status: "published",
      targets: [{ post_ids: ["1", "2"], url: "https://network.example/1", error: null }],
    });
    expect(JSON.parse(toy.requests[1]?.text ?? "")).toEqual({ text: "Two", reply_to: "1" });
  });

  it("fails when the network does not give the id in time, and continues from there on a retry", async () => {
    const answers: PublishedPart[] = [];
    const toy = await withLateIds(answers);
    const post = await publishThread(toy);
    for (let minute = 0; minute < 120; minute++) await wait(toy, 60_000);
    const { status, targets } = await toy.social.posts.get(post.id);
    expect([status, targets[0]?.post_ids, targets[0]?.error]).toEqual([
      "failed",
      [],
      {
        code: "timeout",
        message:
          "1 of 2 parts are live; retry continues at part 2. Part 1 is live, but its id is unknown, so no part can reply to it.",
      },
    ]);
    expect(toy.requests).toHaveLength(1);
    answers.push(named);
    const retried = await toy.clock.run(() => toy.social.posts.retry(post.id));
    expect(retried).toMatchObject({ status: "published", targets: [{ post_ids: ["1", "2"] }] });
  });
});
