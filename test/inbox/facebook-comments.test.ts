import { describe, expect, it } from "vitest";
import { facebook } from "../../src/networks/facebook/index.ts";
import { createTestService } from "../support/service.ts";
import { facebookApp, minuteMs, openBench, readingOnly } from "./facebook-bench.ts";

const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The lists that are read. */
const comments = ["comments", "older_comments"];

/** A Page, without webhooks by default, and so many posts above its first one. */
async function openOldPost(count: number, { hooks = false, lists = comments } = {}) {
  const bench = await openBench({ hooks, lists });
  const { clock, facebook: there, page } = bench;
  const above = Array.from({ length: count }, (_, number) => there.postAs(page, { message: `Open on day ${number}` }));
  await clock.advance(hourMs);
  return { ...bench, above };
}

/** The same inbox in another process, some of whose requests get other responses. */
async function openAgain(
  { clock, sandbox, social: former, storage }: Awaited<ReturnType<typeof openBench>>,
  answer: (url: URL) => Response | null,
  lists = comments,
) {
  await clock.run(() => former.stop());
  const http: typeof fetch = async (input, init) =>
    answer(new URL(input instanceof Request ? input.url : String(input))) ?? (await sandbox.http(input, init));
  const networks = [readingOnly(facebook({ app: facebookApp, scopes: ["publish", "inbox"] }), lists)];
  const { social } = createTestService({ networks, clock, storage, http });
  await clock.run(() => social.start());
  const texts = async () => {
    const { data } = await social.inbox.conversations.list({ limit: 100 });
    return data.map(({ last_message }) => last_message.text);
  };
  return { social, texts };
}

/** True for a page of the Page's posts below the first. */
const isLowerPage = ({ pathname, searchParams }: URL): boolean =>
  pathname.endsWith("/published_posts") && searchParams.has("after");

describe("comments under older posts", () => {
  it("are read within a day under 26 newer posts", async () => {
    const bench = await openOldPost(26);
    bench.facebook.commentAs(bench.ann, bench.post, "Still open?");
    await bench.clock.advance(dayMs);
    expect((await bench.conversations()).map(({ kind, last_message }) => [kind, last_message.text])).toEqual([
      ["comment", "Still open?"],
    ]);
  });

  it("are read once a day, page by page", async () => {
    const bench = await openOldPost(60);
    bench.facebook.commentAs(bench.ann, bench.post, "Still open?");
    let looks = 0;
    const { texts } = await openAgain(bench, (url) => {
      if (isLowerPage(url)) looks += 1;
      return null;
    });
    await bench.clock.advance(2 * dayMs);
    // The second and the third page of 61 posts.
    expect(looks).toBe(2 * 2);
    expect(await texts()).toEqual(["Still open?"]);
  });

  it("are left out where they were written before the connection", async () => {
    const { clock, social, facebook: there, ann } = await openBench({ lists: comments });
    const { access_token, external_id } = there.addPage({ name: "The Hen" });
    const [first = "", ...others] = Array.from({ length: 30 }, (_, number) =>
      there.postAs(external_id, { message: `Open on day ${number}` }),
    );
    there.commentAs(ann, first, "Under the oldest");
    there.commentAs(ann, others.at(-1) ?? "", "Under the newest");
    await clock.advance(hourMs);
    await clock.run(() => social.profiles.connect({ network: "facebook", credentials: { access_token } }));
    await clock.advance(2 * dayMs);
    const found = (await social.inbox.conversations.list()).data;
    expect(found.map(({ last_message }) => last_message.text)).toEqual(["Under the newest"]);
  });

  it("are all read, however many one post has", async () => {
    const { clock, facebook: there, ann, post, social } = await openOldPost(30);
    for (let count = 0; count < 130; count++) there.commentAs(ann, post, `Question ${count}`);
    await clock.advance(dayMs);
    expect((await social.inbox.conversations.list()).pagination.total).toBe(130);
  });

  it("are all read, however many posts have some", async () => {
    const { clock, facebook: there, ann, above, social } = await openOldPost(70);
    for (const post of above) for (let count = 0; count < 5; count++) there.commentAs(ann, post, `Question ${count}`);
    await clock.advance(dayMs);
    expect((await social.inbox.conversations.list()).pagination.total).toBe(350);
  });

  it.each([
    [
      "reported by a webhook",
      true,
      "GET /:id?fields=id,message,created_time,from{id,name},parent{id,from{id,name},permalink_url},permalink_url,attachment",
      1,
    ],
    ["filling more than one page", false, "GET /:id/comments", 130],
  ] as const)("%s wait where a rate limit of Facebook is used up", async (_, hooks, operation, count) => {
    const { clock, facebook: there, ann, post, social } = await openOldPost(30, { hooks });
    const error = { message: "(#17) User request limit reached", type: "OAuthException", code: 17 };
    there.faults.add({ kind: "refuse", operation, answer: { status: 400, json: { error } }, times: 1 });
    for (let number = 0; number < count; number++) there.commentAs(ann, post, `Question ${number}`);
    await clock.advance(hooks ? 3 * hourMs : dayMs + 3 * hourMs);
    expect((await social.inbox.conversations.list()).pagination.total).toBe(count);
  });

  it.each([
    [403, 10],
    [404, 803],
  ])("are read though Facebook refuses to show those of one post: %i/%i", async (status, code) => {
    const { clock, facebook: there, ann, post, above, social } = await openOldPost(30);
    const error = { message: "Not shown", type: "OAuthException", code };
    there.faults.add({ kind: "refuse", operation: "GET /:id/comments", answer: { status, json: { error } } });
    for (const each of [post, above[0] ?? ""])
      for (let count = 0; count < 20; count++) there.commentAs(ann, each, `Question ${count}`);
    await clock.advance(dayMs);
    // All of one post, and of the other only those that came with its page of posts.
    expect((await social.inbox.conversations.list()).pagination.total).toBe(20 + 3);
  });

  it("are read the next day if they appear behind a list read that takes long", async () => {
    const bench = await openOldPost(60);
    let isDown = true;
    let wasDown = false;
    const { texts } = await openAgain(bench, (url) => {
      if (!isLowerPage(url) || url.searchParams.get("after") !== btoa("50/0") || !isDown) return null;
      wasDown = true;
      return Response.json({}, { status: 500 });
    });
    while (!wasDown) await bench.clock.advance(minuteMs);
    await bench.clock.advance(20 * minuteMs);
    isDown = false;
    // Below the newest 25, on the page that was read already.
    bench.facebook.commentAs(bench.ann, bench.above[25] ?? "", "On the second page");
    await bench.clock.advance(2 * dayMs);
    expect(await texts()).toEqual(["On the second page"]);
  });
});

describe("a list cursor that Facebook no longer knows", () => {
  type There = Awaited<ReturnType<typeof openOldPost>>;

  it.each([
    [
      "published_posts",
      comments,
      1,
      ({ facebook: there, ann, post }: There) => {
        there.commentAs(ann, post, "Hello?");
      },
    ],
    [
      "tagged",
      ["tagged"],
      30,
      ({ facebook: there, ann, page }: There) => {
        for (let count = 0; count < 30; count++) there.mentionAs(ann, page, `Hello ${count}`);
      },
    ],
    [
      "conversations",
      ["messages"],
      30,
      ({ facebook: there, page }: There) => {
        for (let count = 0; count < 30; count++) there.messageAs(there.addFan(`Fan ${count}`), page, "Hello?");
      },
    ],
  ])("is replaced by the beginning of the list: %s", async (list, lists, count, write) => {
    const bench = await openOldPost(30, { lists });
    let isForgotten = false;
    const { texts } = await openAgain(
      bench,
      ({ pathname, searchParams }) => {
        if (isForgotten || !pathname.endsWith(`/${list}`) || !searchParams.has("after")) return null;
        isForgotten = true;
        bench.facebook.forgetCursors();
        return null;
      },
      lists,
    );
    write(bench);
    await bench.clock.advance(list === "published_posts" ? 2 * dayMs : 5 * hourMs);
    expect(isForgotten).toBe(true);
    expect(await texts()).toHaveLength(count);
  });
});
