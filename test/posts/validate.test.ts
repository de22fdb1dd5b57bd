import { beforeEach, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import { fixture } from "../media/fixtures.ts";
import { png } from "../media/samples.ts";
import { connectAll } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let profiles: [Profile, Profile, Profile];
let profile_ids: string[];

beforeEach(async () => {
  service = createTestService();
  profiles = await connectAll(service);
  profile_ids = profiles.map(({ id }) => id);
});

it("validate returns each network's parts with its own count, and sends nothing", async () => {
  const { social, clock, sandbox } = service;
  const text = `${"word ".repeat(80)}https://example.com/a/very/long/address/that/counts/as/twenty-three`;
  const media = [sandbox.media.put("a.png", png(8, 8))];
  const plan = await clock.run(() => social.posts.validate({ profile_ids, text, media, auto_thread: true }));
  expect(plan.valid).toBe(true);
  const [bluesky, mastodon, discord] = plan.targets;
  expect(bluesky?.parts.map(({ role }) => role)).toEqual(["post", "reply"]);
  expect(mastodon?.parts).toEqual([{ text, length: 423, limit: 500, role: "post" }]);
  expect(discord?.parts).toEqual([{ text, length: text.length, limit: 2000, role: "post" }]);
  const file = { mime_type: "image/png", width: 8, height: 8, size_bytes: png(8, 8).length };
  expect(bluesky?.media).toEqual([
    { url: media[0], type: "image", action: "as_is", before: file, after: file, reasons: [] },
  ]);
  expect([...sandbox.bluesky.posts(), ...sandbox.mastodon.posts(), ...sandbox.discord.posts()]).toEqual([]);
});

it("validate splits by bytes, too, where the network also counts them", async () => {
  const { social, clock } = service;
  const families = Array.from({ length: 150 }, () => "👨‍👩‍👧‍👦").join(" ");
  const [bluesky] = profiles;
  const body = { profile_ids: [bluesky.id], text: families, auto_thread: true };
  const plan = await clock.run(() => social.posts.validate(body));
  expect(plan.valid).toBe(true);
  expect(plan.targets[0]?.parts.length).toBeGreaterThan(1);
  const whole = await clock.run(() => social.posts.validate({ ...body, auto_thread: false }));
  expect(whole.targets[0]?.issues).toMatchObject([{ field: "text", message: expect.stringContaining("bytes") }]);
});

it("validate lists errors and warnings per network with field and code, and the valid networks", async () => {
  const { social, clock } = service;
  const plan = await clock.run(() => social.posts.validate({ profile_ids, text: "x".repeat(600), title: "A title" }));
  expect(plan.valid).toBe(false);
  expect(plan.targets.map(({ valid }) => valid)).toEqual([false, false, true]);
  expect(plan.targets[0]?.issues).toContainEqual(
    expect.objectContaining({ severity: "error", code: "invalid_request", field: "text" }),
  );
  expect(plan.targets[0]?.issues).toContainEqual(expect.objectContaining({ severity: "warning", field: "title" }));
  expect(plan.targets[0]?.parts).toEqual([{ text: "x".repeat(600), length: 600, limit: 300, role: "post" }]);
});

it("validate reads an instance's own limits", async () => {
  const { social, clock, sandbox } = service;
  sandbox.mastodon.addInstance({ host: "roomy.sandbox.example", maxCharacters: 5_000 });
  const { instance, access_token } = sandbox.mastodon.addAccount({
    instance: "roomy.sandbox.example",
    username: "bob",
  });
  const profile = await clock.run(() =>
    social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
  );
  expect(profile.limits).toMatchObject({ text: { max: 5_000 } });
  const plan = await clock.run(() => social.posts.validate({ profile_ids: [profile.id], text: "x".repeat(4_000) }));
  expect(plan).toMatchObject({ valid: true, targets: [{ parts: [{ length: 4_000, limit: 5_000 }] }] });
});

it("validate reports how a file will change where a network shows it in another form", async () => {
  const { social, clock, sandbox } = service;
  const media = ["animated.gif", "still.gif"].map((name) => sandbox.media.put(name, fixture(name)));
  const plan = await clock.run(() => social.posts.validate({ profile_ids, text: "Hi", media }));
  expect(plan.targets[0]?.media.map(({ action }) => action)).toEqual([expect.stringContaining("still image"), "as_is"]);
  expect(plan.targets[0]?.issues).toMatchObject([{ severity: "warning", field: "media[0]" }]);
});

it("validate names the invalid fields of the request itself", async () => {
  const error = await failureOf(service.social.posts.validate({ profile_ids: [], text: "Hi" }));
  expect(error.details).toMatchObject([{ field: "profile_ids" }]);
});
