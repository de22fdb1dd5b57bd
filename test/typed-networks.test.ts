import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createHandler } from "../src/http/handler.ts";
import { type BlueskyOptions, bluesky } from "../src/networks/bluesky/index.ts";
import type { NetworkAdapter } from "../src/networks/contract/adapter.ts";
import { type DiscordCredentials, discord } from "../src/networks/discord/index.ts";
import { createSandbox } from "../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../src/service.ts";
import { memoryStorage } from "../src/storage/memory.ts";
import { manualClock } from "../src/testing/clock.ts";
import { silentLogger } from "./support/logger.ts";

const clock = manualClock();
const sandbox = createSandbox({ clock });
const { http, untrustedHttp } = sandbox;
const ports = { clock, http, untrustedHttp, logger: silentLogger };

const options = z.strictObject({ loud: z.boolean().optional() });
const tokens = z.strictObject({ token: z.string() });

/** A network that only its host knows. */
function notes(): NetworkAdapter<"notes", typeof options, typeof tokens> {
  const { spec, connect, errors } = bluesky();
  const { takenFromText: _, ...rest } = spec;
  const own = { ...rest, network: "notes", rules: [] } as const;
  return { spec: own, options, errors, connect: { ...connect, credentials: tokens } };
}

/** The types (`npm run typecheck`) reject every call that is rejected at run time. */
describe("a typed service", () => {
  const social = createSocialService({ ...ports, storage: memoryStorage({ clock }), networks: [bluesky(), discord()] });
  const post = { profile_ids: ["prof_1"], text: "Hello" };
  const refused = { code: "invalid_request" };

  it("accepts its networks' options and content", async () => {
    const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const credentials = { identifier: handle, app_password: password };
    const profile = await clock.run(() => social.profiles.connect({ network: "bluesky", credentials }));
    const plan = await clock.run(() =>
      social.posts.validate({
        ...post,
        profile_ids: [profile.id],
        networks: { bluesky: { langs: ["en"], text: "Hi" } },
      }),
    );
    expect(plan.targets[0]).toMatchObject({ valid: true, parts: [{ text: "Hi" }] });
    const slip = social.posts.validate({
      ...post,
      profile_ids: [profile.id],
      // @ts-expect-error: it is called langs
      networks: { bluesky: { langz: ["en"] } },
    });
    const { targets } = await clock.run(() => slip);
    expect(targets[0]?.issues[0]).toMatchObject({ severity: "error", field: "networks.bluesky.langz" });
    const wrong = social.posts.validate({
      ...post,
      profile_ids: [profile.id],
      // @ts-expect-error: a list, not a text
      networks: { bluesky: { langs: "en" } },
    });
    expect((await clock.run(() => wrong)).valid).toBe(false);
  });

  it("rejects a network that does not exist", async () => {
    // @ts-expect-error: no such network
    await expect(clock.run(() => social.posts.validate({ ...post, networks: { blusky: {} } }))).rejects.toMatchObject(
      refused,
    );
    // @ts-expect-error: no such network
    const updating = social.posts.update("post_1", { networks: { blusky: {} } });
    await expect(clock.run(() => updating)).rejects.toMatchObject({ name: "SocialError" });
    // @ts-expect-error: it was not given to the service
    const connecting = social.profiles.connect({ network: "mastodon", credentials: {} });
    await expect(clock.run(() => connecting)).rejects.toMatchObject({ message: expect.any(String) });
  });

  it("accepts a network of the host's own, with its options and credentials", async () => {
    const own = createSocialService({ ...ports, storage: memoryStorage({ clock }), networks: [notes(), bluesky()] });
    const credentials = { token: "a-token" };
    const { connect } = own.profiles;
    expectTypeOf(connect).toBeCallableWith({ network: "notes", credentials });
    const overrides = { notes: { loud: true, text: "Hi" }, bluesky: { langs: ["en"] } };
    expectTypeOf(own.posts.create).toBeCallableWith({ ...post, networks: overrides });
    // @ts-expect-error: no such network
    const misspelt = own.posts.validate({ ...post, networks: { note: {} } });
    await expect(clock.run(() => misspelt)).rejects.toThrow("did you mean notes?");
    // @ts-expect-error: it is called loud
    const slip = own.posts.validate({ ...post, networks: { notes: { lout: true } } });
    await expect(clock.run(() => slip)).rejects.toMatchObject(refused);
    // @ts-expect-error: it is called token
    const connecting = own.profiles.connect({ network: "notes", credentials: { tokem: "a-token" } });
    await expect(clock.run(() => connecting)).rejects.toMatchObject(refused);
    // @ts-expect-error: it was not given to the service
    const other = own.profiles.connect({ network: "mastodon", credentials });
    await expect(clock.run(() => other)).rejects.toMatchObject(refused);
    expectTypeOf(own).toExtend<SocialService>();
  });

  it("accepts a network's own credentials, in one of their forms", async () => {
    const connecting = social.profiles.connect({
      network: "discord",
      // @ts-expect-error: it is called webhook_url
      credentials: { webhook: "https://discord.com/" },
    });
    await expect(clock.run(() => connecting)).rejects.toMatchObject(refused);
    expectTypeOf<{ webhook_url: string }>().toExtend<DiscordCredentials>();
    expectTypeOf<{ bot_token: string; channel_id: string }>().toExtend<DiscordCredentials>();
  });

  it("accepts listeners only for events that exist", () => {
    social.on("post.published", ({ post: published }) => expectTypeOf(published.id).toBeString());
    // @ts-expect-error: no such event
    expect(() => social.on("post.publishd", () => {})).toThrow("did you mean post.published?");
  });

  it("has the same types for each account", () => {
    expectTypeOf(social.forAccount("acct_1").posts).toEqualTypeOf(social.posts);
  });

  it("is still a SocialService for code that accepts any", () => {
    expectTypeOf(social).toExtend<SocialService>();
  });

  it("works with createHandler unchanged, even with tenants, which accepts nothing else", () => {
    const tenants = createSocialService({
      ...ports,
      storage: memoryStorage({ clock }),
      networks: [discord()],
      tenants: true,
    });
    expect([createHandler(social), createHandler(tenants)]).toEqual([expect.any(Function), expect.any(Function)]);
    // @ts-expect-error: it is no service
    expect(() => createHandler({ posts: social.posts })).toThrow(
      "requires the object that createSocialService returned",
    );
  });
});

it("networks that the types do not distinguish are checked by each call", async () => {
  const networks: NetworkAdapter[] = [bluesky()];
  const social = createSocialService({ ...ports, storage: memoryStorage({ clock }), networks });
  expectTypeOf(social).toExtend<SocialService>();
  const planning = social.posts.validate({
    profile_ids: ["prof_1"],
    text: "x",
    networks: { bluesky: { langz: ["en"] } },
  });
  await expect(clock.run(() => planning)).rejects.toMatchObject({ code: "invalid_request" });
});

it("an adapter's options have an exported type", () => {
  expectTypeOf<{ langs: string[] }>().toExtend<BlueskyOptions>();
  expectTypeOf<{ langz: string[] }>().not.toExtend<Required<BlueskyOptions>>();
});
