import { describe, expect, it } from "vitest";
import type { BlueskyApp } from "../../../src/networks/bluesky/index.ts";
import type { ProfileRow } from "../../../src/profiles/rows.ts";
import type { Profile } from "../../../src/profiles/schema.ts";
import { fromRow } from "../../../src/storage/typed.ts";
import { blueskyWithLogin, firstKey, secondKey } from "./app.ts";
import { alice, askedOf, type LoginBench, loginBench } from "./login-bench.ts";

const dayMs = 86_400_000;

function statusesOf(bench: LoginBench, path: string): number[] {
  return askedOf(bench, path).map(({ status }) => status);
}

function daysLeft({ clock }: LoginBench, { reconnect_by }: Pick<Profile, "reconnect_by">): number {
  return Math.round((Date.parse(reconnect_by ?? "") - clock.now()) / dayMs);
}

async function rowOf({ storage }: LoginBench, id: string): Promise<ProfileRow> {
  const row = await storage.get("profiles", id);
  if (row === null) throw new Error("no profile");
  return fromRow<ProfileRow>(row);
}

describe("an expired DPoP nonce", () => {
  it("in the middle of a commit is replaced, and the post goes out once", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    bench.sandbox.bluesky.rotateNonces();
    expect((await bench.publish(profile, "Once")).status).toBe("published");
    expect(statusesOf(bench, "applyWrites")).toEqual([401, 200]);
    expect(bench.sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["Once"]);
    const proofs = askedOf(bench, "applyWrites").map(({ headers }) => headers.get("dpop"));
    expect(new Set(proofs).size).toBe(2);
    const { rows } = await bench.storage.find("intents", { where: {}, order: { column: "number", direction: "asc" } });
    expect(rows.map(({ state }) => state)).toEqual(["later", "accepted"]);
    for (const proof of proofs) expect(JSON.stringify(rows)).not.toContain(proof);
  });

  it("after a lost response still leads to only one post", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    bench.sandbox.bluesky.faults.add({ kind: "drop_before", operation: "applyWrites" });
    bench.sandbox.bluesky.rotateNonces();
    expect((await bench.publish(profile)).status).toBe("published");
    expect(bench.sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("is replaced in the middle of a read", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    bench.sandbox.bluesky.rotateNonces();
    const checked = await bench.clock.run(() => bench.social.profiles.check(profile.id));
    expect(checked.status).toBe("connected");
    expect(statusesOf(bench, "getSession").slice(-2)).toEqual([401, 200]);
  });

  it("at the token endpoint is replaced, and the refresh token is used once", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    await bench.clock.advance(3_600_000);
    const before = statusesOf(bench, "/oauth/token").length;
    expect((await bench.publish(profile)).status).toBe("published");
    expect(statusesOf(bench, "/oauth/token").slice(before)).toEqual([400, 200]);
  });
});

describe("a wrong clock", () => {
  it.each([-10, 10])("that is off by %i minutes is corrected with the servers' time", async (minutes) => {
    const bench = loginBench({ skewMs: minutes * 60_000 });
    const profile = await bench.logIn();
    expect((await bench.publish(profile)).status).toBe("published");
    expect(statusesOf(bench, "/oauth/par")).toEqual([400, 201]);
    await bench.clock.advance(3_600_000);
    expect((await bench.publish(profile)).status).toBe("published");
    expect(bench.sandbox.bluesky.posts()).toHaveLength(2);
  });
});

describe("an expiring Bluesky access token", () => {
  it("is renewed ahead of time, each time with the rotated token", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    for (let hour = 0; hour < 3; hour++) {
      await bench.clock.advance(3_600_000);
      expect((await bench.publish(profile, `Hour ${hour}`)).status).toBe("published");
    }
    const tokens = askedOf(bench, "/oauth/token").flatMap(({ form, status }) =>
      status === 200 && form.grant_type === "refresh_token" ? [form.refresh_token] : [],
    );
    expect(new Set(tokens).size).toBe(3);
    expect(statusesOf(bench, "applyWrites").filter((status) => status === 200)).toHaveLength(3);
  });

  it("whose renewal loses its response is renewed once more with the stored token, and then needs attention", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    await bench.clock.advance(3_600_000);
    // The first only returns the nonce.
    bench.sandbox.bluesky.faults.add({ kind: "drop_after", operation: "token", after: 1 });
    const post = await bench.publish(profile);
    await bench.clock.advance(60_000);
    await bench.clock.run(() => bench.social.runDue());
    const used = askedOf(bench, "/oauth/token").filter(({ form }) => form.grant_type === "refresh_token");
    expect(new Set(used.map(({ form }) => form.refresh_token)).size).toBe(1);
    expect(used.map(({ status }) => status)).toEqual([400, 400]);
    expect(await bench.social.profiles.get(profile.id)).toMatchObject({ status: "needs_attention" });
    expect((await bench.social.posts.get(post.id)).targets[0]).toMatchObject({
      status: "failed",
      error: { code: "reauthentication_required" },
    });
    expect(bench.sandbox.bluesky.posts()).toEqual([]);
  });

  it.each([
    ["is busy", { status: 503, text: "busy" }],
    ["temporarily rejects the app", { status: 401, json: { error: "invalid_client" } }],
    ["responds with an HTML page", { status: 400, text: "<html>" }],
    ["issues a token that is not bound to a key", { status: 200, json: { access_token: "a", token_type: "Bearer" } }],
  ])("stays connected while its server %s", async (_, answer) => {
    const bench = loginBench();
    const profile = await bench.logIn();
    await bench.clock.advance(3_600_000);
    bench.sandbox.bluesky.faults.add({ kind: "refuse", operation: "token", answer, times: 4 });
    const post = await bench.publish(profile);
    expect(await bench.social.profiles.get(profile.id)).toMatchObject({ status: "connected" });
    for (let turn = 0; turn < 6; turn++) {
      await bench.clock.advance(20_000);
      await bench.clock.run(() => bench.social.runDue());
    }
    expect((await bench.social.posts.get(post.id)).status).toBe("published");
  });

  it.each([1e300, 0.5])("whose server announces %d s of lifetime is renewed all the same", async (expires_in) => {
    const bench = loginBench();
    bench.instead = (request, answer) =>
      request.url.endsWith("/oauth/token")
        ? answer().then(async (response) =>
            Response.json({ ...((await response.json()) as object), expires_in }, response),
          )
        : null;
    const profile = await bench.logIn();
    await bench.clock.advance(dayMs);
    expect((await bench.publish(profile)).status).toBe("published");
    const { private: state } = await rowOf(bench, profile.id);
    expect(state.expires_at).toBe(bench.clock.now() + Math.min(expires_in, 86_400) * 1000);
  });

  it("that its owner has revoked needs attention", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    bench.sandbox.bluesky.revoke(alice);
    expect((await bench.publish(profile)).targets[0]?.error?.code).toBe("reauthentication_required");
    expect(await bench.social.profiles.get(profile.id)).toMatchObject({ status: "needs_attention" });
  });
});

describe("an unused Bluesky connection", () => {
  it("with a key is renewed after 45 days, and lives on", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    const { private: state } = await rowOf(bench, profile.id);
    expect(state.refresh_at).toBeGreaterThan(bench.clock.now() + 44 * dayMs);
    expect(daysLeft(bench, profile)).toBe(730);
    for (let month = 0; month < 5; month++) {
      await bench.clock.advance(46 * dayMs);
      await bench.clock.run(() => bench.social.runDue());
    }
    expect((await bench.publish(profile)).status).toBe("published");
  });

  it("without a key ends after two weeks, whatever happens", async () => {
    const bench = loginBench({ adapter: blueskyWithLogin({ private_keys: [] }) });
    const profile = await bench.logIn();
    expect((await rowOf(bench, profile.id)).private.refresh_at).toBeNull();
    expect(daysLeft(bench, profile)).toBe(14);
    await bench.clock.advance(13 * dayMs);
    expect((await bench.publish(profile)).status).toBe("published");
    await bench.clock.advance(2 * dayMs);
    expect((await bench.publish(profile)).targets[0]?.error?.code).toBe("reauthentication_required");
  });

  it("without a key needs attention once it has ended, before a post fails", async () => {
    const bench = loginBench({ adapter: blueskyWithLogin({ private_keys: [] }) });
    const profile = await bench.logIn();
    await bench.clock.advance(15 * dayMs);
    await bench.clock.run(() => bench.social.runDue());
    expect((await bench.social.profiles.get(profile.id)).status).toBe("needs_attention");
  });
});

describe("the key of the app", () => {
  /** A service of the host app's next version, on the same store. */
  function next(bench: LoginBench, private_keys: BlueskyApp["private_keys"]) {
    const adapter = blueskyWithLogin({ private_keys });
    const { storage, clock } = bench;
    const successor = loginBench({
      adapter,
      storage,
      clock,
      http: bench.sandbox.http,
      untrustedHttp: bench.sandbox.http,
    });
    bench.sandbox.bluesky.reach("app.example.com", successor.handler);
    return successor;
  }

  it("that made a connection renews it, even if another key is first now", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    await bench.clock.advance(3_600_000);
    const successor = next(bench, [secondKey, firstKey]);
    const post = await bench.clock.run(() =>
      successor.social.posts.create({ profile_ids: [profile.id], text: "By the old key" }),
    );
    expect(post.status).toBe("published");
  });

  it("is reported as missing if it is gone, and the connection does not end", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    await bench.clock.advance(3_600_000);
    const { social } = next(bench, [secondKey]);
    const post = await bench.clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Which key?" }));
    expect(post.targets[0]?.error?.message).toMatch(/The key .* is not in the app's private_keys/);
    expect(await social.profiles.get(profile.id)).toMatchObject({ status: "connected" });
  });
});

describe("the end of a Bluesky connection", () => {
  it("is announced to its server when the profile is disconnected", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    await bench.clock.run(() => bench.social.profiles.disconnect(profile.id));
    expect(statusesOf(bench, "/oauth/revoke")).toEqual([200]);
    const { private: state } = await rowOf(bench, profile.id);
    expect(state.secret).toBeNull();
  });

  it("follows if the account moves to another operator's server, which gets no token", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    bench.sandbox.bluesky.move(alice, "pds.elsewhere.example");
    const checked = await bench.clock.run(() => bench.social.profiles.check(profile.id));
    expect(checked).toMatchObject({ status: "needs_attention", status_reason: expect.stringContaining("has moved") });
    const hosts = bench.seen.filter(({ headers }) => headers.has("authorization")).map(({ host }) => host);
    expect(new Set(hosts)).toEqual(new Set(["pds.sandbox.example"]));
  });

  it("does not follow if Bluesky moves the account between its own servers", async () => {
    const bench = loginBench();
    bench.sandbox.bluesky.move(alice, "morel.us-east.host.bsky.network");
    const profile = await bench.logIn();
    bench.sandbox.bluesky.move(alice, "puffball.us-east.host.bsky.network");
    const checked = await bench.clock.run(() => bench.social.profiles.check(profile.id));
    expect(checked.status).toBe("connected");
    expect((await bench.publish(profile)).status).toBe("published");
  });
});
