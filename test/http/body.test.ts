import { describe, expect, it } from "vitest";
import { routes } from "../../src/http/routes.ts";
import { connectBluesky } from "../support/connect.ts";
import { recordingLogger } from "../support/logger.ts";
import { type Answer, createRest, expectEnvelope, fieldsOf, type SendOptions, stalling, toRequest } from "./rest.ts";

const maxBytes = 1_048_576;

/** Every endpoint that accepts a body. */
const takers = routes.flatMap(({ method, path, body }) => {
  if (body === null) return [];
  const { isRequired, mayBeFile = false } = body;
  return [{ method, path: path.replace(/\{\w+\}/, "none_1"), isRequired, mayBeFile }];
});

/** Sends one request to every endpoint that accepts a body; all must be rejected alike. */
async function refusals(options: SendOptions, asked = takers): Promise<Answer[]> {
  const { send } = await createRest();
  const answers: Answer[] = [];
  for (const { method, path } of asked) answers.push(await send(method, path, options));
  answers.forEach(expectEnvelope);
  return answers;
}

describe("a body", () => {
  it("that is compressed is rejected, naming the header", async () => {
    for (const answer of await refusals({ raw: "{}", headers: { "content-encoding": "gzip" } })) {
      expect([answer.status, fieldsOf(answer)]).toEqual([415, ["Content-Encoding"]]);
    }
  });

  it.each<[string, BodyText]>([
    ["is empty", ""],
    ["is blank", " \n"],
    ["is cut", '{"text":"Hello'],
    ["has a trailing comma", '{"text":"Hello",}'],
    ["is JavaScript", "{text:'Hello'}"],
    ["is two values", "{}{}"],
    ["is a form", "text=Hello&profile_ids=1"],
    ["is NaN", "NaN"],
    ["has a raw NUL", '{"text":"\0"}'],
    ["has a raw line break in a string", '{"text":"a\nb"}'],
    ["is not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["is cut inside a character", new Uint8Array([0x22, 0xe2, 0x82])],
    ["has a surrogate in UTF-8", new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ["is UTF-16", new Uint8Array(Buffer.from('{"text":"x"}', "utf16le"))],
    ["is gzip", new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ["is an array", "[]"],
    ["is an array of posts", '[{"text":"Hello"}]'],
    ["is null", "null"],
    ["is a number", "7"],
    ["is a string", '"Hello"'],
    ["is a megabyte of brackets", "[".repeat(maxBytes)],
    ["is a megabyte of brackets, closed", "[".repeat(maxBytes / 2) + "]".repeat(maxBytes / 2)],
    ["is a megabyte of braces", '{"a":'.repeat(200_000)],
    ["has too many values", `{"text":[${"0,".repeat(500_000)}0]}`],
    ["has too many keys", JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`k${n}`, 0])))],
  ])("that %s is rejected as a body", async (_what, raw) => {
    for (const [index, answer] of (await refusals({ raw })).entries()) {
      const isOptional = raw === "" && takers[index]?.isRequired === false;
      expect([answer.status, fieldsOf(answer)]).toEqual(isOptional ? [404, []] : [400, ["body"]]);
    }
  });

  it.each<[string, string, string]>([
    ["a key __proto__", '{"__proto__":{"polluted":true}}', "__proto__"],
    ["a key constructor", '{"constructor":{"prototype":{"polluted":true}}}', "constructor"],
    ["a key prototype", '{"prototype":1}', "prototype"],
    ["an escaped key", '{"\\u005f_proto__":1}', "__proto__"],
    [
      "such a key in a nested object",
      '{"networks":{"bluesky":{"__proto__":{"polluted":true}}}}',
      "networks.bluesky.__proto__",
    ],
    ["such a key in a list", '{"media":[{"url":"x"},{"__proto__":1}]}', "media[1].__proto__"],
    [
      "such a key 30 levels down",
      `${'{"a":'.repeat(30)}{"__proto__":1}${"}".repeat(30)}`,
      `${"a.".repeat(30)}__proto__`,
    ],
    ["a NUL", '{"text":"a\\u0000b"}', "text"],
    ["a NUL below", '{"networks":{"bluesky":{"labels":["\\u0000"]}}}', "networks.bluesky.labels[0]"],
    ["a NUL in a key", '{"networks":{"a\\u0000":1}}', "networks"],
    ["half a character", '{"text":"\\ud83d"}', "text"],
    ["the other half", '{"text":"\\ude00 x"}', "text"],
    ["the halves the wrong way round", '{"text":"\\ude00\\ud83d"}', "text"],
    ["half a character in a key", '{"\\ud83d":1}', "body"],
    ["a number out of range", '{"profile_ids":[1e999]}', "profile_ids[0]"],
    ["a negative number out of range", '{"text":-1e999}', "text"],
    ["33 levels", `{"networks":${'{"a":'.repeat(32)}1${"}".repeat(32)}}`, "networks"],
  ])("with %s is rejected at its place, and does not pollute prototypes", async (_what, raw, field) => {
    for (const answer of await refusals({ raw })) {
      expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  // A parser would block the process for half a second.
  it.each([
    ["brackets that are never closed", "[".repeat(maxBytes), "The body is nested deeper than 32 levels."],
    ["values that never end", `{"text":[${"0,".repeat(40_001)}`, "The body has more than 20000 values."],
  ])("with too many %s is rejected before it is parsed", async (_what, raw, message) => {
    const { send } = await createRest();
    const { body } = await send("POST", "/v1/posts", { raw });
    expect(body.error?.details?.[0]).toMatchObject({ field: "body", message });
  });

  it("may begin with a byte order mark", async () => {
    const { send } = await createRest();
    expect(fieldsOf(await send("POST", "/v1/posts", { raw: '\ufeff{"profile_ids":[]}' }))).toEqual(["profile_ids"]);
  });

  it("may be 32 levels deep", async () => {
    const rest = await createRest();
    const { id } = await connectBluesky(rest);
    const raw = `{"profile_ids":["${id}"],"networks":{"bluesky":${'{"a":'.repeat(30)}1${"}".repeat(30)}}}`;
    const { status, body } = await rest.send("POST", "/v1/posts/validate", { raw });
    expect([status, body.data]).toMatchObject([200, { valid: false }]);
  });

  it("with two equal keys takes the last one", async () => {
    const { send } = await createRest();
    const raw = '{"profile_ids":["a"],"profile_ids":[],"text":"x"}';
    expect(fieldsOf(await send("POST", "/v1/posts", { raw }))).toEqual(["profile_ids"]);
  });

  it.each([
    "-0",
    "1e308",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.1e-400",
    "true",
    "null",
    "[]",
    "{}",
  ])("with %s where a string belongs is rejected there", async (value) => {
    const { send } = await createRest();
    const answer = await send("POST", "/v1/posts", { raw: `{"profile_ids":["a"],"text":${value}}` });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["text"]]);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json2; charset=utf-8",
    "text/json",
    "application/xml",
    "application/json, text/plain",
    `application/${"a.".repeat(50_000)}`,
  ])("of the type %s is rejected with 415", async (type) => {
    const others = takers.filter(({ mayBeFile }) => !mayBeFile);
    for (const { status, body } of await refusals({ raw: "{}", headers: { "content-type": type } }, others)) {
      expect([status, body.error?.details?.[0]?.field]).toEqual([415, "Content-Type"]);
    }
  });

  it("without a type is rejected with 415", async () => {
    const { handler, key } = await createRest();
    const request = toRequest("POST", "/v1/posts", { key, raw: new Uint8Array([0x7b, 0x7d]) });
    request.headers.delete("content-type");
    expect((await handler(request)).status).toBe(415);
  });

  it.each(["application/json", "APPLICATION/JSON", "application/json;charset=utf-8", "application/merge-patch+json"])(
    "of the type %s is read",
    async (type) => {
      const { send } = await createRest();
      const answer = await send("POST", "/v1/posts", { raw: "{}", headers: { "content-type": type } });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["profile_ids"]]);
    },
  );

  it("of a megabyte is read, and one with one byte more is not", async () => {
    const { send } = await createRest();
    const padded = (bytes: number) => `{"profile_ids":[]${" ".repeat(bytes - 18)}}`;
    expect(padded(maxBytes)).toHaveLength(maxBytes);
    expect(fieldsOf(await send("POST", "/v1/posts", { raw: padded(maxBytes) }))).toEqual(["profile_ids"]);
    const refused = await send("POST", "/v1/posts", { raw: padded(maxBytes + 1) });
    expect([refused.status, refused.body.error?.code, fieldsOf(refused)]).toEqual([413, "invalid_request", ["body"]]);
  });

  it("whose declared length is too large is not read at all", async () => {
    const stream = endless();
    const headers = { "content-length": String(maxBytes + 1) };
    const { status } = await (await createRest()).send("POST", "/v1/posts", { raw: stream.body, headers });
    expect([status, stream.pulled()]).toEqual([413, 0]);
  });

  it.each<Record<string, string>>([{}, { "content-length": "10" }, { "content-length": "x" }])(
    "without an end is cut off soon after the limit, whatever %j says",
    async (headers) => {
      const stream = endless();
      const { status } = await (await createRest()).send("POST", "/v1/posts", { raw: stream.body, headers });
      expect(status).toBe(413);
      expect(stream.isCancelled()).toBe(true);
      expect(stream.pulled()).toBeLessThan(maxBytes + 3 * stream.piece);
    },
  );

  it("that arrives in single bytes is read whole", async () => {
    const bytes = Buffer.from('{"profile_ids":[],"text":"größer 😀"}');
    const raw = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(fieldsOf(await (await createRest()).send("POST", "/v1/posts", { raw }))).toEqual(["profile_ids"]);
  });

  it("that breaks off is rejected", async () => {
    const raw = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array([0x7b]));
      },
      pull(controller) {
        controller.error(new Error("socket hang up"));
      },
    });
    const answer = await (await createRest()).send("POST", "/v1/posts", { raw });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["body"]]);
  });

  it("that stalls is abandoned after half a minute, and its rest is refused", async () => {
    const rest = await createRest();
    let isCancelled = false;
    const raw = stalling('{"text":', () => {
      isCancelled = true;
    });
    const startedAt = rest.clock.now();
    const answer = await rest.send("POST", "/v1/posts", { raw });
    expect([answer.status, answer.body.error?.code, fieldsOf(answer)]).toEqual([408, "invalid_request", ["body"]]);
    expect(answer.body.error?.message).toBe("The body did not arrive completely: 8 bytes in 30 s.");
    expect(rest.clock.now() - startedAt).toBe(30_000);
    expect(isCancelled).toBe(true);
  });

  it("that trickles in has half a minute in all", async () => {
    const { send, clock } = await createRest();
    const dripping = (bytes: Uint8Array) => {
      let sent = 0;
      return new ReadableStream({
        async pull(controller) {
          await clock.sleep(1_000);
          controller.enqueue(bytes.slice(sent, sent + 1));
          sent += 1;
          if (sent === bytes.length) controller.close();
        },
      });
    };
    const json = Buffer.from('{"profile_ids":[]}');
    expect((await send("POST", "/v1/posts", { raw: dripping(json) })).status).toBe(400);
    const padded = Buffer.concat([json, Buffer.alloc(30, " ")]);
    expect((await send("POST", "/v1/posts", { raw: dripping(padded) })).status).toBe(408);
  });

  it("that was read before is an error of the mount, which the log explains", async () => {
    const logger = recordingLogger();
    const { handler, key } = await createRest({ logger });
    const request = toRequest("POST", "/v1/posts", { key, json: {} });
    await request.text();
    expect((await handler(request)).status).toBe(500);
    expect(logger.lines.join()).toContain("before the body parser");
  });

  it("that another reader has locked is the same error of the mount", async () => {
    const logger = recordingLogger();
    const { handler, key } = await createRest({ logger });
    const request = toRequest("POST", "/v1/posts", { key, json: {} });
    request.body?.getReader();
    expect((await handler(request)).status).toBe(500);
    expect(logger.lines.join()).toContain("before the body parser");
  });

  it("is ignored where the endpoint accepts none", async () => {
    const { send } = await createRest();
    const { status } = await send("POST", "/v1/profiles/none_1/check", {
      raw: "{",
      headers: { "content-type": "x/y" },
    });
    expect(status).toBe(404);
  });
});

type BodyText = string | Uint8Array<ArrayBuffer>;

/** A body that never ends, in pieces of 64 KB. */
function endless() {
  const piece = 65_536;
  let pulled = 0;
  let cancelled = false;
  const body = new ReadableStream(
    {
      pull(controller) {
        pulled += piece;
        controller.enqueue(new Uint8Array(piece).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, piece, pulled: () => pulled, isCancelled: () => cancelled };
}
