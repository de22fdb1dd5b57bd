import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { facebookApp, minuteMs, openBench } from "../inbox/facebook-bench.ts";
import { testBaseUrl } from "../support/service.ts";

const url = `${testBaseUrl}/hooks/facebook/${facebookApp.client_id}/deletion`;

/** After the last connection of any test, milliseconds. */
const later = Date.parse("2100-01-01");

/**
 * In Meta's format.
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback
 * (2026-09)
 */
function signedRequest(
  userId: string,
  { secret = facebookApp.client_secret, issuedAt = later }: { secret?: string; issuedAt?: number } = {},
): URLSearchParams {
  const issued_at = Math.floor(issuedAt / 1_000);
  const payload = Buffer.from(JSON.stringify({ user_id: userId, algorithm: "HMAC-SHA256", issued_at }));
  const text = payload.toString("base64url");
  const signature = createHmac("sha256", secret).update(text).digest("base64url");
  return new URLSearchParams({ signed_request: `${signature}.${text}` });
}

/** A Page connected by a person with this id, and one by another person. */
async function twoLogins() {
  const bench = await openBench();
  const { social, clock, facebook: there, handler, ann, page } = bench;
  const post = (body: URLSearchParams, address = url): Promise<Response> =>
    clock.run(() => handler(new Request(address, { method: "POST", body })));
  const connect = (person_id: string, access_token: string) =>
    clock.run(() =>
      social.profiles.connect({
        network: "facebook",
        credentials: { access_token, client_id: facebookApp.client_id, person_id },
      }),
    );
  await connect("7001", bench.access_token);
  const other = there.addPage({ name: "Another" });
  const theirs = await connect("7002", other.access_token);
  there.messageAs(ann, page, "To the fox");
  there.messageAs(there.addFan("Bob"), other.external_id, "To the other");
  await clock.advance(20 * minuteMs);
  return { ...bench, post, theirs };
}

it("a deletion request ends the person's connections, deletes their messages, and reports it", async () => {
  const { post, social, clock, handler, profile, theirs, conversations, storage } = await twoLogins();
  expect(await conversations()).toHaveLength(2);
  const answer = await post(signedRequest("7001"));
  expect(answer.status).toBe(200);
  const { url: status, confirmation_code } = (await answer.json()) as { url: string; confirmation_code: string };
  expect(status).toBe(`${testBaseUrl}/hooks/deletions/${confirmation_code}`);
  await clock.advance(minuteMs);
  expect(await (await handler(new Request(status))).text()).toBe("Your data have been deleted.");
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
  expect((await social.profiles.get(theirs.id)).status).toBe("connected");
  expect((await conversations()).map(({ profile_id }) => profile_id)).toEqual([theirs.id]);
  expect((await storage.find("messages", { where: { profile_id: profile.id } })).rows).toEqual([]);
});

it("the hourly work finishes a deletion where the process died after its response", async () => {
  const { post, clock, profile, social, storage } = await twoLogins();
  const { write } = storage;
  storage.write = (operations) =>
    operations.some(({ collection }) => collection === "profiles")
      ? Promise.reject(new Error("died"))
      : write(operations);
  expect((await post(signedRequest("7001"))).status).toBe(200);
  await clock.advance(minuteMs);
  storage.write = write;
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
  await clock.advance(2 * 3_600_000);
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
});

it.each([
  ["a wrong signature", signedRequest("7001", { secret: "another" }), url, 403],
  ["no signature", new URLSearchParams(), url, 403],
  ["a body that is too large", new URLSearchParams({ signed_request: "x".repeat(16_384) }), url, 413],
  ["a signed text that is not a request", new URLSearchParams({ signed_request: "e30.e30" }), url, 403],
  ["an unknown app", signedRequest("7001"), `${testBaseUrl}/hooks/facebook/1/deletion`, 404],
  ["a network without such requests", signedRequest("7001"), `${testBaseUrl}/hooks/mastodon/1/deletion`, 404],
] as const)("%s is rejected, and nothing is stored", async (_, body, address, status) => {
  const { post, storage, profile, social } = await twoLogins();
  expect((await post(body, address)).status).toBe(status);
  expect((await storage.find("deletions", { where: {} })).rows).toEqual([]);
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
});

it("a deletion request is rejected from an account that names another's app with an invented secret", async () => {
  const madeUp = { ...facebookApp, client_secret: "made-up" };
  const {
    social,
    clock,
    handler,
    facebook: there,
    profile,
    access_token,
  } = await openBench({
    app: (id) => (id === "mallory" ? madeUp : facebookApp),
  });
  const connect = (account: string, token: string, person_id: string) => {
    const credentials = { access_token: token, client_id: facebookApp.client_id, person_id };
    return clock.run(() => social.forAccount(account).profiles.connect({ network: "facebook", credentials }));
  };
  await connect("default", access_token, "7001");
  const own = await connect("mallory", there.addPage({ name: "Mallory's" }).access_token, "7001");
  const body = signedRequest("7001", { secret: madeUp.client_secret });
  expect((await clock.run(() => handler(new Request(url, { method: "POST", body })))).status).toBe(200);
  await clock.advance(minuteMs);
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
  expect((await social.forAccount("mallory").profiles.get(own.id)).status).toBe("disconnected");
});

it("a deletion request for an unknown person is accepted, and has nothing to delete", async () => {
  const { post, handler, clock, conversations } = await twoLogins();
  const { url: status } = (await (await post(signedRequest("7009"))).json()) as { url: string };
  await clock.advance(minuteMs);
  expect(await (await handler(new Request(status))).text()).toBe("Your data have been deleted.");
  expect(await conversations()).toHaveLength(2);
  expect((await handler(new Request(`${testBaseUrl}/hooks/deletions/${"0".repeat(32)}`))).status).toBe(404);
});

it("deletion requests for unknown persons are accepted a hundred times an hour from one app, and kept for a month", async () => {
  const { post, clock, storage, social, profile } = await twoLogins();
  const kept = async () => (await storage.find("deletions", { where: {} })).total;
  const statuses: number[] = [];
  for (let person = 0; person < 102; person++) statuses.push((await post(signedRequest(`8${person}`))).status);
  expect(statuses).toEqual([...Array(100).fill(200), 429, 429]);
  expect(await kept()).toBe(100);
  // Requests for known persons do not wait behind them.
  expect((await post(signedRequest("7001"))).status).toBe(200);
  await clock.advance(minuteMs);
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
  await clock.advance(60 * minuteMs);
  expect((await post(signedRequest("8200"))).status).toBe(200);
  await clock.run(() => social.stop());
  await clock.advance(32 * 86_400_000);
  await clock.run(() => social.runDue());
  expect(await kept()).toBe(1);
});

it("a deletion request matches a connection made in a browser, or with a person's token", async () => {
  const { social, clock, storage, facebook: there, page } = await openBench();
  const access_token = there.addPerson({ name: "Pat", pages: [page] });
  const profile = await clock.run(() =>
    social.profiles.connect({
      network: "facebook",
      credentials: { access_token, client_id: facebookApp.client_id },
    }),
  );
  expect(await storage.get("grants", profile.id)).toMatchObject({
    grant_id: expect.stringMatching(/^2204567890123456\/\d+$/),
  });
});

it("a deletion erases no connection made after the person's request, however late the request arrives", async () => {
  const { post, clock, social, profile, theirs, access_token, conversations } = await twoLogins();
  const issuedAt = clock.now();
  await clock.run(() => social.stop());
  await clock.advance(20 * 86_400_000);
  expect((await post(signedRequest("7002", { issuedAt }))).status).toBe(200);
  await clock.run(() =>
    social.profiles.connect({
      network: "facebook",
      credentials: { access_token, client_id: facebookApp.client_id, person_id: "7001" },
    }),
  );
  expect((await post(signedRequest("7001", { issuedAt }))).status).toBe(200);
  await clock.advance(minuteMs);
  expect((await social.profiles.get(theirs.id)).status).toBe("disconnected");
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
  expect((await conversations()).map(({ profile_id }) => profile_id)).toEqual([profile.id]);
});

it("a repeated deletion request gets the same code, and erases nothing newer", async () => {
  const { post, clock, handler, social, profile, access_token, storage } = await twoLogins();
  const request = signedRequest("7001", { issuedAt: clock.now() });
  const codeOf = async (response: Response): Promise<unknown> =>
    ((await response.json()) as { confirmation_code: string }).confirmation_code;
  const [code, atOnce] = await Promise.all([post(request), post(request)].map(async (sent) => codeOf(await sent)));
  await clock.advance(minuteMs);
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
  const credentials = { access_token, client_id: facebookApp.client_id, person_id: "7001" };
  await clock.run(() => social.profiles.connect({ network: "facebook", credentials }));
  const again = await codeOf(await post(request));
  await clock.advance(minuteMs);
  expect([atOnce, again]).toEqual([code, code]);
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
  expect((await storage.find("deletions", { where: {} })).total).toBe(1);
  expect((await handler(new Request(`${testBaseUrl}/hooks/deletions/${code}`))).status).toBe(200);
  // A new request covers the data of today.
  const next = await codeOf(await post(signedRequest("7001", { issuedAt: clock.now() })));
  await clock.advance(minuteMs);
  expect(next).not.toBe(code);
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
});

it("a deletion erases a profile that was only checked since the request: a check is no new connection", async () => {
  const { post, clock, social, profile } = await twoLogins();
  const issuedAt = clock.now();
  await clock.advance(minuteMs);
  await clock.run(() => social.profiles.check(profile.id));
  expect((await post(signedRequest("7001", { issuedAt }))).status).toBe(200);
  await clock.advance(minuteMs);
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
});

it("a waiting deletion skips a profile that is reconnected meanwhile", async () => {
  const { post, clock, profile, social, storage, access_token } = await twoLogins();
  const { write } = storage;
  storage.write = (operations) =>
    operations.some(({ collection }) => collection === "profiles")
      ? Promise.reject(new Error("died"))
      : write(operations);
  expect((await post(signedRequest("7001", { issuedAt: clock.now() }))).status).toBe(200);
  await clock.advance(minuteMs);
  storage.write = write;
  const credentials = { access_token, client_id: facebookApp.client_id, person_id: "7001" };
  await clock.run(() => social.profiles.connect({ network: "facebook", credentials }));
  await clock.advance(2 * 3_600_000);
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
  expect((await storage.find("deletions", { where: { status: "pending" } })).total).toBe(0);
});

describe("an account that names another's app with an invented secret", () => {
  const madeUp = "made-up";

  async function withMallory() {
    const own = { ...facebookApp, client_secret: madeUp };
    const bench = await openBench({ app: (id) => (id.startsWith("mallory") ? own : facebookApp) });
    const { social, clock, handler, storage, facebook: there, profile, access_token } = bench;
    const connect = (account: string, token: string, person_id: string) => {
      const credentials = { access_token: token, client_id: facebookApp.client_id, person_id };
      return clock.run(() => social.forAccount(account).profiles.connect({ network: "facebook", credentials }));
    };
    const post = (body: URLSearchParams): Promise<Response> =>
      clock.run(() => handler(new Request(url, { method: "POST", body })));
    await connect("default", access_token, "7001");
    const { access_token: hers } = there.addPage({ name: "Mallory's" });
    await connect("mallory", hers, "7001");
    // 120 Pages more, as if she had connected them.
    const [inbox] = (await storage.find("inboxes", { where: { account_id: "mallory" } })).rows;
    if (inbox === undefined) throw new Error("There is no inbox.");
    await clock.advance(1_000);
    for (let number = 0; number < 120; number++) {
      const row = { ...inbox, id: `inb_${number}`, profile_id: `prof_${number}`, due_at: null };
      await storage.write([{ kind: "insert", collection: "inboxes", row }]);
    }
    return { ...bench, post, profile };
  }

  it("blocks no genuine request to the owner, with 120 Pages", async () => {
    const { post, clock, social, profile } = await withMallory();
    expect((await post(signedRequest("7001"))).status).toBe(200);
    await clock.advance(minuteMs);
    expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
    // And of an unknown person.
    expect((await post(signedRequest("7009"))).status).toBe(200);
  });

  it("uses up none of the owner's requests about unknown persons", async () => {
    const { post } = await withMallory();
    for (let person = 0; person < 102; person++) await post(signedRequest(`8${person}`, { secret: madeUp }));
    expect((await post(signedRequest("8900", { secret: madeUp }))).status).toBe(429);
    expect((await post(signedRequest("8901"))).status).toBe(200);
  });
});

it("a deletion is done though more than a hundred others fail", async () => {
  const { post, clock, storage, social, profile, theirs } = await twoLogins();
  for (let number = 0; number < 150; number++) {
    const row = { id: `${number}`.padStart(32, "0"), status: "pending", created_at: "2026-12-31T00:00:00.000Z" };
    const state = { profile_ids: [theirs.id], before: later };
    await storage.write([{ kind: "insert", collection: "deletions", row: { ...row, private: state } }]);
  }
  const { write } = storage;
  storage.write = (operations) =>
    operations.some((each) => each.collection === "profiles" && "id" in each && each.id === theirs.id)
      ? Promise.reject(new Error("It fails."))
      : write(operations);
  expect((await post(signedRequest("7001"))).status).toBe(200);
  await clock.advance(minuteMs);
  expect((await social.profiles.get(profile.id)).status).toBe("disconnected");
});
