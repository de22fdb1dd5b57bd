import { describe, expect, it } from "vitest";
import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { IdentifiedPart, Part } from "../../src/networks/contract/plan.ts";
import { connector } from "../../src/networks/mastodon/connect.ts";
import type { MastodonOptions } from "../../src/networks/mastodon/options.ts";
import { publisher } from "../../src/networks/mastodon/publish.ts";
import type { ConnectedProfile } from "../../src/testing/network-bench.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { host, type MastodonBench, mastodonBench, part, pictures, video } from "../networks/mastodon/bench.ts";
import { ask, checker, contract, findings, post, upload } from "./mastodon-wire.ts";

describe.skipIf("skip" in contract)(
  `traffic with the simulated Mastodon conforms to its contract${"skip" in contract ? ` (skipped: ${contract.skip})` : ""}`,
  () => {
    it("when an account publishes texts, files, polls and threads", async () => {
      const bench = mastodonBench();
      bench.network.addAccount({ username: "bob" });
      const connected = await bench.connect({ instance: host, access_token: bench.token });
      await bench.run(() => connector.inspect(connected.context));
      const first = await publish(bench, { connected, part: part({ text: "Hello @bob https://example.com #hi" }) });
      await publish(bench, { connected, previous: first, index: 1, part: part({ text: "and more" }) });
      await publish(bench, { connected, part: part({ media: pictures(bench, 4), options: { sensitive: true } }) });
      bench.network.processMediaFor(5);
      const uploaded = part({ text: "", media: [video(bench)], options: { focus: [{ x: 0, y: 0.5 }] } });
      await expect(publish(bench, { connected, part: uploaded })).rejects.toMatchObject({ name: "NotReady" });
      await bench.clock.advance(5_000);
      await publish(bench, { connected, part: uploaded });
      const poll = { options: ["yes", "no"], expires_in: 600 };
      await publish(bench, { connected, part: part({ options: { poll, language: "en", spoiler_text: "careful" } }) });
      const quote = { quoted_status_id: first.id, quote_approval_policy: "followers" };
      await publish(bench, { connected, part: part({ text: "as I said", options: quote }) });
      const found = await bench.run(() =>
        publisher.lookFor(connected.context, { ...input(connected, { part: uploaded }), since: 0 }),
      );
      expect(found).toMatchObject({ lists: [{ isWhole: true, showsSuch: true }] });
      expect(bench.network.posts()).toHaveLength(6);
      expect(findings(bench, checker())).toEqual([]);
      expect(new Set(bench.seen.map(({ operation }) => operation))).toEqual(
        new Set([
          "GET /api/v2/instance",
          "GET /api/v1/accounts/verify_credentials",
          "GET /api/v1/apps/verify_credentials",
          "POST /api/v1/statuses",
          "POST /api/v2/media",
          "GET /api/v1/media/:id",
          "GET /api/v1/accounts/:id/statuses",
          "GET /api/v1/statuses/:id/source",
        ]),
      );
    });

    it("when it refuses requests", async () => {
      const bench = mastodonBench();
      await post(bench, { status: "t".repeat(501) });
      await post(bench, { status: "Hello", in_reply_to_id: "1" });
      await post(bench, { status: "Hello" }, "wrong");
      bench.network.rateLimit(60);
      await post(bench, { status: "Hello" });
      expect(bench.seen.map(({ answer }) => answer?.status)).toEqual([422, 404, 401, 429]);
      expect(findings(bench, checker())).toEqual([]);
    });

    it("and the check detects violations", () => {
      const check = checker();
      expect(check.request("POST", "/api/v1/statuses", { status: 1 })).not.toEqual([]);
      expect(check.request("POST", "/api/v1/statuses", { visibility: "public" })).not.toEqual([]);
      expect(check.reply("POST", "/api/v1/statuses", 200, { id: "1" })).not.toEqual([]);
      expect(check.reply("POST", "/api/v1/statuses", 418, {})).not.toEqual([]);
      expect(check.reply("GET", "/api/v1/media/1", 206, { id: 1, type: "video" })).not.toEqual([]);
      expect(check.request("POST", "/api/v1/nowhere", {})).not.toEqual([]);
    });

    it("also in the instance document of version 1", async () => {
      const bench = mastodonBench();
      bench.network.addInstance({ host: "old.example", onlyV1: true });
      const { access_token } = bench.network.addAccount({ username: "dan", instance: "old.example" });
      await bench.connect({ instance: "old.example", access_token });
      expect(findings(bench, checker())).toEqual([]);
    });
  },
);

function input(
  connected: ConnectedProfile,
  given: Partial<CommitInput<MastodonOptions>>,
): CommitInput<MastodonOptions> {
  return {
    profile: connected.profile,
    secret: connected.secret(),
    part: part(),
    index: 0,
    staged: {},
    first: null,
    previous: null,
    key: JSON.stringify(given.part?.text),
    created_at: "2026-11-21T12:00:00.000Z",
    ...given,
  };
}

const stagedBy = new WeakMap<Part<MastodonOptions>, Record<string, Json>>();

async function publish(
  bench: MastodonBench,
  {
    connected,
    ...given
  }: Partial<CommitInput<MastodonOptions>> & { connected: ConnectedProfile; part: Part<MastodonOptions> },
): Promise<IdentifiedPart> {
  const kept = stagedBy.get(given.part) ?? {};
  stagedBy.set(given.part, kept);
  const wanted = input(connected, { ...given, staged: kept });
  await bench.run(async () => publisher.stage?.(connected.stage(kept, wanted.index), wanted.part));
  const response = await bench.run(() => connected.send(publisher.commit({ ...wanted, key: JSON.stringify(given) })));
  const accepted = publisher.accepted(response, wanted)?.live;
  if (accepted === undefined) throw new Error(JSON.stringify(response.body));
  return accepted;
}

describe("the simulated Mastodon", () => {
  it.each([
    [{ status: "t".repeat(501) }, "Validation failed: Text character limit of 500 exceeded"],
    [{ status: "t".repeat(495), spoiler_text: "careful" }, "Validation failed: Text character limit of 500 exceeded"],
    [{ status: `https://example.com ${"t".repeat(477)}` }, "Validation failed: Text character limit of 500 exceeded"],
    [{ status: " " }, "Validation failed: Text can't be blank"],
    [{ status: "Hello", visibility: "friends" }, "Validation failed: Visibility is not included in the list"],
    [{ status: "Hello", media_ids: ["1", "2", "3", "4", "5"] }, "Cannot attach more than 4 files"],
    [{ status: "Hello", media_ids: ["17"] }, "Media 17 not found or already attached to another post"],
    [
      { status: "Hello", poll: { options: ["one"], expires_in: 600 } },
      "Validation failed: Options must have more than one item",
    ],
  ])("rejects %j", async (body: JsonObject, error) => {
    const bench = mastodonBench();
    await expect(post(bench, body)).resolves.toMatchObject({ status: 422, body: { error } });
    expect(bench.network.posts()).toEqual([]);
  });

  it.each([
    [{ status: "👩‍👩‍👧".repeat(500) }],
    [{ status: `https://example.com/${"path/".repeat(200)} ${"t".repeat(476)}` }],
    [{ status: `@bob@elsewhere.example ${"t".repeat(495)}` }],
  ])("counts characters like the real one, so it accepts %#", async (body) => {
    await expect(post(mastodonBench(), body)).resolves.toMatchObject({ status: 200 });
  });

  it("renders a post as HTML", async () => {
    const bench = mastodonBench();
    bench.network.addAccount({ username: "bob" });
    const { body } = await post(bench, { status: "1 < 2\nhi @bob\n\n#Tag @nobody@else.example" });
    expect(body.content).toBe(
      `<p>1 &lt; 2<br />hi <span class="h-card" translate="no"><a href="https://${host}/@bob" class="u-url mention">@<span>bob</span></a></span></p>` +
        `<p><a href="https://${host}/tags/tag" class="mention hashtag" rel="tag">#<span>Tag</span></a> @nobody@else.example</p>`,
    );
  });

  it("accepts a file for one post only, and then no longer returns it", async () => {
    const bench = mastodonBench();
    const { body: file } = await upload(bench, "\x89PNG 1");
    const first = await post(bench, { media_ids: [file.id] });
    expect(first.body.media_attachments).toMatchObject([{ id: file.id }]);
    await expect(post(bench, { media_ids: [file.id] })).resolves.toMatchObject({ status: 422 });
    await expect(ask(bench, `/api/v1/media/${file.id}`)).resolves.toMatchObject({ status: 404 });
  });

  it("posts no video before it is converted, nor beside an image", async () => {
    const bench = mastodonBench();
    bench.network.processMediaFor(10);
    const { status, body: uploaded } = await upload(bench, "\0\0\0\x10ftypisom");
    expect(status).toBe(202);
    await expect(ask(bench, `/api/v1/media/${uploaded.id}`)).resolves.toMatchObject({ status: 206 });
    await expect(post(bench, { media_ids: [uploaded.id] })).resolves.toMatchObject({
      status: 422,
      body: { error: "Cannot attach files that have not finished processing. Try again in a moment!" },
    });
    await bench.clock.advance(10_000);
    const { body: picture } = await upload(bench, "\x89PNG 1");
    await expect(post(bench, { media_ids: [uploaded.id, picture.id] })).resolves.toMatchObject({ status: 422 });
    await expect(post(bench, { media_ids: [uploaded.id] })).resolves.toMatchObject({ status: 200 });
  });

  it("rejects a file of an unknown type", async () => {
    await expect(upload(mastodonBench(), "just text")).resolves.toMatchObject({
      status: 422,
      body: { error: "Validation failed: File content type is invalid, File is invalid" },
    });
  });

  it("returns the first post for a repeated key for an hour, whatever the body", async () => {
    const bench = mastodonBench();
    const first = await post(bench, { status: "Hello" }, bench.token, "key");
    await expect(post(bench, { status: "other" }, bench.token, "key")).resolves.toMatchObject({
      status: 200,
      body: { id: first.body.id },
    });
    await bench.clock.advance(3_600_000);
    await post(bench, { status: "Hello" }, bench.token, "key");
    expect(bench.network.posts()).toHaveLength(2);
  });

  it("responds to a repeated key with 404 if the first post was deleted", async () => {
    const bench = mastodonBench();
    const { body } = await post(bench, { status: "Hello" }, bench.token, "key");
    bench.network.removePost(body.id);
    await expect(post(bench, { status: "Hello" }, bench.token, "key")).resolves.toMatchObject({ status: 404 });
  });

  it("shows a private post only to its author, and later when reads lag", async () => {
    const bench = mastodonBench();
    bench.network.lagReads(30);
    await post(bench, { status: "for friends", visibility: "private" });
    const { access_token } = bench.network.addAccount({ username: "bob" });
    const path = `/api/v1/accounts/${bench.network.posts()[0]?.account.split(":")[1]}/statuses`;
    await expect(ask(bench, path)).resolves.toMatchObject({ status: 200, body: [] });
    await bench.clock.advance(30_000);
    await expect(ask(bench, path)).resolves.toMatchObject({ body: [{ visibility: "private" }] });
    await expect(ask(bench, path, {}, access_token)).resolves.toMatchObject({ body: [] });
  });

  it("gives the end of a rate limit as an ISO time with microseconds", async () => {
    const bench = mastodonBench();
    bench.network.rateLimit(60);
    const { status, headers } = await post(bench, { status: "Hello" });
    expect(status).toBe(429);
    expect(headers.get("x-ratelimit-reset")).toBe("2026-11-21T12:01:00.000000Z");
    expect(headers.get("retry-after")).toBeNull();
    await bench.clock.advance(60_000);
    await expect(post(bench, { status: "Hello" })).resolves.toMatchObject({ status: 200 });
  });

  it("accepts a token only on its own instance and for its own scopes", async () => {
    const bench = mastodonBench();
    bench.network.addInstance({ host: "other.example" });
    const other = bench.network.addAccount({ username: "carol", instance: "other.example" });
    const reader = bench.network.addAccount({ username: "reader", scopes: ["read"] });
    await expect(post(bench, { status: "Hello" }, other.access_token)).resolves.toMatchObject({ status: 401 });
    await expect(post(bench, { status: "Hello" }, reader.access_token)).resolves.toMatchObject({ status: 403 });
    bench.network.revoke(bench.token);
    await expect(post(bench, { status: "Hello" })).resolves.toMatchObject({
      status: 401,
      body: { error: "The access token was revoked" },
    });
  });
});
