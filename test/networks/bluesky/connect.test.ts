import { describe, expect, it } from "vitest";
import { bluesky } from "../../../src/networks/bluesky/index.ts";
import { blueskySandbox } from "../../../src/sandbox/bluesky/network.ts";
import { networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { alice, blueskyBench, connectedBench, credentials } from "./bench.ts";

describe("connecting a Bluesky account", () => {
  it("finds the account's own server by its handle and signs in there", async () => {
    const { bench, connected } = await connectedBench();
    expect(bench.seen.map(({ operation, url }) => `${operation} ${url.hostname}`)).toEqual([
      "resolveHandle bsky.social",
      "plc.directory plc.directory",
      "createSession pds.sandbox.example",
      "plc.directory plc.directory",
      "describeServer pds.sandbox.example",
      "getProfile pds.sandbox.example",
      "resolveHandle bsky.social",
    ]);
    expect(connected.profile).toMatchObject({
      handle: alice.handle,
      host: "pds.sandbox.example",
      account_facts: { pds: "https://pds.sandbox.example" },
      limits: {},
    });
    expect(connected.profile.external_id).toMatch(/^did:plc:[a-z2-7]{24}$/);
    expect(connected.profile.url).toBe(`https://bsky.app/profile/${connected.profile.external_id}`);
  });

  it.each([`@${alice.handle}`, ` ${alice.handle.toUpperCase()} `, `\u202a${alice.handle}\u202c`])(
    "accepts the identifier %j",
    async (identifier) => {
      const connected = await blueskyBench().connect(credentials({ identifier }));
      expect(connected.profile.handle).toBe(alice.handle);
    },
  );

  it("accepts a DID without a lookup, and resolves its handle at the end", async () => {
    const bench = blueskyBench();
    const { did } = bench.network.addAccount({ handle: "bob.example.com", password: "secret-of-bob" });
    const connected = await bench.connect({ identifier: did, app_password: "secret-of-bob" });
    expect(connected.profile.external_id).toBe(did);
    const asked = bench.seen.map(({ operation }) => operation);
    expect([asked[0], asked.indexOf("resolveHandle")]).toEqual(["plc.directory", asked.length - 1]);
  });

  it("reads scopes and expiry from the access token", async () => {
    const bench = blueskyBench();
    const { identity, credentials: kept } = await bench.run(() =>
      bench.adapter.connect.login(bench.login, credentials()),
    );
    expect(identity.scopes).toEqual(["com.atproto.appPass"]);
    expect(kept.expires_at).toBe(bench.clock.now() + 7_200_000);
    expect(Object.keys(kept.secret)).toEqual(["access", "refresh"]);
    expect(JSON.stringify(kept)).not.toContain(alice.password);
  });

  it("reaches the operator's own server directly", async () => {
    const bench = networkBench({
      adapter: bluesky({ service: "https://pds.sandbox.example" }),
      network: blueskySandbox,
    });
    bench.network.addAccount(alice);
    await bench.connect(credentials());
    expect(bench.adapter.spec.hosts).toContain("pds.sandbox.example");
    expect(bench.seen.map(({ operation }) => operation)).toEqual(["createSession", "describeServer", "getProfile"]);
  });

  it("treats a loopback address in `service` as a host of the network", () => {
    expect(bluesky({ service: "http://127.0.0.1:2583" }).spec.hosts).toContain("127.0.0.1:2583");
  });

  it("signs in at the server that the user names", async () => {
    const bench = blueskyBench();
    await bench.connect(credentials({ service: "https://pds.sandbox.example" }));
    expect(bench.seen[0]?.operation).toBe("createSession");
  });

  it("uses bsky.social only to find the account's own server", async () => {
    const connected = await blueskyBench().connect(credentials({ service: "https://bsky.social" }));
    expect(connected.profile.host).toBe("pds.sandbox.example");
  });

  it("sends an e-mail address to bsky.social", async () => {
    const bench = blueskyBench();
    const failure = bench.connect(credentials({ identifier: "alice@example.com" }));
    await expect(failure).rejects.toMatchObject({ code: "reauthentication_required" });
    expect(bench.seen.map(({ url }) => url.hostname)).toEqual(["bsky.social"]);
  });

  it("rejects a server that claims an account of another server", async () => {
    const bench = blueskyBench();
    const { did } = bench.network.addAccount({ handle: "victim.example.com" });
    const json = { accessJwt: "a.b.c", refreshJwt: "d.e.f", did, handle: "victim.example.com" };
    bench.network.faults.add({ kind: "refuse", operation: "createSession", answer: { status: 200, json } });
    const service = "https://video.bsky.app";
    await expect(bench.connect(credentials({ service }))).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("stores no token that is longer than a header may be", async () => {
    const bench = blueskyBench();
    const { did } = bench.network.addAccount({ handle: "mallory.example.com" });
    const json = {
      accessJwt: `a.${"W1tb".repeat(100_000)}.c`,
      refreshJwt: "d.e.f",
      did,
      handle: "mallory.example.com",
    };
    bench.network.faults.add({ kind: "refuse", operation: "createSession", answer: { status: 200, json } });
    await expect(bench.connect(credentials())).rejects.toMatchObject({ code: "network_error" });
  });

  it("limits images to a megabyte on a server that does not announce its limit", async () => {
    const bench = blueskyBench();
    bench.network.limitBlobs(null);
    const { profile } = await bench.connect(credentials());
    const images = profile.limits.media?.types?.filter(({ type }) => type !== "video");
    expect(images?.map(({ max_bytes }) => max_bytes)).toEqual([1_000_000, 1_000_000, 1_000_000, 1_000_000]);
  });

  it("limits every file to the server's maximum", async () => {
    const bench = blueskyBench();
    bench.network.limitBlobs(5_000_000);
    const { profile } = await bench.connect(credentials());
    const videos = profile.limits.media?.types?.filter(({ type }) => type === "video");
    expect(videos?.map(({ max_bytes }) => max_bytes)).toEqual([5_000_000]);
  });

  it("succeeds even if the profile's name and image cannot be read", async () => {
    const bench = blueskyBench();
    bench.network.faults.add({
      kind: "refuse",
      operation: "getProfile",
      answer: { status: 502, text: "bad gateway" },
      times: 9,
    });
    expect((await bench.connect(credentials())).profile.handle).toBe(alice.handle);
  });

  it.each<{ given: JsonObject; code: string }>([
    { given: { app_password: "wrong" }, code: "reauthentication_required" },
    { given: { identifier: "nobody.bsky.social" }, code: "invalid_request" },
    { given: { identifier: "alice" }, code: "invalid_request" },
    { given: { identifier: "did:web:under_score" }, code: "invalid_request" },
    { given: { identifier: "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa" }, code: "profile_unavailable" },
  ])("rejects $given with $code", async ({ given, code }) => {
    await expect(blueskyBench().connect(credentials(given))).rejects.toMatchObject({
      name: "PublishingError",
      code,
    });
  });

  it("names the handle that does not exist", async () => {
    const failure = blueskyBench().connect(credentials({ identifier: "nobody.bsky.social" }));
    await expect(failure).rejects.toThrow(/no account nobody\.bsky\.social/);
  });

  it("explains that a two-factor account needs an app password", async () => {
    const bench = blueskyBench();
    const json = { error: "AuthFactorTokenRequired", message: "A sign in code has been sent" };
    bench.network.faults.add({ kind: "refuse", operation: "createSession", answer: { status: 401, json } });
    await expect(bench.connect(credentials())).rejects.toThrow(/app password/);
  });

  it.each(["takeDown", "inactive"])("rejects a closed account (%s)", async (how) => {
    const bench = blueskyBench();
    if (how === "takeDown") bench.network.takeDown(alice.handle);
    else {
      const json = {
        accessJwt: "a",
        refreshJwt: "b",
        did: "did:plc:x",
        handle: "a.b",
        active: false,
        status: "deactivated",
      };
      bench.network.faults.add({ kind: "refuse", operation: "createSession", answer: { status: 200, json } });
    }
    await expect(bench.connect(credentials())).rejects.toMatchObject({ code: "profile_unavailable" });
  });
});

describe("a Bluesky session", () => {
  it("is renewed when the access token has expired, and the request repeated", async () => {
    const { bench, connected } = await connectedBench();
    const before = connected.secret();
    bench.network.expireTokens();
    const identity = await bench.run(() => bench.adapter.connect.inspect(connected.context));
    expect(identity.external_id).toBe(connected.profile.external_id);
    expect(connected.secret().access).not.toBe(before.access);
    expect(connected.secret().refresh).not.toBe(before.refresh);
  });

  it("is refreshed without a body, with the refresh token", async () => {
    const { bench, connected } = await connectedBench();
    const { refresh } = connected.secret();
    await bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    const request = bench.seen.at(-1);
    expect(request?.operation).toBe("refreshSession");
    expect(request?.bytes).toHaveLength(0);
    expect(request?.headers.get("authorization")).toBe(`Bearer ${refresh}`);
  });

  it("needs a new sign-in if the app password was revoked", async () => {
    const { bench, connected } = await connectedBench();
    bench.network.revoke(alice.handle);
    await expect(bench.run(async () => bench.adapter.connect.refresh?.(connected.context))).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });

  it.each([
    { status: 503, text: "busy" },
    { status: 400, text: "<html>a proxy's page</html>" },
    { status: 400, json: { error: "InvalidRequest", message: "something else" } },
  ])("does not end with $status $text$json", async (answer) => {
    const { bench, connected } = await connectedBench();
    bench.network.faults.add({ kind: "refuse", answer, times: 9 });
    const failure = bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
    await expect(failure).rejects.not.toMatchObject({ code: "reauthentication_required" });
  });

  it("of a suspended account makes the profile unavailable", async () => {
    const { bench, connected } = await connectedBench();
    bench.network.takeDown(alice.handle);
    await expect(bench.run(async () => bench.adapter.connect.refresh?.(connected.context))).rejects.toMatchObject({
      code: "profile_unavailable",
    });
  });

  it("ends when it is revoked, and a second revocation succeeds too", async () => {
    const { bench, connected } = await connectedBench();
    await bench.run(async () => bench.adapter.connect.revoke?.(connected.context));
    await bench.run(async () => bench.adapter.connect.revoke?.(connected.context));
    await expect(bench.run(async () => bench.adapter.connect.refresh?.(connected.context))).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });

  it("sends no credential with public reads", async () => {
    const { connect } = bluesky();
    const secret = { access: "access-token", refresh: "refresh-token" };
    const url = "https://pds.sandbox.example/xrpc/com.atproto.repo.getRecord?repo=x";
    const authorization = async (address: string) =>
      (
        await connect.sign(
          { method: "GET", url: address },
          { secret, now: () => 0, randomBytes: (length) => new Uint8Array(length) },
        )
      ).headers?.authorization;
    expect(await authorization(url)).toBeUndefined();
    const own = "https://pds.sandbox.example/xrpc/com.atproto.server.getSession";
    expect(await authorization(own)).toBe("Bearer access-token");
  });
});
