import { expect, it } from "vitest";
import type { PostPlan } from "../../src/planning/schema.ts";
import { createToy, type Toy } from "../support/toy.ts";

const budgets = [{ name: "posts", per: "app", limit: 3, day_in: "America/Los_Angeles" }] as const;

async function quotaOf(
  { social, clock }: Toy,
  profileId: string,
): Promise<PostPlan["targets"][number]["quota"] | undefined> {
  const plan = await clock.run(() => social.posts.validate({ profile_ids: [profileId], text: "Hello" }));
  return plan.targets[0]?.quota;
}

it("the quota counts the app's posts on all its profiles, until the network's day ends", async () => {
  const toy = await createToy({}, { spec: { budgets }, appOf: (id) => (id === "account-3" ? "app-2" : "app-1") });
  toy.script["POST /posts"] = () => ({ status: 201, json: { id: String(toy.requests.length) } });
  const [second, third] = [await toy.connect("account-2"), await toy.connect("account-3")];
  expect(await quotaOf(toy, toy.profileId)).toEqual({
    of: "app",
    posts: 3,
    used: 0,
    as_of: "2026-11-21T12:00:00.000Z",
  });
  await toy.publish("One");
  await toy.clock.run(() => toy.social.posts.create({ profile_ids: [second], text: "Two" }));
  toy.script["POST /posts"] = () => ({ status: 400, json: { error: { message: "No." } } });
  await toy.publish("refused");
  expect([await quotaOf(toy, second), await quotaOf(toy, third)]).toMatchObject([{ used: 2 }, { used: 0 }]);
  // Noon in London is four in the morning in California, where the day ends twenty hours later.
  await toy.clock.advance(19 * 3_600_000);
  expect(await quotaOf(toy, second)).toMatchObject({ used: 2 });
  await toy.clock.advance(3_600_000);
  expect(await quotaOf(toy, second)).toMatchObject({ used: 0 });
});

it("the quota shows the network's own numbers for the account, with their time", async () => {
  const told = { posts: 50, used: 7, as_of: "2026-11-20T08:00:00.000Z" };
  const toy = await createToy({ quota: () => told });
  expect(await quotaOf(toy, toy.profileId)).toEqual({ of: "profile", ...told });
});

it("the quota is absent if no numbers are known", async () => {
  const toy = await createToy();
  expect(await quotaOf(toy, toy.profileId)).toBeNull();
});
