import { beforeEach, describe, expect, it } from "vitest";
import type { EventName } from "../../src/ports/events.ts";
import type { Fault } from "../../src/sandbox/faults.ts";
import type { JsonObject } from "../../src/wire/json.ts";
import { connectAll, connectBluesky, connectMastodon, connectWebhook } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let events: string[];

beforeEach(() => {
  service = createTestService();
  events = [];
  for (const name of [
    "profile.connected",
    "profile.disconnected",
    "profile.needs_attention",
  ] as const satisfies EventName[]) {
    service.social.on(name, ({ profile }) => events.push(`${name} ${profile.network}`));
  }
});

describe("connecting", () => {
  it("accepts an app password, an access token, a bot token and a webhook URL", async () => {
    const profiles = [...(await connectAll(service)), await connectWebhook(service)];
    expect(profiles.map(({ network, status }) => `${network} ${status}`)).toEqual([
      "bluesky connected",
      "mastodon connected",
      "discord connected",
      "discord connected",
    ]);
    expect(new Set(profiles.map(({ external_id }) => external_id)).size).toBe(4);
    expect(events).toEqual(profiles.map(({ network }) => `profile.connected ${network}`));
    const page = await service.social.profiles.list();
    expect(page.data).toHaveLength(4);
    expect(await service.social.profiles.get(profiles[0]?.id ?? "")).toEqual(profiles[0]);
  });

  it("renews the credentials of an account that is already connected, without a second profile or event", async () => {
    const { social, sandbox, clock } = service;
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const connect = () =>
      clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));
    const first = await connect();
    const again = await connect();
    expect(again.id).toBe(first.id);
    expect((await social.profiles.list()).pagination.total).toBe(1);
    expect(events).toEqual(["profile.connected mastodon"]);
  });

  it("treats an undefined credential like a missing one", async () => {
    const { social, sandbox, clock } = service;
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const credentials = { instance, access_token, client_id: undefined };
    const profile = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
    expect(profile.status).toBe("connected");
  });

  it("makes two profiles of one account for two owners", async () => {
    const { social, sandbox, clock } = service;
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const body = { network: "mastodon", credentials: { instance, access_token } } as const;
    const mine = await clock.run(() => social.profiles.connect(body));
    const theirs = await clock.run(() => social.forAccount("somebody-else").profiles.connect(body));
    expect(theirs.id).not.toBe(mine.id);
    expect((await failureOf(social.profiles.get(theirs.id))).code).toBe("not_found");
  });

  it.each([
    ["an unknown network", { network: "friendster", credentials: {} }, "network"],
    ["credentials missing", { network: "bluesky" }, "credentials"],
    ["an unknown field", { network: "bluesky", credentials: {}, token: "x" }, "token"],
    [
      "an app password missing",
      { network: "bluesky", credentials: { identifier: "a.example" } },
      "credentials.app_password",
    ],
    [
      "a wrong app password",
      { network: "bluesky", credentials: { identifier: "alice.sandbox.example", app_password: "abcd" } },
      "credentials",
    ],
    [
      "a wrong access token",
      { network: "mastodon", credentials: { instance: "mastodon.sandbox.example", access_token: "no" } },
      "credentials.access_token",
    ],
    [
      "a wrong bot token",
      { network: "discord", credentials: { bot_token: "no", channel_id: "1573669306368000002" } },
      "credentials.bot_token",
    ],
  ])("names the field: %s", async (_, body, field) => {
    service.sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const error = await failureOf(service.clock.run(() => service.social.profiles.connect(body as never)));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
    expect(error.details.map((detail) => detail.field)).toContain(field);
    expect((await service.social.profiles.list()).pagination.total).toBe(0);
  });

  const loginOn: [network: "bluesky" | "mastodon" | "discord", credentials: JsonObject][] = [
    ["bluesky", { identifier: "alice.sandbox.example", app_password: "abcd-efgh-ijkl-mnop" }],
    ["mastodon", { instance: "mastodon.sandbox.example", access_token: "x" }],
    ["discord", { bot_token: "a-token-of-a-bot-in-form", channel_id: "1573669306368000002" }],
  ];
  const troubles: [name: string, fault: Fault, code: string][] = [
    ["cannot be reached", { kind: "not_sent", code: "ECONNREFUSED" }, "network_error"],
    ["has no such host", { kind: "not_sent", code: "ENOTFOUND" }, "network_error"],
    ["hangs up", { kind: "drop_before" }, "network_error"],
    ["answers 503", { kind: "refuse", answer: { status: 503, text: "busy" } }, "network_error"],
    ["does not answer", { kind: "hang" }, "timeout"],
  ];

  it.each(
    loginOn.flatMap(([network, credentials]) => troubles.map((trouble) => [network, credentials, ...trouble] as const)),
  )("does not blame the credentials while %s %j %s", async (network, credentials, _, fault, code) => {
    service.sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    service.sandbox[network].faults.add({ ...fault, times: 99 });
    const error = await failureOf(service.clock.run(() => service.social.profiles.connect({ network, credentials })));
    expect(error).toMatchObject({ code: "publish_failed", status: 422, details: [{ network, code }] });
    expect(error.message).toMatch(/^The profile could not be connected now\. .* try again later\.$/);
    expect((await service.social.profiles.list()).pagination.total).toBe(0);
  });

  it("does not blame the credentials for an instance that the sandbox does not simulate", async () => {
    const credentials = { instance: "gone.example", access_token: "x" };
    const connecting = service.clock.run(() => service.social.profiles.connect({ network: "mastodon", credentials }));
    expect(await failureOf(connecting)).toMatchObject({
      code: "publish_failed",
      details: [
        { field: "credentials", code: "network_error", message: "The sandbox simulates no host gone.example." },
      ],
    });
  });

  it("asks for another instance when the given one is not a public address", async () => {
    const refused = Object.assign(new Error("address refused: private"), { code: "ADDRESS_REFUSED" });
    service = createTestService({
      untrustedHttp: () => Promise.reject(new TypeError("fetch failed", { cause: refused })),
    });
    const credentials = { instance: "intranet.example", access_token: "x" };
    const connecting = service.clock.run(() => service.social.profiles.connect({ network: "mastodon", credentials }));
    const message = expect.stringContaining(
      "intranet.example could not be reached (address refused: private). [For the developer: Add a host",
    );
    expect(await failureOf(connecting)).toMatchObject({
      code: "invalid_request",
      details: [{ field: "credentials", code: "invalid_request", message }],
    });
  });

  it("refuses to reconnect a profile with another account's credentials", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectMastodon(service);
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "bob" });
    const error = await failureOf(
      clock.run(() =>
        social.profiles.connect({
          network: "mastodon",
          credentials: { instance, access_token },
          profile_id: profile.id,
        }),
      ),
    );
    expect(error.details).toMatchObject([{ field: "profile_id" }]);
  });

  it("names a network that the service does not have", async () => {
    const bare = createTestService({ networks: [] });
    const error = await failureOf(bare.social.profiles.connect({ network: "bluesky", credentials: {} }));
    expect(error.details).toMatchObject([{ field: "network" }]);
  });
});

describe("checking", () => {
  it("returns the status, and the time of the check", async () => {
    const { social, clock } = service;
    const profile = await connectBluesky(service);
    await clock.advance(60_000);
    const checked = await clock.run(() => social.profiles.check(profile.id));
    expect(checked.status).toBe("connected");
    expect(checked.last_checked_at).toBe("2026-11-21T12:01:00.000Z");
  });

  it("marks a broken profile once per break, and reports its return", async () => {
    const { social, sandbox, clock } = service;
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const credentials = { instance, access_token };
    const profile = await clock.run(() => social.profiles.connect({ network: "mastodon", credentials }));
    sandbox.mastodon.revoke(access_token);
    const broken = await clock.run(() => social.profiles.check(profile.id));
    expect(broken.status).toBe("needs_attention");
    expect(broken.status_reason).toBeTruthy();
    await clock.run(() => social.profiles.check(profile.id));
    expect(events).toEqual(["profile.connected mastodon", "profile.needs_attention mastodon"]);
  });

  it("breaks a profile whose credentials now belong to another account", async () => {
    const { social, sandbox, storage, clock } = service;
    const profile = await connectMastodon(service);
    const change = { external_id: "mastodon.sandbox.example:4711" };
    await storage.write([{ kind: "update", collection: "profiles", id: profile.id, change, where: {} }]);
    const checked = await clock.run(() => social.profiles.check(profile.id));
    expect(checked).toMatchObject({ status: "needs_attention", ...change });
    expect(checked.status_reason).toContain("another account");
    expect(sandbox.mastodon.posts()).toEqual([]);
  });

  it("finds an account that its server has taken down", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectBluesky(service);
    sandbox.bluesky.takeDown("alice.sandbox.example");
    expect((await clock.run(() => social.profiles.check(profile.id))).status).toBe("needs_attention");
  });

  it("restores a profile that the network had refused for a while", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectMastodon(service);
    const answer = { status: 403, json: { error: "Your login is currently disabled" } };
    sandbox.mastodon.faults.add({ kind: "refuse", operation: "GET /api/v1/accounts/verify_credentials", answer });
    expect((await clock.run(() => social.profiles.check(profile.id))).status).toBe("needs_attention");
    const well = await clock.run(() => social.profiles.check(profile.id));
    expect(well).toMatchObject({ status: "connected", status_reason: null });
    expect(events.at(-1)).toBe("profile.connected mastodon");
  });

  it("does not change the status when the network cannot be reached", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectMastodon(service);
    sandbox.mastodon.faults.add({ kind: "drop_before", times: 100 });
    const error = await failureOf(clock.run(() => social.profiles.check(profile.id)));
    expect(error.code).toBe("publish_failed");
    expect((await social.profiles.get(profile.id)).status).toBe("connected");
  });
});

describe("publishing with credentials that expire", () => {
  it("renews a Bluesky session without the password, once for concurrent posts", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectBluesky(service);
    const seen: string[] = [];
    sandbox.bluesky.faults.next = (operation) => {
      seen.push(operation);
      return undefined;
    };
    sandbox.bluesky.expireTokens();
    const posts = await clock.run(() =>
      Promise.all(["One", "Two", "Three"].map((text) => social.posts.create({ profile_ids: [profile.id], text }))),
    );
    expect(posts.map(({ status }) => status)).toEqual(["published", "published", "published"]);
    expect(seen.filter((operation) => operation.includes("refreshSession"))).toHaveLength(1);
    expect(seen.filter((operation) => operation.includes("createSession"))).toHaveLength(0);
  });

  it("renews a session ahead of time that would expire during the request", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectBluesky(service);
    // Access tokens live for two hours.
    await clock.advance(7_150_000);
    const seen: string[] = [];
    sandbox.bluesky.faults.next = (operation) => {
      seen.push(operation);
      return undefined;
    };
    await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "In time" }));
    const order = seen.filter((operation) => /refreshSession|applyWrites/.test(operation));
    expect(order.map((operation) => operation.replace(/^.*\./, ""))).toEqual(["refreshSession", "applyWrites"]);
  });

  it("marks the profile once when the session is dead, however many posts it affects", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectBluesky(service);
    sandbox.bluesky.revoke("alice.sandbox.example");
    sandbox.bluesky.expireTokens();
    const scheduled_at = new Date(clock.now() + 120_000).toISOString();
    await clock.run(async () => {
      for (const text of ["One", "Two", "Three"]) {
        await social.posts.create({ profile_ids: [profile.id], text, scheduled_at });
      }
      await clock.sleep(120_000);
      await social.runDue();
    });
    const { data } = await social.posts.list();
    expect(data.map(({ targets }) => targets[0]?.error?.code)).toEqual(Array(3).fill("reauthentication_required"));
    expect(events.filter((event) => event.startsWith("profile.needs_attention"))).toHaveLength(1);
    expect(sandbox.bluesky.posts()).toEqual([]);
  });
});

describe("disconnecting", () => {
  it("destroys the credentials, emits one event, and may be repeated", async () => {
    const { social, storage, clock } = service;
    const profile = await connectMastodon(service);
    const gone = await clock.run(() => social.profiles.disconnect(profile.id));
    expect(gone).toMatchObject({ status: "disconnected", token_expires_at: null });
    expect(await storage.get("profiles", profile.id)).toMatchObject({ private: { secret: null } });
    await clock.run(() => social.profiles.disconnect(profile.id));
    expect(events).toEqual(["profile.connected mastodon", "profile.disconnected mastodon"]);
  });

  it("fails the unpublished parts as profile_unavailable and keeps live parts", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectMastodon(service);
    sandbox.mastodon.faults.add({ kind: "slow", seconds: 5, operation: "commit", after: 1 });
    const post = await clock.run(async () => {
      const created = social.posts.create({ profile_ids: [profile.id], thread: ["One", "Two", "Three"] });
      await clock.sleep(1_000);
      await social.profiles.disconnect(profile.id);
      return created;
    });
    expect(post.targets[0]).toMatchObject({ status: "failed", error: { code: "profile_unavailable" } });
    expect(post.targets[0]?.post_ids).toEqual(sandbox.mastodon.posts().map(({ id }) => id));
    expect(sandbox.mastodon.posts().map(({ text }) => text)).toEqual(["One", "Two"]);
  });

  it("fails an undecided part as timeout: it may be live", async () => {
    const { social, sandbox, clock } = service;
    const profile = await connectMastodon(service);
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hello" }));
    expect(post.status).toBe("publishing");
    await clock.run(() => social.profiles.disconnect(profile.id));
    const settled = await social.posts.get(post.id);
    expect(settled.targets[0]).toMatchObject({ status: "failed", error: { code: "timeout" } });
    expect(settled.targets[0]?.error?.message).toContain("may be live");
  });

  it("fails waiting posts immediately, and destroys the credentials after that", async () => {
    const { social, sandbox, storage, clock } = service;
    const profile = await connectMastodon(service);
    sandbox.mastodon.rateLimit(1_200);
    const post = await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hello" }));
    expect(post.status).toBe("publishing");
    await clock.run(() => social.profiles.disconnect(profile.id));
    const settled = await social.posts.get(post.id);
    expect(settled.targets[0]).toMatchObject({ status: "failed", error: { code: "profile_unavailable" } });
    expect(await storage.get("profiles", profile.id)).toMatchObject({ private: { secret: null }, due_at: null });
  });

  it("allows the same profile to be connected again", async () => {
    const { social, sandbox, clock } = service;
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const body = { network: "mastodon", credentials: { instance, access_token } } as const;
    const profile = await clock.run(() => social.profiles.connect(body));
    await clock.run(() => social.profiles.disconnect(profile.id));
    const back = await clock.run(() => social.profiles.connect(body));
    expect(back).toMatchObject({ id: profile.id, status: "connected" });
    expect(events).toEqual([
      "profile.connected mastodon",
      "profile.disconnected mastodon",
      "profile.connected mastodon",
    ]);
    const post = await clock.run(() => social.posts.create({ profile_ids: [back.id], text: "Back" }));
    expect(post.status).toBe("published");
  });
});
