import { describe, expect, it } from "vitest";
import type { LookResult } from "../../src/networks/contract/look.ts";
import { createToy, type Toy } from "../support/toy.ts";

/** A network that accepts a post, processes it, and reports progress under the number of its job. */
async function withJobs(sightings: LookResult[]): Promise<Toy & { asked: unknown[] }> {
  const asked: unknown[] = [];
  const toy = await createToy({
    accepted: ({ body }) => ({ job: (body as { job: string }).job }),
    lookFor: async (_, { job }) => {
      asked.push(job);
      return sightings.shift() ?? expect.unreachable();
    },
  });
  toy.script["POST /posts"] = () => ({ status: 202, json: { job: "job-7" } });
  return { ...toy, asked };
}

const pending: LookResult = { pending: "The video is being converted." };
const live: LookResult = { live: { id: "1", url: "https://network.example/1", ref: null } };

async function wait(toy: Toy, ms: number): Promise<void> {
  await toy.clock.advance(ms);
  await toy.clock.run(() => toy.social.runDue());
}

describe("a post that the network processes in a job", () => {
  it("is published when the job is done, not when it was accepted", async () => {
    const toy = await withJobs([pending, live]);
    const post = await toy.publish();
    expect(post).toMatchObject({ status: "publishing", targets: [{ post_ids: [], url: null }] });
    expect(post.targets[0]?.error?.message).toContain("The video is being converted.");
    await wait(toy, 60_000);
    expect(await toy.social.posts.get(post.id)).toMatchObject({
      status: "published",
      targets: [{ post_ids: ["1"], url: "https://network.example/1", error: null }],
    });
    expect(toy.asked).toEqual(["job-7", "job-7"]);
    expect(toy.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("lets the next post of its profile go out meanwhile", async () => {
    const toy = await withJobs([pending, pending, live, live]);
    const first = await toy.publish("Video");
    const second = await toy.publish("Text");
    expect(toy.requests.map(({ text }) => JSON.parse(text).text)).toEqual(["Video", "Text"]);
    expect([first.status, second.status]).toEqual(["publishing", "publishing"]);
  });

  it("fails with the network's reason, and is sent again only on a retry", async () => {
    const toy = await withJobs([{ failed: { code: "media_error", message: "The video has no picture." } }, live]);
    const post = await toy.publish();
    expect(post).toMatchObject({
      status: "failed",
      targets: [{ error: { code: "media_error", message: "The video has no picture." } }],
    });
    await wait(toy, 3_600_000);
    expect(toy.requests).toHaveLength(1);
    const retried = await toy.clock.run(() => toy.social.posts.retry(post.id));
    expect([retried.status, toy.requests.length]).toEqual(["published", 2]);
  });

  it("may be live when its profile is disconnected before the job is done", async () => {
    const toy = await withJobs([pending]);
    const post = await toy.publish();
    await toy.clock.run(() => toy.social.profiles.disconnect(toy.profileId));
    await wait(toy, 60_000);
    const { targets } = await toy.social.posts.get(post.id);
    expect(targets[0]?.error).toMatchObject({ code: "timeout", message: expect.stringContaining("may be live") });
  });

  it("is undecided, and never sent again automatically, when the job does not end", async () => {
    const toy = await withJobs(Array.from({ length: 200 }, () => pending));
    const post = await toy.publish();
    for (let minute = 0; minute < 70; minute++) await wait(toy, 60_000);
    const { status, targets } = await toy.social.posts.get(post.id);
    expect([status, targets[0]?.error?.code]).toEqual(["failed", "timeout"]);
    expect(toy.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
