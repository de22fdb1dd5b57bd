import { describe, expect, it } from "vitest";
import { findKey } from "../../src/keys/keys.ts";
import { createToken, hashOfToken, isWellFormed } from "../../src/keys/token.ts";
import { randomIds } from "../../src/ports/ids.ts";
import { createSocialService } from "../../src/service.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, testKey } from "../support/service.ts";

describe("a key", () => {
  it("is shown once, and is stored nowhere", async () => {
    const { social, storage } = createTestService();
    const { key, ...made } = await social.keys.create({ account_id: "acct_42", scopes: ["read", "publish", "read"] });
    expect(key).toMatch(/^service_live_[\w-]{49}$/);
    expect(made).toMatchObject({ account_id: "acct_42", scopes: ["read", "publish"], revoked_at: null });
    expect(made.last_four).toBe(key.slice(-4));
    const { data } = await social.keys.list();
    expect(data).toEqual([made]);
    const rows = JSON.stringify((await storage.find("keys", { where: {} })).rows);
    expect(rows).not.toContain(key.slice(13, 40));
    expect(rows).toContain(hashOfToken(key));
  });

  it("may do everything on the account default when nothing else is asked for", async () => {
    const made = await createTestService().social.keys.create();
    expect(made).toMatchObject({ account_id: "default", scopes: ["read", "publish", "inbox", "webhooks", "profiles"] });
  });

  it.each([
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["everything"] }, "scopes[0]"],
    [{ account_id: "" }, "account_id"],
    [{ account: "acct_42" }, "account"],
  ])("is refused for %o, naming the field", async (options, field) => {
    const error = await failureOf(createTestService().social.keys.create(options as never));
    expect(error.details).toMatchObject([{ field }]);
  });

  it("must name its account where the service has tenants", async () => {
    const { storage, sandbox, clock } = createTestService();
    const { http, untrustedHttp } = sandbox;
    const social = createSocialService({ storage, clock, tenants: true, encryptionKey: testKey, http, untrustedHttp });
    const error = await failureOf(social.keys.create());
    expect(error.details).toMatchObject([{ field: "account_id" }]);
    expect(await social.keys.create({ account_id: "acct_42" })).toMatchObject({ account_id: "acct_42" });
  });

  it("is found by what its owner shows, and by nothing else", async () => {
    const { social, storage } = createTestService();
    const { key, ...made } = await social.keys.create();
    expect(await findKey({ storage }, key)).toEqual(made);
    for (const wrong of ["", "service_live_", key.slice(0, -1), `${key}x`, key.toUpperCase(), createToken(randomIds)]) {
      expect(await findKey({ storage }, wrong)).toBeNull();
    }
  });

  it("is distinguished from a mistyped one without asking the store", () => {
    const key = createToken(randomIds);
    expect(isWellFormed(key)).toBe(true);
    const mistyped = key.slice(0, 20) + (key[20] === "a" ? "b" : "a") + key.slice(21);
    expect(isWellFormed(mistyped)).toBe(false);
  });
});

describe("revoking a key", () => {
  it("ends it at once, for every process on the store", async () => {
    const { social, storage } = createTestService();
    const { key, id } = await social.keys.create();
    const elsewhere = createTestService({ storage });
    const revoked = await elsewhere.social.keys.revoke(id);
    expect(revoked.revoked_at).not.toBeNull();
    expect(await findKey({ storage }, key)).toBeNull();
    expect((await social.keys.list()).data).toEqual([revoked]);
  });

  it("twice keeps the first moment", async () => {
    const { social, clock } = createTestService();
    const { id } = await social.keys.create();
    const first = await social.keys.revoke(id);
    await clock.advance(60_000);
    expect(await social.keys.revoke(id)).toEqual(first);
  });

  it("that does not exist is not_found", async () => {
    expect((await failureOf(createTestService().social.keys.revoke("key_none"))).code).toBe("not_found");
  });
});

it("lists the keys of one account, newest first", async () => {
  const { social, clock } = createTestService();
  const ids: string[] = [];
  for (const account_id of ["acct_1", "acct_2", "acct_1"]) {
    ids.push((await social.keys.create({ account_id })).id);
    await clock.advance(1_000);
  }
  const { data, pagination } = await social.keys.list({ account_id: "acct_1", limit: 1 });
  expect(data.map(({ id }) => id)).toEqual([ids[2]]);
  expect(pagination).toEqual({ limit: 1, offset: 0, total: 2, has_more: true });
});
