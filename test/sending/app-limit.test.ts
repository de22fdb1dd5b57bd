import { expect, it } from "vitest";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { errorRow, errorTable } from "../networks/fake-network.ts";
import { createToy } from "../support/toy.ts";

const limit = { status: 429, effect: "later", remedy: "rate_limit", as: "network_error" } as const;

/** A network whose limit has this scope, with a second profile, after one post has met the limit. */
async function limited(scope: "app" | "profile") {
  const toy = await createToy({}, { adapter: { errors: errorTable(errorRow({ ...limit, scope })) } });
  toy.script["POST /posts"] = () => ({ status: 429, json: {}, headers: { "retry-after": "120" } });
  const first = await toy.publish("One");
  expect([first.status, toy.requests.length]).toEqual(["publishing", 1]);
  toy.script["POST /posts"] = () => ({ status: 201, json: { id: String(toy.requests.length) } });
  const other = await toy.connect("account-2");
  const second = await toy.clock.run(() => toy.social.posts.create({ profile_ids: [other], text: "Two" }));
  return { toy, first, second };
}

it("a rate limit of the host's app applies to all its profiles", async () => {
  const { toy, first, second } = await limited("app");
  expect([second.status, toy.requests.length]).toEqual(["publishing", 1]);
  expect(second.targets[0]?.error?.message).toContain("12:02:00Z");
  await toy.clock.advance(120_000);
  await toy.clock.run(() => toy.social.runDue());
  expect((await toy.social.posts.get(first.id)).status).toBe("published");
  expect((await toy.social.posts.get(second.id)).status).toBe("published");
});

it("a rate limit of the host's app reaches other processes on the same store, and applies to that app only", async () => {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const errors = errorTable(errorRow({ ...limit, scope: "app" }));
  const apps: Readonly<Record<string, string>> = { "account-1": "app-1", "account-2": "app-1", "account-3": "app-2" };
  const options = { adapter: { errors }, clock, storage, appOf: (id: string) => apps[id] ?? "" };
  const [here, elsewhere] = [await createToy({}, options), await createToy({}, options)];
  here.script["POST /posts"] = () => ({ status: 429, json: {}, headers: { "retry-after": "120" } });
  await here.publish("One");
  elsewhere.script["POST /posts"] = () => ({ status: 201, json: { id: String(elsewhere.requests.length) } });
  const publish = async (account: string) => {
    const profile_ids = [await elsewhere.connect(account)];
    return (await clock.run(() => elsewhere.social.posts.create({ profile_ids, text: account }))).status;
  };
  expect([await publish("account-2"), elsewhere.requests.length]).toEqual(["publishing", 0]);
  expect([await publish("account-3"), elsewhere.requests.length]).toEqual(["published", 1]);
});

it("a rate limit of a profile applies to that profile only", async () => {
  const { first, second } = await limited("profile");
  expect([first.status, second.status]).toEqual(["publishing", "published"]);
});

it("a post fails immediately, with the time in its error, when a rate limit outlasts the retries", async () => {
  const toy = await createToy({}, { adapter: { errors: errorTable(errorRow(limit)) } });
  toy.script["POST /posts"] = () => ({ status: 429, json: {}, headers: { "retry-after": "7200" } });
  const post = await toy.publish();
  expect(post).toMatchObject({ status: "failed", targets: [{ error: { code: "network_error" } }] });
  expect(post.targets[0]?.error?.message).toContain("accepts no requests before 2026-11-21T14:00:00.000Z");
});
