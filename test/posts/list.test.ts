import { beforeAll, expect, it } from "vitest";
import type { ListPosts } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let bluesky: Profile;
let mastodon: Profile;
let posts: Post[];

beforeAll(async () => {
  service = createTestService();
  const { social, clock } = service;
  bluesky = await connectBluesky(service);
  mastodon = await connectMastodon(service);
  const create = async (profile_ids: string[], more: object = {}): Promise<Post> => {
    await clock.advance(1_000);
    return clock.run(() => social.posts.create({ profile_ids, text: "Hello", ...more }));
  };
  const later = new Date(clock.now() + 3_600_000).toISOString();
  posts = [
    await create([bluesky.id]),
    await create([mastodon.id]),
    await create([bluesky.id, mastodon.id]),
    await create([bluesky.id], { scheduled_at: later }),
  ];
});

async function ids(query: ListPosts): Promise<number[]> {
  const page = await service.social.posts.list(query);
  return page.data.map(({ id }) => posts.findIndex((post) => post.id === id));
}

it("a list is newest first, complete, and gives the page's position", async () => {
  const page = await service.social.posts.list();
  expect(page.data).toEqual([...posts].reverse());
  expect(page.pagination).toEqual({ limit: 20, offset: 0, total: 4, has_more: false, next_cursor: null });
});

it("a list is paged", async () => {
  const page = await service.social.posts.list({ limit: 2, offset: 1 });
  expect(page.data.map(({ id }) => id)).toEqual([posts[2]?.id, posts[1]?.id]);
  expect(page.pagination).toMatchObject({ limit: 2, offset: 1, total: 4, has_more: true });
});

it("a list filters by each of the spec's fields, and by several together", async () => {
  expect(await ids({ status: "scheduled" })).toEqual([3]);
  expect(await ids({ status: ["scheduled", "published"] })).toEqual([3, 2, 1, 0]);
  expect(await ids({ network: "mastodon" })).toEqual([2, 1]);
  expect(await ids({ network: ["mastodon", "bluesky"], status: "published" })).toEqual([2, 1, 0]);
  expect(await ids({ profile_id: bluesky.id })).toEqual([3, 2, 0]);
  expect(await ids({ profile_id: bluesky.id, network: "mastodon" })).toEqual([]);
  expect(await ids({ created_after: posts[1]?.created_at, created_before: posts[2]?.created_at })).toEqual([2, 1]);
});

it.each<[ListPosts, number[]]>([
  [{ created_after: "0000-01-01T00:00:00Z", created_before: "9999-12-31T23:59:59.999Z" }, [3, 2, 1, 0]],
  [{ created_after: "9999-12-31T23:59:59Z" }, []],
  [{ created_before: "0000-01-01T00:00:00Z" }, []],
  [{ created_before: "0001-01-01T00:00:00+14:00", network: "bluesky" }, []],
  // The first post is of 12:00:01.
  [{ created_before: "2026-11-22T02:00:01+14:00" }, [0]],
  [{ created_before: "2026-11-21T00:00:01-12:00", network: "bluesky" }, [0]],
  [{ created_after: "2026-11-21T12:00:01.000000001-00:00" }, [3, 2, 1, 0]],
])("a list compares times in any time zone, however far away: %j", async (query, found) => {
  expect(await ids(query)).toEqual(found);
});

it.each([
  ["a time before the first year", { created_after: "0000-01-01T00:00:00+00:01" }, "created_after"],
  ["a time after the last year", { created_before: "9999-12-31T23:59:59-14:00" }, "created_before"],
  ["a year of six digits", { created_before: "+275760-09-13T00:00:00Z" }, "created_before"],
  ["a year below zero", { created_after: "-000001-01-01T00:00:00Z" }, "created_after"],
  ["an invalid time zone", { created_after: "2026-11-21T12:00:00+24:00" }, "created_after"],
  ["an invalid day", { created_after: "1900-02-29T12:00:00Z" }, "created_after"],
  ["a page over 100", { limit: 101 }, "limit"],
  ["a page of 0", { limit: 0 }, "limit"],
  ["a negative offset", { offset: -1 }, "offset"],
  ["an unknown status", { status: "sent" }, "status"],
  ["an impossible network", { network: "Friendster!" }, "network"],
  ["text that is no time", { created_after: "yesterday" }, "created_after"],
  ["an unknown filter", { profile: "x" }, "profile"],
])("an invalid list query gets an error with the field's name: %s", async (_, query, field) => {
  const error = await failureOf(service.social.posts.list(query as ListPosts));
  expect(error).toMatchObject({ code: "invalid_request", details: [{ field }] });
});

it("a target holds its post's account and time, by which lists are read", async () => {
  const { rows } = await service.storage.find("targets", { where: {} });
  expect(rows).toHaveLength(5);
  for (const { post_id, account_id, created_at } of rows) {
    expect(await service.storage.get("posts", String(post_id))).toMatchObject({ account_id, created_at });
  }
});

it("an account sees nothing of another, and another account's post is like a missing one", async () => {
  const foreign = service.social.forAccount("somebody-else");
  expect((await foreign.posts.list()).pagination.total).toBe(0);
  const [post] = posts;
  const asked = await failureOf(foreign.posts.get(post?.id ?? ""));
  const missing = await failureOf(foreign.posts.get("post_unknown"));
  expect({ ...asked, message: asked.message }).toEqual({ ...missing, message: missing.message });
  expect(asked).toMatchObject({ code: "not_found", status: 404 });
  expect((await failureOf(foreign.posts.retry(post?.id ?? ""))).code).toBe("not_found");
});
