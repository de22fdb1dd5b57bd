import { describe, expect, it } from "vitest";
import { applyLimits } from "../../../src/networks/contract/spec.ts";
import { connector } from "../../../src/networks/mastodon/connect.ts";
import { instanceHost } from "../../../src/networks/mastodon/instance.ts";
import { connectedBench, credentials, host, type MastodonBench, mastodonBench } from "./bench.ts";

async function failure(bench: MastodonBench, given: Record<string, string>): Promise<unknown> {
  return bench.connect(credentials(bench, given)).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the instance in a user's spelling", () => {
  it.each([
    ["mastodon.social", "mastodon.social"],
    ["  Mastodon.Social  ", "mastodon.social"],
    ["@me@mastodon.social", "mastodon.social"],
    ["me@mastodon.social", "mastodon.social"],
    ["https://mastodon.social", "mastodon.social"],
    ["HTTPS://mastodon.social/@me?x=1", "mastodon.social"],
    ["mastodon.social/about", "mastodon.social"],
    ["müller.example", "xn--mller-kva.example"],
    ["localhost:3000", "localhost:3000"],
    ["localhost", "localhost"],
    ["https://mastodon:3000/", "mastodon:3000"],
  ])("is read from %j as %s", (written, wanted) => {
    expect(instanceHost(written)).toBe(wanted);
  });

  it.each([
    ["http://mastodon.social"],
    ["ftp://mastodon.social"],
    ["@me@"],
    ["mastodon"],
    ["@me"],
    [""],
    ["https://"],
    ["not a host"],
  ])("is rejected for %j, with the right form in the message", (written) => {
    expect(() => instanceHost(written)).toThrow(/^instance: must be/);
  });
});

describe("connecting a Mastodon account", () => {
  it("learns the account, with an id that contains the instance", async () => {
    const bench = mastodonBench();
    const account = bench.network.addAccount({ username: "bob", display_name: "Bob B." });
    const { profile } = await bench.connect(credentials(bench, { access_token: account.access_token }));
    expect(profile).toMatchObject({
      external_id: account.external_id,
      handle: `bob@${host}`,
      url: `https://${host}/@bob`,
      host,
      account_facts: { account_id: account.external_id.split(":")[1], api_version: 10 },
    });
  });

  it("returns a token that never expires, with its scopes", async () => {
    const bench = mastodonBench();
    const { identity, credentials: found } = await bench.run(() => connector.login(bench.login, credentials(bench)));
    expect(found).toEqual({ secret: { access_token: bench.token }, expires_at: null });
    expect(identity.scopes).toEqual(["read", "write"]);
    expect(identity.name).toBe("Alice");
  });

  it("reads the instance's limits, which then replace the defaults", async () => {
    const bench = mastodonBench();
    bench.network.addInstance({ host: "long.example", maxCharacters: 5000, urlLength: 32, maxMedia: 6 });
    const { access_token } = bench.network.addAccount({ username: "carol", instance: "long.example" });
    const { profile } = await bench.connect({ instance: "@carol@long.example", access_token });
    const { text, media } = applyLimits(bench.adapter.spec, profile.limits);
    expect(text).toEqual({ max: 5000, url_length: 32, unit: "graphemes", bare_mentions: true });
    expect(media).toMatchObject({ max_items: 6, max_alt: 1500, mixing: "one_type", max_of_type: { video: 1, gif: 1 } });
    expect(media.types.find(({ mime }) => mime === "video/mp4")?.max_bytes).toBe(103_809_024);
  });

  it("falls back to version 1 of the instance document", async () => {
    const bench = mastodonBench();
    bench.network.addInstance({ host: "old.example", maxCharacters: 700, onlyV1: true });
    const { access_token } = bench.network.addAccount({ username: "dan", instance: "old.example" });
    const { profile } = await bench.connect({ instance: "old.example", access_token });
    expect(profile.limits.text?.max).toBe(700);
    expect(profile.account_facts.api_version).toBeNull();
  });

  it("offers only media types that the instance accepts, and keeps the default limits for the rest", async () => {
    const bench = mastodonBench();
    const configuration = { media_attachments: { supported_mime_types: ["image/png"], image_size_limit: 1000 } };
    const json = { version: "1", configuration };
    bench.network.faults.add({ kind: "refuse", operation: "GET /api/v2/instance", answer: { status: 200, json } });
    const { profile } = await bench.connect(credentials(bench));
    const moving = { type: "gif", max_pixels: 921_600, action: "converted to a silent video that plays in a loop" };
    expect(profile.limits.media?.types).toEqual([
      { type: "image", mime: "image/png", max_bytes: 1000, max_pixels: 33_177_600, moving },
    ]);
    expect(profile.limits.text).toEqual({});
  });

  it("keeps every default limit for an instance that announces none", async () => {
    const bench = mastodonBench();
    const answer = { status: 200, json: { version: "2.7.2 (compatible; Small 1.0)" } };
    bench.network.faults.add({ kind: "refuse", operation: "GET /api/v2/instance", answer });
    const { profile } = await bench.connect(credentials(bench));
    const { text, media } = applyLimits(bench.adapter.spec, profile.limits);
    expect({ text, media }).toEqual({ text: bench.adapter.spec.text, media: bench.adapter.spec.media });
  });

  it("does not send the token before the host has proved to be an instance", async () => {
    const bench = mastodonBench();
    const page = { status: 200, text: "<html>hello</html>" };
    bench.network.faults.add({ kind: "refuse", operation: "GET /api/v2/instance", answer: page });
    bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/instance", answer: { status: 301 } });
    await expect(failure(bench, {})).resolves.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("instance:"),
    });
    expect(bench.seen.filter(({ headers }) => headers.has("authorization"))).toEqual([]);
  });

  it.each([
    ["a wrong token", (bench: MastodonBench) => failure(bench, { access_token: "wrong" }), "reauthentication_required"],
    [
      "a revoked token",
      (bench: MastodonBench) => {
        bench.network.revoke(bench.token);
        return failure(bench, {});
      },
      "reauthentication_required",
    ],
    [
      "an instance over http",
      (bench: MastodonBench) => failure(bench, { instance: `http://${host}` }),
      "invalid_request",
    ],
  ])("rejects %s", async (_, attempt, code) => {
    const bench = mastodonBench();
    const error = await attempt(bench);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain(bench.token);
  });

  it("names the scopes that a token lacks", async () => {
    const bench = mastodonBench();
    const { access_token } = bench.network.addAccount({ username: "eve", scopes: ["read", "write:statuses"] });
    await expect(failure(bench, { access_token })).resolves.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("write:media"),
    });
  });

  it("works without scopes if the server does not list them", async () => {
    const bench = mastodonBench();
    const answer = { status: 404, json: { error: "Record not found" } };
    bench.network.faults.add({ kind: "refuse", operation: "GET /api/v1/apps/verify_credentials", answer });
    const { identity } = await bench.run(() => connector.login(bench.login, credentials(bench)));
    expect(identity.scopes).toEqual([]);
  });

  it("reports a suspended account", async () => {
    const { bench, connected } = await connectedBench();
    bench.network.suspend(connected.profile.external_id);
    await expect(bench.run(() => connector.inspect(connected.context))).rejects.toMatchObject({
      refusal: { code: "profile_unavailable" },
    });
  });

  it("gets the same id when the account is connected again", async () => {
    const { bench, connected } = await connectedBench();
    const identity = await bench.run(() => connector.inspect(connected.context));
    expect(identity).toMatchObject({ external_id: connected.profile.external_id, limits: connected.profile.limits });
  });
});
