import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { HookRequest } from "../../../../src/networks/contract/hooks.ts";
import { eventsub } from "../../../../src/networks/shared/hook-forms/eventsub.ts";
import { linkedin } from "../../../../src/networks/shared/hook-forms/linkedin.ts";
import { meta, verifyToken } from "../../../../src/networks/shared/hook-forms/meta.ts";
import { rsa } from "../../../../src/networks/shared/hook-forms/rsa.ts";
import { standardWebhooks } from "../../../../src/networks/shared/hook-forms/standard-webhooks.ts";
import { x } from "../../../../src/networks/shared/hook-forms/x.ts";
import {
  type DocumentedHook,
  documentedChallenge,
  documentedCrc,
  documentedHooks,
  kickPublicKey,
} from "./documented.ts";

function requestOf({ headers, body, at }: Pick<DocumentedHook, "headers" | "body" | "at">): HookRequest {
  const bytes = new TextEncoder().encode(body);
  return {
    method: "POST",
    parameters: new URLSearchParams(),
    headers: new Headers(headers),
    bytes,
    at: Date.parse(at),
  };
}

function question(parameters: Record<string, string>): HookRequest {
  const bytes = new Uint8Array();
  return { method: "GET", parameters: new URLSearchParams(parameters), headers: new Headers(), bytes, at: 0 };
}

const timed = documentedHooks.filter(({ form }) => form.maxAgeSeconds !== null);

describe.each(documentedHooks)("$name", (hook) => {
  const { form, key } = hook;
  const request = requestOf(hook);

  it("is genuine with its key, also beside others", () => {
    expect(form.isSigned(request.headers)).toBe(true);
    expect(form.isGenuine(request, [key])).toBe(true);
    expect(form.isGenuine(request, ["", "another", key])).toBe(true);
  });

  it("is refused with other keys, and with none", () => {
    for (const keys of [[], [""], ["another"], [kickPublicKey]]) expect(form.isGenuine(request, keys)).toBe(false);
  });

  it("is refused once any byte of it is another", () => {
    const places = ["body", ...Object.keys(hook.headers)] as const;
    const changes = fc.record({ place: fc.constantFrom(...places), at: fc.nat(), by: fc.integer({ min: 1, max: 94 }) });
    fc.assert(
      fc.property(changes, ({ place, at, by }) => {
        const text = place === "body" ? hook.body : (hook.headers[place] ?? "");
        const changed = otherAt(text, at % text.length, by);
        const headers = place === "body" ? hook.headers : { ...hook.headers, [place]: changed };
        const sent = requestOf({ ...hook, headers, body: place === "body" ? changed : hook.body });
        // Hexadecimal digits in capitals are the same number.
        fc.pre(changed.toLowerCase() !== text.toLowerCase() || !/^[0-9a-f]{64}$|^sha256=[0-9a-f]{64}$/.test(text));
        expect(form.isGenuine(sent, [key])).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("throws nothing and is refused, whatever its headers, its body and the keys are", () => {
    const value = fc.oneof(
      fc.constantFrom("", "sha256=", "v1,", "v1,=", "v1, v1,", "=", "====", "a".repeat(10_000), "9".repeat(400), "NaN"),
      fc.string({ unit: fc.constantFrom(..."azAZ09+/=,.:-_ vTsha256é"), maxLength: 80 }),
      fc.base64String({ maxLength: 400 }),
    );
    const names = Object.keys(hook.headers);
    const headers = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length });
    const keys = fc.array(fc.oneof(fc.constant(key), fc.string(), fc.constantFrom(...keysOfOtherKinds)), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(headers, fc.uint8Array({ maxLength: 100 }), keys, (given, bytes, tried) => {
        const sent = { ...request, headers: new Headers({ ...given }), bytes };
        expect(form.isGenuine(sent, tried)).toBe(false);
        form.isSigned(sent.headers);
        form.handshake(sent, tried);
        form.handshake({ ...sent, method: "GET" }, tried);
      }),
      { numRuns: 500 },
    );
  });

  it("is refused without its headers", () => {
    for (const name of Object.keys(hook.headers)) {
      const { [name]: _, ...headers } = hook.headers;
      expect(form.isGenuine(requestOf({ ...hook, headers }), [key])).toBe(false);
    }
    expect(form.isSigned(new Headers())).toBe(false);
  });
});

const pem = { format: "pem", type: "spki" } as const;
const keysOfOtherKinds = [
  generateKeyPairSync("ed25519").publicKey.export(pem),
  generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export(pem),
  "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
].map(String);

/** The text with another printable character in this place. */
function otherAt(text: string, place: number, by: number): string {
  const code = text.charCodeAt(place) - 32;
  return text.slice(0, place) + String.fromCharCode(32 + ((code + by) % 95)) + text.slice(place + 1);
}

describe.each(timed)("the time of $name", (hook) => {
  it("makes it genuine until it is too old, and not after", () => {
    const { form, key } = hook;
    const [name = ""] = Object.keys(hook.headers).filter((each) => each.endsWith("-timestamp"));
    const text = hook.headers[name] ?? "";
    const sentAt = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
    const oldest = sentAt + (form.maxAgeSeconds ?? 0) * 1_000;
    const arriving = (at: number): HookRequest => ({ ...requestOf(hook), at });
    expect(form.isGenuine(arriving(oldest), [key])).toBe(true);
    expect(form.isGenuine(arriving(oldest + 1_000), [key])).toBe(false);
  });
});

describe("signed bytes that are cut elsewhere into id, time and body", () => {
  it("are refused, where nothing stands between them", () => {
    const hook = documentedHooks.find(({ form }) => form === eventsub);
    const [id = "", time = "", signature = ""] = Object.values(hook?.headers ?? {});
    const whole = id + time + hook?.body;
    for (let first = 0; first < whole.length; first++)
      for (let second = first; second < whole.length; second++) {
        if (first === id.length && second === id.length + time.length) continue;
        const headers = {
          "twitch-eventsub-message-id": whole.slice(0, first),
          "twitch-eventsub-message-timestamp": whole.slice(first, second),
          "twitch-eventsub-message-signature": signature,
        };
        const sent = requestOf({ headers, body: whole.slice(second), at: hook?.at ?? "" });
        expect(eventsub.isGenuine(sent, [hook?.key ?? ""])).toBe(false);
      }
  });

  it("are refused, where dots stand between them, which an id must not hold", () => {
    const [at, seconds] = ["2025-01-14T16:08:06Z", "1736870886"];
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const kick = (id: string, body: string): boolean => {
      const signature = sign("sha256", Buffer.from(`a.${at}.${at}.{}`), privateKey).toString("base64");
      const headers = {
        "kick-event-message-id": id,
        "kick-event-message-timestamp": at,
        "kick-event-signature": signature,
      };
      return rsa.isGenuine(requestOf({ headers, body, at }), [String(publicKey.export(pem))]);
    };
    const whop = (id: string, body: string): boolean => {
      const signature = createHmac("sha256", "key").update(`a.${seconds}.${seconds}.{}`).digest("base64");
      const headers = { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
      return standardWebhooks.isGenuine(requestOf({ headers, body, at }), ["key"]);
    };
    expect([kick("a", `${at}.{}`), kick(`a.${at}`, "{}")]).toEqual([true, false]);
    expect([whop("a", `${seconds}.{}`), whop(`a.${seconds}`, "{}")]).toEqual([true, false]);
  });
});

describe("Standard Webhooks' own library", () => {
  it("agrees, in both directions, about every secret, id, time, body and signature", () => {
    const at = 1_614_265_330;
    const given = fc.record({
      secret: fc.stringMatching(/^(whsec_|ws_)?[A-Za-z0-9+/]{1,60}$/),
      id: fc.stringMatching(/^[\w-]{1,40}$/),
      age: fc.oneof(fc.integer({ min: -310, max: 310 }), fc.constantFrom(300, 301, -300, -301)),
      body: fc.json(),
      isOthers: fc.boolean(),
      isBeside: fc.boolean(),
    });
    fc.assert(
      fc.property(given, ({ secret, id, age, body, isOthers, isBeside }) => {
        // As Whop's receivers do: the library decodes it again.
        const library = new Webhook(Buffer.from(secret).toString("base64"));
        const theirs = isOthers ? new Webhook(Buffer.from(`${secret}!`).toString("base64")) : library;
        const signed = theirs.sign(id, new Date((at - age) * 1_000), body);
        const signature = isBeside ? `v1,${"A".repeat(43)}= v2,x ${signed}` : signed;
        const headers = { "webhook-id": id, "webhook-timestamp": String(at - age), "webhook-signature": signature };
        const request = requestOf({ headers, body, at: new Date(at * 1_000).toISOString() });
        const isRight = !isOthers && Math.abs(age) <= 300;
        expect(standardWebhooks.isGenuine(request, [secret])).toBe(isRight);
      }),
      { numRuns: 300 },
    );
  });

  it("accepts what OpenSSL signed with the text of Whop's secret", () => {
    const hook = documentedHooks.find(({ form }) => form === standardWebhooks);
    const library = new Webhook(Buffer.from(hook?.key ?? "").toString("base64"));
    const { "webhook-id": id = "", "webhook-signature": signature } = hook?.headers ?? {};
    expect(library.sign(id, new Date(1_614_265_330_000), hook?.body ?? "")).toBe(signature);
  });
});

describe("a question of X", () => {
  const { secret, crc_token, response_token } = documentedCrc;

  it("is answered as X's own sample answers it", () => {
    const answer = x.handshake(question({ crc_token }), [secret, "older"]);
    expect(answer).toMatchObject({ status: 200, type: "application/json" });
    expect(JSON.parse(answer?.text ?? "")).toEqual({ response_token });
  });

  it("makes nobody sign an event", () => {
    for (const body of ["{}", '{"data":{}}', "[]", '"text"', " 1", "\n{}", "", "ä", "a".repeat(501)])
      expect(x.handshake(question({ crc_token: body }), [secret])).toBeNull();
  });

  it("is not answered without a key, and not as a POST", () => {
    expect(x.handshake(question({ crc_token }), [])).toBeNull();
    expect(x.handshake({ ...question({ crc_token }), method: "POST" }, [secret])).toBeNull();
  });
});

describe("a challenge of LinkedIn", () => {
  const { secret, challengeCode, challengeResponse } = documentedChallenge;

  it("is answered with the code and its HMAC", () => {
    const answer = linkedin.handshake(question({ challengeCode }), [secret, "older"]);
    expect(answer).toMatchObject({ status: 200, type: "application/json" });
    expect(JSON.parse(answer?.text ?? "")).toEqual({ challengeCode, challengeResponse });
  });

  it("makes nobody sign an event", () => {
    for (const code of ["hmacsha256={}", "{}", `${challengeCode}{}`, "", "hmacsha256="])
      expect(linkedin.handshake(question({ challengeCode: code }), [secret])).toBeNull();
  });
});

describe("a verification of Meta", () => {
  it("is answered with the challenge where the token is that of one of the secrets", () => {
    const parameters = { "hub.mode": "subscribe", "hub.challenge": "1158201444", "hub.verify_token": verifyToken("b") };
    expect(meta.handshake(question(parameters), ["a", "b"])).toEqual({ status: 200, text: "1158201444" });
    expect(meta.handshake(question(parameters), ["a"])?.status).toBe(403);
  });
});

describe("a signature for Kick's form", () => {
  const at = "2025-01-14T16:08:06Z";
  const body = "{}";
  const signed = Buffer.from(`01KBHE78QE4HZY1617DK5FC7YD.${at}.${body}`);
  const headersWith = (signature: string): Record<string, string> => ({
    "kick-event-message-id": "01KBHE78QE4HZY1617DK5FC7YD",
    "kick-event-message-timestamp": at,
    "kick-event-signature": signature,
  });

  it.each([
    ["ed25519", generateKeyPairSync("ed25519"), null],
    ["ECDSA", generateKeyPairSync("ec", { namedCurve: "P-256" }), "sha256"],
    ["RSA-PSS", generateKeyPairSync("rsa-pss", { modulusLength: 2_048 }), "sha256"],
  ] as const)("is refused although it is right, if it is one of %s", (_, { publicKey, privateKey }, digest) => {
    const signature = sign(digest, signed, privateKey).toString("base64");
    const request = requestOf({ headers: headersWith(signature), body, at });
    expect(rsa.isGenuine(request, [String(publicKey.export(pem))])).toBe(false);
  });

  it("is refused as an HMAC with the public key, which everyone knows", () => {
    const signature = createHmac("sha256", kickPublicKey).update(signed).digest("base64");
    expect(rsa.isGenuine(requestOf({ headers: headersWith(signature), body, at }), [kickPublicKey])).toBe(false);
  });

  it("is refused in any other writing of the same bytes", () => {
    const hook = documentedHooks.find(({ form }) => form === rsa);
    const right = hook?.headers["kick-event-signature"] ?? "";
    for (const other of [
      right.replace("==", ""),
      `${right}=`,
      ` ${right}!`,
      right.replaceAll("+", "-"),
      `${right}\t.`,
    ]) {
      const headers = { ...hook?.headers, "kick-event-signature": other };
      const request = requestOf({ headers, body: hook?.body ?? "", at });
      expect(rsa.isGenuine(request, [hook?.key ?? ""])).toBe(false);
    }
  });
});
