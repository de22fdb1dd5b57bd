import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { facebookApp, minuteMs, openBench } from "../inbox/facebook-bench.ts";
import { testBaseUrl } from "../support/service.ts";

const url = `${testBaseUrl}/hooks/facebook/${facebookApp.client_id}/deletion`;

/** As Meta writes it. https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback (2026-09) */
function signedRequest(userId: string, secret = facebookApp.client_secret): URLSearchParams {
  const payload = Buffer.from(JSON.stringify({ user_id: userId, algorithm: "HMAC-SHA256", issued_at: 1 }));
  const text = payload.toString("base64url");
  const signature = createHmac("sha256", secret).update(text).digest("base64url");
  return new URLSearchParams({ signed_request: `${signature}.${text}` });
}

/** A Page that was connected by the login of a person of this id, and one by another's. */
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

it("ends the logins of the person who asked, deletes what was written to them, and says so", async () => {
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

it("is done by the hourly work where the process died after its answer", async () => {
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
  ["a wrong signature", signedRequest("7001", "another"), url, 403],
  ["no signature", new URLSearchParams(), url, 403],
  ["a body that is too large", new URLSearchParams({ signed_request: "x".repeat(16_384) }), url, 413],
  ["what is signed but no request", new URLSearchParams({ signed_request: "e30.e30" }), url, 403],
  ["an app that is not known", signedRequest("7001"), `${testBaseUrl}/hooks/facebook/1/deletion`, 404],
  ["a network that asks for none", signedRequest("7001"), `${testBaseUrl}/hooks/mastodon/1/deletion`, 404],
] as const)("%s is refused, and nothing is stored", async (_, body, address, status) => {
  const { post, storage, profile, social } = await twoLogins();
  expect((await post(body, address)).status).toBe(status);
  expect((await storage.find("deletions", { where: {} })).rows).toEqual([]);
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
});

it("is not taken from an account that names another's app with a secret that it made up", async () => {
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
  const body = signedRequest("7001", madeUp.client_secret);
  expect((await clock.run(() => handler(new Request(url, { method: "POST", body })))).status).toBe(200);
  await clock.advance(minuteMs);
  expect((await social.profiles.get(profile.id)).status).toBe("connected");
  expect((await social.forAccount("mallory").profiles.get(own.id)).status).toBe("disconnected");
});

it("of a login that is not known here is taken, and has nothing to delete", async () => {
  const { post, handler, clock, conversations } = await twoLogins();
  const { url: status } = (await (await post(signedRequest("7009"))).json()) as { url: string };
  await clock.advance(minuteMs);
  expect(await (await handler(new Request(status))).text()).toBe("Your data have been deleted.");
  expect(await conversations()).toHaveLength(2);
  expect((await handler(new Request(`${testBaseUrl}/hooks/deletions/${"0".repeat(32)}`))).status).toBe(404);
});

it("of people who are not known here is taken a hundred times an hour from one app, and kept for a month", async () => {
  const { post, clock, storage, social, profile } = await twoLogins();
  const kept = async () => (await storage.find("deletions", { where: {} })).total;
  const statuses: number[] = [];
  for (let person = 0; person < 102; person++) statuses.push((await post(signedRequest(`8${person}`))).status);
  expect(statuses).toEqual([...Array(100).fill(200), 429, 429]);
  expect(await kept()).toBe(100);
  // Those who are known here do not wait behind them.
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

it("names a login that was made in a browser, or by a person's token", async () => {
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
