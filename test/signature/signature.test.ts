import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { hmacByNode } from "../../src/signature/hmac-node.ts";
import { hmacByWebCrypto } from "../../src/signature/hmac-web.ts";
import * as web from "../../src/signature/index.ts";
import * as node from "../../src/signature/node.ts";
import type { Vector } from "./vector.ts";

const vectors = JSON.parse(
  readFileSync(new URL("../../src/signature/vectors.json", import.meta.url), "utf8"),
) as Vector[];

const twins = [
  ["Web Crypto", web],
  ["node:crypto", node],
] as const;

function bodyOf({ body }: Vector): string | Uint8Array {
  return typeof body === "string" ? body : new Uint8Array(Buffer.from(body.base64, "base64"));
}

describe.each(twins)("a signature by %s", (_, { sign, verify }) => {
  it.each(vectors)("is verified as published: $name", async (vector) => {
    const { secret, header, now, tolerance_seconds } = vector;
    const options = { secret, now, toleranceSeconds: tolerance_seconds };
    if ([secret].flat().length === 0 || [secret].flat().includes("")) {
      expect(vector.valid).toBe(false);
      await expect(verify(bodyOf(vector), header, options)).rejects.toThrow(TypeError);
      return;
    }
    const event = await verify(bodyOf(vector), header, options);
    expect(event !== null).toBe(vector.valid);
    // A string and its bytes are the same body.
    if (typeof vector.body === "string") {
      expect(await verify(new TextEncoder().encode(vector.body), header, options)).toEqual(event);
    }
  });

  it("is HMAC-SHA256 over the timestamp, a point and the body", async () => {
    const header = await sign("what do ya want for nothing?", { secret: "Jefe", timestamp: 1 });
    const expected = createHmac("sha256", "Jefe").update("1.what do ya want for nothing?").digest("hex");
    expect(header).toBe(`t=1,v1=${expected}`);
  });

  it.each<[string, unknown]>([
    ["a parsed object", { id: "dlv_1" }],
    ["nothing", undefined],
    ["null", null],
    ["an ArrayBuffer", new ArrayBuffer(2)],
  ])("is made and verified only over the raw body, not over %s", async (_what, body) => {
    const options = { secret: "whsec_1", timestamp: 1_000, now: 1_000 };
    const header = await sign("{}", options);
    for (const judged of [verify(body as string, header, options), verify(body as string, null, options)]) {
      await expect(judged).rejects.toThrow(TypeError);
      await expect(judged).rejects.toThrow("body: pass the raw body, a string or a Uint8Array");
    }
    await expect(sign(body as string, options)).rejects.toThrow("body: pass the raw body");
  });

  it.each([undefined, null, Number.NaN, 1.5, "1000"])("is not made with a timestamp of %j", async (timestamp) => {
    const made = sign("{}", { secret: "whsec_1", timestamp: timestamp as number });
    await expect(made).rejects.toThrow(TypeError);
    await expect(made).rejects.toThrow("timestamp: it must be whole Unix seconds");
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, "300", null])(
    "is not verified with a tolerance of %j",
    async (given) => {
      const options = { secret: "whsec_1", now: 1_000, toleranceSeconds: given as number };
      const header = await sign("{}", { secret: "whsec_1", timestamp: 1 });
      await expect(verify("{}", header, options)).rejects.toThrow("toleranceSeconds");
      await expect(verify("{}", null, options)).rejects.toThrow("toleranceSeconds");
    },
  );

  it("is not verified at a time that is not a number", async () => {
    const header = await sign("{}", { secret: "whsec_1", timestamp: 1 });
    await expect(verify("{}", header, { secret: "whsec_1", now: Number.NaN })).rejects.toThrow("now");
  });

  it.each<[string, string | string[]]>([
    ["an empty secret", ""],
    ["no secret", []],
    ["one of two that is empty", ["whsec_1", ""]],
  ])("is neither made nor verified with %s", async (_what, secret) => {
    await expect(sign("{}", { secret, timestamp: 1_000 })).rejects.toThrow("secret");
    await expect(verify("{}", "t=1000,v1=00", { secret, now: 1_000 })).rejects.toThrow("secret");
  });

  it("may come in several headers", async () => {
    const header = await sign("{}", { secret: ["whsec_1", "whsec_2"], timestamp: 1_000 });
    const options = { secret: "whsec_2", now: 1_000 };
    expect(await verify("{}", header.split(","), options)).toEqual({});
    expect(await verify("{}", [header, header], options)).toBeNull();
    expect(await verify("{}", [], options)).toBeNull();
  });

  it("of a megabyte is made and verified", async () => {
    const body = JSON.stringify({ text: "ü".repeat(500_000) });
    const header = await sign(body, { secret: "whsec_1", timestamp: 1_000 });
    expect(await verify(body, header, { secret: "whsec_1", now: 1_000 })).toEqual(JSON.parse(body));
  });

  it("holds one v1 for each secret", async () => {
    const header = await sign("{}", { secret: ["whsec_1", "whsec_2"], timestamp: 1_000 });
    expect(header).toMatch(/^t=1000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    for (const secret of ["whsec_1", "whsec_2"]) expect(await verify("{}", header, { secret, now: 1_000 })).toEqual({});
  });

  it("never throws on a stranger's input", async () => {
    const anything = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant(undefined), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(anything, fc.oneof(fc.string(), fc.uint8Array()), async (header, body) => {
        expect(await verify(body, header, { secret: "whsec_1" })).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

/** https://www.rfc-editor.org/rfc/rfc4231 (2005-12): the cases whose keys are text, like ours. */
const rfc4231: [key: number[], data: number[], hex: string][] = [
  [
    Array(20).fill(0x0b),
    [...Buffer.from("Hi There")],
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  ],
  [
    [...Buffer.from("Jefe")],
    [...Buffer.from("what do ya want for nothing?")],
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    Array.from({ length: 25 }, (_, index) => index + 1),
    Array(50).fill(0xcd),
    "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
  ],
];

describe.each([
  ["Web Crypto", hmacByWebCrypto],
  ["node:crypto", hmacByNode],
])("HMAC-SHA256 by %s", (_, hmac) => {
  it.each(rfc4231)("matches RFC 4231, key %o", async (key, data, hex) => {
    expect(await hmac(String.fromCharCode(...key), "", Uint8Array.from(data))).toBe(hex);
  });
});

/** fast-check prints the seed when it fails; more runs: POSTRIDER_RUNS. */
const numRuns = Number(process.env.POSTRIDER_RUNS ?? 3_000);
const stripe = new Stripe("sk_test_none");
const now = 1_795_262_400;
const secret = "whsec_test";
const body = '{"id":"dlv_1","type":"post.published","text":"Grüße 🎉"}';
const hex = (timestamp: string): string => createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");

/** Headers that are right, nearly right, and wrong. */
const entry = fc.oneof(
  fc.constantFrom(
    `t=${now}`,
    `t=${now - 299}`,
    `t=${now - 301}`,
    `t=${now + 301}`,
    `t=${now}abc`,
    `t=0${now}`,
    "t=",
    "t",
  ),
  fc.constantFrom(`v1=${hex(String(now))}`, `v1=${hex(String(now - 299))}`, `v1=${hex(String(now)).toUpperCase()}`),
  fc.constantFrom(`v1=${hex(String(now))}=x`, `v1=${"0".repeat(64)}`, "v1=", "v0=00", " v1=x", "x", "=", ""),
  fc.string({ maxLength: 12 }),
);
const anyHeader = fc.array(entry, { maxLength: 5 }).map((entries) => entries.join(","));

/** The headers that ours rejects and stripe's accepts, and why. */
const stricter: readonly { why: string; isSo(header: string): boolean }[] = [
  { why: "a timestamp in the future", isSo: (header) => timestampsOf(header).some((t) => parseInt(t, 10) > now + 300) },
  { why: "more than one t", isSo: (header) => timestampsOf(header).length > 1 },
  {
    why: "a t that is no plain number",
    isSo: (header) => timestampsOf(header).some((t) => !/^(0|[1-9]\d{0,11})$/.test(t)),
  },
  { why: "a v1 that is not 64 digits of lowercase hex", isSo: (header) => header.split(",").some(isBadSignature) },
];

function isBadSignature(each: string): boolean {
  return each.split("=")[0] === "v1" && !/^v1=[0-9a-f]{64}$/.test(each);
}

function timestampsOf(header: string): string[] {
  return header.split(",").flatMap((each) => (each.split("=")[0] === "t" ? [each.slice(2)] : []));
}

describe("stripe's verifier", () => {
  it("accepts every header of ours", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.uuid(), fc.nat(now), async (text, key, timestamp) => {
        const header = await node.sign(text, { secret: key, timestamp });
        const options = [undefined, undefined, timestamp * 1_000] as const;
        expect(() => stripe.webhooks.constructEvent(text, header, key, ...options)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it("makes headers that ours accepts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: now }), async (text, timestamp) => {
        const payload = `{"a":${text}}`;
        const header = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
        expect(await node.verify(payload, header, { secret, now: timestamp })).toEqual(JSON.parse(payload));
      }),
      { numRuns: 500 },
    );
  });

  it("agrees with ours on right and wrong headers, except where ours is stricter on purpose", async () => {
    let bothTake = 0;
    await fc.assert(
      fc.asyncProperty(anyHeader, async (header) => {
        const ours = (await node.verify(body, header, { secret, now })) !== null;
        const theirs = stripeTakes(header);
        if (ours && theirs) bothTake += 1;
        if (ours === theirs) return;
        expect(ours, header).toBe(false);
        expect(
          stricter.filter(({ isSo }) => isSo(header)).map(({ why }) => why),
          header,
        ).not.toEqual([]);
      }),
      { numRuns },
    );
    expect(bothTake).toBeGreaterThan(numRuns / 200);
  });
});

function stripeTakes(header: string): boolean {
  try {
    stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now * 1_000);
    return true;
  } catch {
    return false;
  }
}
