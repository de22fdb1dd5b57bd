import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createHandler } from "../../src/http/index.ts";
import type { HookSubscription, HookTarget } from "../../src/networks/contract/hooks.ts";
import { signedByApp } from "../../src/networks/shared/app.ts";
import { linkedin } from "../../src/networks/shared/hook-forms/linkedin.ts";
import { standardWebhooks } from "../../src/networks/shared/hook-forms/standard-webhooks.ts";
import { oauthAppSchema } from "../../src/networks/shared/oauth2.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { testBaseUrl } from "../support/service.ts";
import { eventWith, openToyHooks, toyApp, whopEvent } from "../support/toy-hooks.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Answers a request for a subscription. */
type Answer = (to: HookTarget) => Promise<HookSubscription>;

/** A network with Whop's form; `answers`: one for each time it is asked, the last for all that follow. */
async function open(...answers: Answer[]) {
  const asked: HookTarget[] = [];
  const subscribe: Answer = (to) => {
    asked.push(to);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) throw new Error("Nobody answers.");
    return answer(to);
  };
  const toy = await openToyHooks({ signed: { by: "subscription" }, form: standardWebhooks, subscribe });
  const post = async (text: string, secret: string, end = toy.inboxId, account?: string): Promise<number> =>
    (await toy.send(end, whopEvent({ text, secret, at: toy.clock.now(), ...(account !== undefined && { account }) })))
      .status;
  return { ...toy, asked, post };
}

const made =
  (secret: string): Answer =>
  async () => ({ state: "confirmed", secret });

const unchanged: Answer = async () => ({ state: "confirmed" });

const lost: Answer = async () => {
  throw new Error("The answer was lost.");
};

describe("a subscription with a secret of its own", () => {
  it("has an address of the inbox, and what is signed with its secret is taken in", async () => {
    const { post, texts, asked, inboxId, status } = await open(made("ws_1"), unchanged);
    expect(asked).toEqual([{ url: `${testBaseUrl}/hooks/mastodon/${inboxId}`, appId: toyApp, secret: "" }]);
    expect(await post("a", "ws_1")).toBe(200);
    expect(await texts()).toEqual(["a"]);
    expect(await status()).toMatchObject({ failure: null, received_at: expect.any(String) });
  });

  it("is refused with any other secret, at the app's address, and at that of an unknown inbox", async () => {
    const { post, storedEvents, inboxId } = await open(made("ws_1"), unchanged);
    expect(await post("a", "ws_2")).toBe(403);
    expect(await post("a", "")).toBe(403);
    expect(await post("a", "ws_1", toyApp)).toBe(404);
    expect(await post("a", "ws_1", `${inboxId}x`)).toBe(404);
    expect(await storedEvents()).toEqual([]);
  });

  it("ends with its profile, and what is sent afterwards is not stored", async () => {
    const ended: string[] = [];
    const toy = await openToyHooks({
      signed: { by: "subscription" },
      form: standardWebhooks,
      subscribe: made("ws_1"),
      unsubscribe: ({ url }) => ended.push(url),
    });
    await toy.clock.run(() => toy.social.profiles.disconnect(toy.profileId));
    await toy.clock.advance(minuteMs);
    expect(ended).toEqual([`${testBaseUrl}/hooks/mastodon/${toy.inboxId}`]);
    await toy.send(toy.inboxId, whopEvent({ text: "a", secret: "ws_1", at: toy.clock.now() }));
    expect(await toy.storedEvents()).toEqual([]);
  });

  it("tells nothing of other accounts", async () => {
    const { post, storedEvents, connect, clock } = await open(made("ws_1"), unchanged);
    await connect("account-2");
    await clock.advance(minuteMs);
    expect(await post("a", "ws_1", undefined, "account-2")).toBe(200);
    expect(await storedEvents()).toEqual([]);
  });

  it("stores its secret encrypted", async () => {
    const { storage } = await open(made("canary-secret"), unchanged);
    const { rows } = await storage.find("inboxes", { where: {} });
    expect(JSON.stringify(rows)).toContain('"secrets":["v1.');
    expect(JSON.stringify(rows)).not.toContain("canary-secret");
  });

  it("tells the network's adapter which secret is stored", async () => {
    const { asked, clock } = await open(made("ws_1"), made("ws_2"), unchanged);
    await clock.advance(13 * hourMs);
    expect(asked.map(({ secret }) => secret)).toEqual(["", "ws_1", "ws_2"]);
  });

  it("keeps the former secret, and drops the oldest of three", async () => {
    const { post, clock, texts } = await open(made("ws_1"), made("ws_2"), made("ws_3"), unchanged);
    await clock.advance(6 * hourMs + minuteMs);
    expect([await post("a", "ws_1"), await post("b", "ws_2")]).toEqual([200, 200]);
    await clock.advance(6 * hourMs);
    expect([await post("c", "ws_1"), await post("d", "ws_2"), await post("e", "ws_3")]).toEqual([403, 200, 200]);
    expect(await texts()).toEqual(["a", "b", "d", "e"]);
  });
});

describe("a webhook while the secret of its subscription is not stored", () => {
  it("is to be sent again while the network is asked", async () => {
    let answer: (value: HookSubscription) => void = () => undefined;
    const waiting: Answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const { post, storedEvents, texts, clock } = await open(waiting, unchanged);
    expect(await post("a", "ws_1")).toBe(503);
    expect(await storedEvents()).toEqual([]);
    answer({ state: "confirmed", secret: "ws_1" });
    await clock.advance(1_000);
    expect(await post("a", "ws_1")).toBe(200);
    expect(await texts()).toEqual(["a"]);
  });

  it("is to be sent again after the answer was lost, until another subscription has a secret that is known", async () => {
    const { post, storedEvents, texts, clock, asked } = await open(lost, made("ws_2"), unchanged);
    expect(await post("a", "ws_1")).toBe(503);
    expect(await storedEvents()).toEqual([]);
    await clock.advance(2 * minuteMs);
    expect(asked.map(({ secret }) => secret)).toEqual(["", ""]);
    expect(await post("a", "ws_1")).toBe(403);
    expect(await post("a", "ws_2")).toBe(200);
    expect(await texts()).toEqual(["a"]);
  });

  it("is refused ten minutes after the network was last asked", async () => {
    const { post, clock, asked } = await open(lost);
    expect(await post("a", "ws_1")).toBe(503);
    await clock.advance(16 * minuteMs);
    const times = asked.length;
    expect(await post("a", "ws_1")).toBe(503);
    await clock.advance(10 * minuteMs);
    expect(asked).toHaveLength(times);
    expect(await post("a", "ws_1")).toBe(403);
  });
});

describe("a subscription that the owner of the app completes by hand", () => {
  const byHand = { url: "https://api.example.com/hooks", verify_token: "canary-token" };
  const asking: Answer = async () => ({ state: "asked", byHand });
  const app = { client_id: toyApp, client_secret: "secret" };

  async function openByHand() {
    const signed = signedByApp(app, { schema: oauthAppSchema });
    const toy = await openToyHooks({ signed, form: linkedin, subscribe: asking });
    const post = async (text: string): Promise<number> => {
      const body = eventWith(text);
      const signature = createHmac("sha256", app.client_secret).update(`hmacsha256=${body}`).digest("hex");
      return (await toy.send(toyApp, { method: "POST", headers: { "x-li-signature": signature }, body })).status;
    };
    return { ...toy, post };
  }

  it("is shown to the host with what is to be set, until and after the first webhook, which confirms it", async () => {
    const { status, clock, post, social, texts } = await openByHand();
    await clock.advance(7 * hourMs);
    expect(await status()).toMatchObject({ subscribed_at: null, setup: byHand });
    expect((await status())?.failure).toContain("by hand");
    expect(await post("a")).toBe(200);
    expect(await texts()).toEqual(["a"]);
    await clock.advance(minuteMs);
    expect(await status()).toMatchObject({ subscribed_at: expect.any(String), failure: null, setup: byHand });
    const [{ gaps } = { gaps: [] }] = (await social.inbox.status()).data;
    expect(gaps).toHaveLength(1);
    await clock.advance(13 * hourMs);
    expect(await status()).toMatchObject({ subscribed_at: expect.any(String), failure: null });
  });

  it("is stored encrypted, and the REST API does not show what is to be set", async () => {
    const { storage, social } = await openByHand();
    const { rows } = await storage.find("inboxes", { where: {} });
    expect(JSON.stringify(rows)).not.toContain("canary-token");
    const { key } = await social.keys.create();
    const request = new Request(`${testBaseUrl}/v1/inbox/status`, { headers: { authorization: `Bearer ${key}` } });
    const response = await createHandler(social)(request);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { hooks: object }[] };
    expect(data.map(({ hooks }) => Object.keys(hooks))).toEqual([["subscribed_at", "received_at", "failure"]]);
  });
});

describe("a process that dies between the network's answer and its own write", () => {
  it("leaves webhooks that are to be sent again, and the next process a subscription to replace", async () => {
    const clock = manualClock();
    const stored = memoryStorage({ clock });
    let isDead = false;
    const dying = new Proxy(stored, {
      get(target, name: keyof Storage) {
        const method = target[name];
        if (typeof method !== "function") return method;
        return (...given: never[]) =>
          isDead ? new Promise(() => undefined) : Reflect.apply(method as () => unknown, target, given);
      },
    });
    const asked: HookTarget[] = [];
    const subscribe: Answer = async (to) => {
      asked.push(to);
      isDead = asked.length === 1;
      return { state: "confirmed", secret: `ws_${asked.length}` };
    };
    const given = { form: standardWebhooks, signed: { by: "subscription" }, subscribe, clock } as const;
    const { inboxId } = await openToyHooks({ ...given, storage: dying });
    const { send, texts } = await openToyHooks({ ...given, storage: stored });
    const post = async (secret: string): Promise<number> =>
      (await send(inboxId, whopEvent({ text: "a", secret, at: clock.now() }))).status;
    expect(asked).toHaveLength(1);
    expect(await post("ws_1")).toBe(503);
    await clock.advance(5 * minuteMs);
    expect(asked.map(({ secret }) => secret)).toEqual(["", ""]);
    expect([await post("ws_1"), await post("ws_2")]).toEqual([403, 200]);
    expect(await texts()).toEqual(["a"]);
  });
});

describe("a secret whose encryption key is missing", () => {
  it("is replaced, and until then webhooks are to be sent again", async () => {
    const clock = manualClock();
    const storage = memoryStorage({ clock });
    const asked: string[] = [];
    const given = { form: standardWebhooks, signed: { by: "subscription" }, clock, storage } as const;
    const { social } = await openToyHooks({ ...given, subscribe: made("ws_1") });
    await clock.run(() => social.stop());
    const subscribe: Answer = (to) => {
      asked.push(to.secret);
      return asked.length < 6 ? lost(to) : made("ws_2")(to);
    };
    const encryptionKey = Buffer.alloc(32, 1).toString("base64");
    // Whose account is connected again, so that its credentials can be decrypted.
    const toy = await openToyHooks({ ...given, encryptionKey, subscribe });
    const post = async (secret: string): Promise<number> =>
      (await toy.send(toy.inboxId, whopEvent({ text: "a", secret, at: clock.now() }))).status;
    // The network was last asked more than ten minutes ago.
    await clock.advance(26 * minuteMs);
    expect(asked).toHaveLength(5);
    expect(await post("ws_1")).toBe(503);
    await clock.advance(6 * minuteMs);
    expect(new Set(asked)).toEqual(new Set([""]));
    expect(await post("ws_2")).toBe(200);
    expect(await toy.texts()).toEqual(["a"]);
  });
});
