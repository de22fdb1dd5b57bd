import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectMastodon } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

/** Mastodon with a counter for each split and count of a post's text. */
function countingNetwork() {
  const adapter = mastodon();
  const counted = { plans: 0 };
  const takenFromText: typeof adapter.spec.takenFromText = (...given) => {
    counted.plans += 1;
    return adapter.spec.takenFromText?.(...given) ?? 0;
  };
  return { counted, adapter: { ...adapter, spec: { ...adapter.spec, takenFromText } } };
}

async function connectMany(service: TestService, count: number): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (let number = 0; number < count; number++) profiles.push(await connectMastodon(service, `user${number}`));
  return profiles;
}

it("a plan is made once for all profiles of a network with the same limits", async () => {
  const { counted, adapter } = countingNetwork();
  const service = createTestService({ networks: [adapter] });
  const { social, clock, sandbox } = service;
  const profiles = await connectMany(service, 30);
  sandbox.mastodon.addInstance({ host: "roomy.sandbox.example", maxCharacters: 5_000 });
  const bob = sandbox.mastodon.addAccount({ instance: "roomy.sandbox.example", username: "bob" });
  const credentials = { instance: bob.instance, access_token: bob.access_token };
  profiles.push(await clock.run(() => social.profiles.connect({ network: "mastodon", credentials })));
  const body = { profile_ids: profiles.map(({ id }) => id), text: "word ".repeat(400), auto_thread: true };
  const plan = await clock.run(() => social.posts.validate(body));
  expect(plan.valid).toBe(true);
  expect(plan.targets.map(({ parts }) => parts.length)).toEqual([...profiles.slice(1).map(() => 4), 1]);
  expect(counted.plans).toBe(2);

  const scheduled_at = new Date(clock.now() + 3_600_000).toISOString();
  await clock.run(() => social.posts.create({ ...body, scheduled_at }));
  await clock.advance(3_600_000);
  counted.plans = 0;
  await clock.run(() => social.runDue());
  expect(counted.plans).toBe(2);
  expect(sandbox.mastodon.posts()).toHaveLength(30 * 4 + 1);
});

it("a plan yields to other work between parts, and between profiles", async () => {
  const manual = manualClock();
  let busyMs = 0;
  let pieceMs = 0;
  const clock = {
    ...manual,
    monotonic() {
      busyMs += pieceMs;
      return manual.monotonic() + busyMs;
    },
  };
  const service = createTestService({ clock });
  const profile_ids = (await connectMany(service, 20)).map(({ id }) => id);
  const turnsOf = async (post: Partial<CreatePost>): Promise<number> => {
    let turns = 0;
    let isOver = false;
    const work = service.social.posts.validate({ profile_ids, ...post }).then(() => {
      isOver = true;
    });
    for (; !isOver; turns++) await nextTurn();
    await work;
    return turns;
  };
  const thread = Array.from({ length: 50 }, () => "A part");
  const text = "word ".repeat(4_000);
  expect(await turnsOf({ thread })).toBeLessThan(10);
  pieceMs = 20;
  expect(await turnsOf({ thread })).toBeGreaterThanOrEqual(50 + 20);
  expect(await turnsOf({ text, auto_thread: true })).toBeGreaterThanOrEqual(40 + 20);
});

it.each([
  ["thread", { thread: Array.from({ length: 6 }, () => "x".repeat(16_667)) }],
  [
    "networks.mastodon.thread",
    { networks: { mastodon: { thread: Array.from({ length: 6 }, () => "x".repeat(16_667)) } } },
  ],
])("a plan is refused for a thread of more than 100,000 characters in all: %s", async (field, body) => {
  const service = createTestService();
  const { id } = await connectMastodon(service);
  const { social, clock } = service;
  const message = "All parts of a thread together must have at most 100,000 characters; create several posts.";
  const request = { profile_ids: [id], text: "Text", ...body };
  if (field === "thread") {
    expect((await failureOf(social.posts.validate(request))).details).toMatchObject([{ field, message }]);
  } else {
    const plan = await clock.run(() => social.posts.validate(request));
    expect(plan.targets[0]?.issues).toMatchObject([{ severity: "error", field, message }]);
  }
});

it("a plan is refused for a long text to very many profiles, naming them; nothing is created", async () => {
  const service = createTestService();
  const { social, clock, sandbox } = service;
  const profile_ids = (await connectMany(service, 130)).map(({ id }) => id);
  const body = { profile_ids, text: "word ".repeat(4_000), auto_thread: true };
  const error = await failureOf(clock.run(() => social.posts.create(body)));
  expect(error.details).toEqual([
    {
      field: "profile_ids",
      code: "invalid_request",
      message: expect.stringMatching(/130 profiles .* at most 1000000\./),
    },
  ]);
  expect((await social.posts.list()).data).toEqual([]);
  expect(sandbox.mastodon.posts()).toEqual([]);
});
