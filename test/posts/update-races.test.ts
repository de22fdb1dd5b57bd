import { describe, expect, it } from "vitest";
import type { UpdatePost } from "../../src/posts/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { png } from "../media/samples.ts";
import { failureOf } from "../support/failure.ts";
import { createDesk, hourMs, raceOn } from "./desk.ts";

const desk = createDesk({ text: "Old" });
const { at, create, schedule, update, runDueAfter, shown } = desk;

function createFailed(): Promise<Post> {
  desk.refuseNext();
  return create({ profile_ids: [desk.mastodon.id] });
}

function picture(name: string): string {
  return desk.service.sandbox.media.put(name, png(40, 40), { contentType: "image/png" });
}

describe("when two changes of a post race, one wins and the other gets a conflict", () => {
  it("the start wins before an update has written", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("scheduled", async () => {
      await desk.service.clock.sleep(hourMs);
      await other.runDue();
    });
    const error = await failureOf(update(post.id, { text: "New", scheduled_at: at(9 * hourMs) }));
    expect(error).toMatchObject({ code: "conflict", status: 409 });
    await runDueAfter(10 * hourMs);
    expect(shown()).toEqual(["Old", "Old"]);
    expect(await desk.service.social.posts.get(post.id)).toMatchObject({ text: "Old", status: "published" });
  });

  it("the start wins before an update that publishes has written", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("publishing", async () => {
      await desk.service.clock.sleep(hourMs);
      await other.runDue();
    });
    expect((await failureOf(update(post.id, { text: "New", publish_now: true }))).code).toBe("conflict");
    expect(shown()).toEqual(["Old", "Old"]);
  });

  it.each<[string, () => UpdatePost, string[]]>([
    ["an update of the text", () => ({ text: "New" }), ["New", "New"]],
    ["an update that publishes", () => ({ text: "New", publish_now: true }), ["New", "New"]],
    ["an update of the time", () => ({ text: "New", scheduled_at: at(2 * hourMs) }), []],
    ["an update to a draft", () => ({ draft: true }), []],
    ["an update of the profiles", () => ({ text: "New", profile_ids: [desk.mastodon.id] }), ["New"]],
  ])("%s wins before the start has written", async (_, bodyFor, expected) => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    let winner: Post | undefined;
    overtake("publishing", async () => {
      winner = await other.posts.update(post.id, bodyFor());
    });
    await runDueAfter(hourMs);
    await runDueAfter(0);
    expect(winner?.id).toBe(post.id);
    expect(shown()).toEqual(expected);
    expect(desk.events.length).toBeLessThanOrEqual(1);
  });

  it("an update wins before the start has read its targets: the plan of the old text is not sent", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("targets", () => other.posts.update(post.id, { text: "New" }));
    await runDueAfter(hourMs);
    await runDueAfter(0);
    expect(shown()).toEqual(["New", "New"]);
    expect(desk.events).toEqual(["post.published New"]);
  });

  it("an update wins before another has read the targets: none is left behind", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("targets", () => other.posts.update(post.id, { profile_ids: [desk.bluesky.id] }));
    expect((await failureOf(update(post.id, { profile_ids: [desk.mastodon.id] }))).code).toBe("conflict");
    expect((await desk.service.social.posts.get(post.id)).targets).toMatchObject([{ profile_id: desk.bluesky.id }]);
  });

  it("an update wins before the start has postponed a post whose file cannot be read", async () => {
    const { overtake, other, media } = await raceOn(desk);
    const post = await schedule({ media: [picture("old.png")] });
    media.isDown = true;
    let winner: Post | undefined;
    overtake("put_off", async () => {
      media.isDown = false;
      winner = await other.posts.update(post.id, { media: [], text: "New", scheduled_at: at(hourMs) });
    });
    await runDueAfter(hourMs);
    expect(await desk.service.social.posts.get(post.id)).toEqual(winner);
    await runDueAfter(hourMs - 1);
    expect(shown()).toEqual([]);
    await runDueAfter(1);
    expect(shown()).toEqual(["New", "New"]);
  });

  it("a retry wins before an update has written", async () => {
    const { overtake, other } = await raceOn(desk);
    const failed = await createFailed();
    overtake("publishing", () => other.posts.retry(failed.id));
    expect((await failureOf(update(failed.id, { text: "New", publish_now: true }))).code).toBe("conflict");
    expect(shown()).toEqual(["Old"]);
  });

  it("an update wins before a retry has written", async () => {
    const { overtake, other } = await raceOn(desk);
    const failed = await createFailed();
    overtake("publishing", () => other.posts.update(failed.id, { text: "New", publish_now: true }));
    const error = await failureOf(desk.service.clock.run(() => desk.service.social.posts.retry(failed.id)));
    expect(error.code).toBe("conflict");
    expect(shown()).toEqual(["New"]);
  });

  it("an update wins before another has written", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("scheduled", () => other.posts.update(post.id, { text: "First" }));
    expect((await failureOf(update(post.id, { text: "Second" }))).code).toBe("conflict");
    await runDueAfter(hourMs);
    expect(shown()).toEqual(["First", "First"]);
  });

  it("a disconnection wins before an update that publishes has written", async () => {
    const { overtake, other } = await raceOn(desk);
    const post = await schedule();
    overtake("publishing", () => other.profiles.disconnect(desk.mastodon.id));
    const error = await failureOf(update(post.id, { publish_now: true }));
    expect(error.code).toBe("conflict");
    expect(shown()).toEqual([]);
    expect(await desk.service.social.posts.get(post.id)).toEqual(post);
  });
});
