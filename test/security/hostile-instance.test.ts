import { beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
/** The fields that the instance adds to its responses, by the end of their URL. */
let additions: Record<string, object>;
let connect: () => Promise<Profile>;

beforeEach(() => {
  additions = {};
  const plain = createTestService();
  const untrustedHttp: typeof fetch = async (input, init) => {
    const response = await plain.sandbox.untrustedHttp(input, init);
    const [, more] = Object.entries(additions).find(([end]) => new URL(String(input)).pathname.endsWith(end)) ?? [];
    if (more === undefined) return response;
    return Response.json({ ...((await response.json()) as object), ...more }, { status: response.status });
  };
  const { sandbox, clock } = plain;
  service = { ...createTestService({ clock, http: sandbox.http, untrustedHttp }), sandbox, clock };
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  connect = () =>
    service.clock.run(() =>
      service.social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
    );
});

const account = "/api/v1/accounts/verify_credentials";
const long = "a".repeat(200_000);

describe("a hostile instance", () => {
  it("cannot create a large profile", async () => {
    additions[account] = { display_name: `${long}\0`, username: long, avatar: `https://a.example/${long}`, url: "x:y" };
    additions["/api/v1/apps/verify_credentials"] = {
      scopes: ["read", "write", ...Array(1_000).fill(long.slice(0, 500))],
    };
    const profile = await connect();
    expect(JSON.stringify(profile).length).toBeLessThan(60_000);
    expect(profile).toMatchObject({ avatar_url: null, url: null });
    expect(profile.name).toMatch(/^a{299}…$/);
    const { rows } = await service.storage.find("profiles", { where: {} });
    expect(JSON.stringify(rows).length).toBeLessThan(70_000);
  });

  it.each(["1\0", "\ud800", "", long, "a b"])("gets an error that says that its id cannot be used (%#)", async (id) => {
    additions[account] = { id };
    await expect(connect()).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching("could not be read"),
    });
  });

  it("does not block the process with responses that take long to parse", async () => {
    additions[account] = { more: Array.from({ length: 60_000 }, () => ({})) };
    await expect(connect()).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching("could not be read"),
    });
  });

  it("leaves a profile unchanged when a check gets such a response", async () => {
    const { id } = await connect();
    additions[account] = { id: "1\0" };
    await expect(service.clock.run(() => service.social.profiles.check(id))).rejects.toMatchObject({
      code: "publish_failed",
    });
    expect(await service.social.profiles.get(id)).toMatchObject({ status: "connected" });
  });
});
