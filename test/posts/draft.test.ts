import { beforeEach, expect, it } from "vitest";
import type { CreatePost, UpdatePost } from "../../src/posts/schema.ts";
import { failureOf } from "../support/failure.ts";
import { createDesk, hourMs } from "./desk.ts";

const desk = createDesk({ text: "Hello", draft: true });
const { at, create, update, runDueAfter, shown } = desk;

beforeEach(() => desk.setUp());

it.each<[string, () => Partial<CreatePost>]>([
  ["without a time", () => ({})],
  ["with a time in the future", () => ({ scheduled_at: at(hourMs) })],
  ["with a time in the past", () => ({ scheduled_at: at(-hourMs) })],
])("a draft %s is kept, and never goes out automatically", async (_, bodyFor) => {
  const body = bodyFor();
  const post = await create(body);
  expect(post).toMatchObject({
    status: "draft",
    scheduled_at: body.scheduled_at ?? null,
    published_at: null,
    targets: [{ status: "pending", attempts: 0 }, { status: "pending" }],
  });
  await desk.service.social.start();
  await desk.service.clock.advance(2 * hourMs);
  await desk.service.social.stop();
  expect(await desk.service.social.posts.get(post.id)).toEqual(post);
  expect(shown()).toEqual([]);
});

it.each<[string, UpdatePost | (() => UpdatePost), string, number]>([
  ["the text", { text: "New" }, "draft", 0],
  ["a time", () => ({ scheduled_at: at(hourMs) }), "draft", 0],
  ["a time in the past", () => ({ scheduled_at: at(-hourMs) }), "draft", 0],
  ["a time, and draft: true", () => ({ scheduled_at: at(hourMs), draft: true }), "draft", 0],
  ["publish_now", { publish_now: true }, "published", 2],
  ["publish_now, and draft: false", { publish_now: true, draft: false }, "published", 2],
  ["a time, and draft: false", () => ({ scheduled_at: at(hourMs), draft: false }), "scheduled", 2],
  ["a time in the past, and draft: false", () => ({ scheduled_at: at(-1), draft: false }), "published", 2],
])("an update of a draft that names %s", async (_, given, status, expected) => {
  const post = await create();
  const after = await update(post.id, typeof given === "function" ? given() : given);
  expect(after.status).toBe(status);
  await runDueAfter(hourMs);
  expect(shown()).toHaveLength(expected);
});

it.each<[string, number, string]>([
  ["in the future", 2 * hourMs, "scheduled"],
  ["that has passed by then", hourMs / 2, "published"],
])("a draft with a time %s goes out on draft: false", async (_, aheadMs, status) => {
  const post = await create({ scheduled_at: at(aheadMs) });
  await desk.service.clock.advance(hourMs);
  expect((await update(post.id, { draft: false })).status).toBe(status);
  await runDueAfter(hourMs);
  expect(shown()).toEqual(["Hello", "Hello"]);
});

it.each<[string, UpdatePost]>([
  ["no time at all", { draft: false }],
  ["the time taken away", { draft: false, scheduled_at: null }],
])("an update with draft: false and %s is rejected by field, and changes nothing", async (_, body) => {
  const post = await create("scheduled_at" in body ? { scheduled_at: at(hourMs) } : {});
  const error = await failureOf(update(post.id, body));
  expect(error).toMatchObject({ code: "invalid_request", details: [{ field: "draft" }] });
  expect(await desk.service.social.posts.get(post.id)).toEqual(post);
});

it("a request with draft and publish_now is rejected: both fields are named, nothing is created or sent", async () => {
  const both = { draft: true, publish_now: true };
  const created = await failureOf(create(both));
  expect(created).toMatchObject({ code: "invalid_request", status: 400 });
  expect(created.details.map(({ field }) => field)).toEqual(["draft", "publish_now"]);
  expect((await desk.service.social.posts.list()).data).toEqual([]);
  const post = await create({ scheduled_at: at(hourMs), draft: false });
  const updated = await failureOf(update(post.id, both));
  expect(updated.details.map(({ field }) => field)).toEqual(["draft", "publish_now"]);
  expect(await desk.service.social.posts.get(post.id)).toEqual(post);
  expect(shown()).toEqual([]);
});

it("a draft need not be publishable until it goes out or is scheduled", async () => {
  const post = await create({ text: "x".repeat(400) });
  expect(post.status).toBe("draft");
  const refused = [{ publish_now: true }, { draft: false, scheduled_at: at(hourMs) }];
  for (const body of refused) {
    const error = await failureOf(update(post.id, body));
    expect(error.details).toMatchObject([{ field: "text", network: "bluesky" }]);
  }
  expect(await desk.service.social.posts.get(post.id)).toEqual(post);
  const shorter = await update(post.id, { text: "Short enough", publish_now: true });
  expect(shorter.status).toBe("published");
});

it("a draft may be empty", async () => {
  const post = await create({ text: "" });
  expect(post.status).toBe("draft");
  const error = await failureOf(update(post.id, { publish_now: true }));
  expect(error.details.map(({ network }) => network)).toContain("bluesky");
});

it.each<[string, Partial<CreatePost>, string]>([
  ["a file that does not exist", { media: ["https://media.sandbox.example/gone.png"] }, "media[0]"],
  ["a profile that does not exist", { profile_ids: ["prof_unknown"] }, "profile_ids[0]"],
  ["no profile", { profile_ids: [] }, "profile_ids"],
])("a draft is rejected with %s", async (_, body, field) => {
  const error = await failureOf(create(body));
  expect(error.details).toMatchObject([{ field }]);
  expect((await desk.service.social.posts.list()).data).toEqual([]);
});

it("a draft keeps a disconnected profile, which is reported when the draft is to go out", async () => {
  const post = await create();
  await desk.service.clock.run(() => desk.service.social.profiles.disconnect(desk.mastodon.id));
  expect((await update(post.id, { text: "New" })).status).toBe("draft");
  const error = await failureOf(update(post.id, { publish_now: true }));
  expect(error.details).toMatchObject([{ field: "profile_ids[1]", code: "profile_unavailable" }]);
  expect((await update(post.id, { profile_ids: [desk.bluesky.id], publish_now: true })).status).toBe("published");
});

it("a draft comes back by its idempotency key in its current state, and nothing else happens", async () => {
  const body = { idempotency_key: "article-4711" };
  const { posts } = desk.service.social;
  const post = await create(body);
  const replay = () => desk.service.clock.run(() => posts.createOrReplay({ ...body, profile_ids: [], text: "Other" }));
  expect(await replay()).toEqual({ post, replayed: true });
  const updated = await update(post.id, { text: "New", profile_ids: [desk.mastodon.id] });
  expect(await replay()).toEqual({ post: updated, replayed: true });
  const published = await update(post.id, { publish_now: true });
  expect(await replay()).toEqual({ post: published, replayed: true });
  expect(shown()).toEqual(["New"]);
  const other = await create({ idempotency_key: "article-4712" });
  const cancelled = await posts.cancel(other.id);
  expect((await create({ idempotency_key: "article-4712", draft: false, publish_now: true })).status).toBe("cancelled");
  expect(await posts.get(other.id)).toEqual(cancelled);
  expect((await posts.list()).pagination.total).toBe(2);
});

it("lists find drafts by their status, and cancelled posts, too", async () => {
  const { posts } = desk.service.social;
  const draft = await create();
  const scheduled = await create({ draft: false, scheduled_at: at(hourMs) });
  const published = await create({ draft: false });
  const cancelled = await posts.cancel((await create({ profile_ids: [desk.mastodon.id] })).id);
  const idsOf = async (query: Parameters<typeof posts.list>[0]) =>
    (await posts.list(query)).data.map(({ id }) => id).sort();
  expect(await idsOf({ status: ["draft"] })).toEqual([draft.id]);
  expect(await idsOf({ status: ["cancelled"] })).toEqual([cancelled.id]);
  expect(await idsOf({ status: ["draft", "cancelled"] })).toEqual([draft.id, cancelled.id].sort());
  expect(await idsOf({ status: ["scheduled"] })).toEqual([scheduled.id]);
  expect(await idsOf({ status: ["published"] })).toEqual([published.id]);
  expect(await idsOf({ status: ["cancelled"], network: ["bluesky"] })).toEqual([]);
  expect(await idsOf({ status: ["cancelled"], network: ["mastodon"] })).toEqual([cancelled.id]);
});
