import { describe, expect, it } from "vitest";
import type { HostedMedia, MediaUpload } from "../../src/hosting/schema.ts";
import { memoryMediaStore } from "../../src/media/memory.ts";
import type { MediaStore } from "../../src/media/store/store.ts";
import { png, text } from "../media/samples.ts";
import { createRest, expectEnvelope, fieldsOf, type Rest, type SendOptions, stalling } from "./rest.ts";

const picture = png(20, 10);

function upload(rest: Rest, raw: SendOptions["raw"] = picture.slice(), type = "image/png", options: SendOptions = {}) {
  return rest.send("POST", "/v1/media", { raw, headers: { "content-type": type }, ...options });
}

function formOf(...files: [name: string, bytes: Uint8Array][]): { raw: FormData; headers: Record<string, string> } {
  const raw = new FormData();
  for (const [name, bytes] of files) raw.append(name, new Blob([bytes.slice()]), "photo.png");
  return { raw, headers: {} };
}

/** The form of a browser. */
async function sendForm(rest: Rest, form: FormData) {
  const response = new Response(form);
  const raw = new Uint8Array(await response.arrayBuffer());
  return upload(rest, raw, response.headers.get("content-type") ?? "");
}

describe("POST /v1/media", () => {
  it("accepts a raw file, whatever its content type, and a form", async () => {
    const rest = await createRest();
    const answers = [
      await upload(rest),
      await upload(rest, picture.slice(), "application/octet-stream"),
      await upload(rest, picture.slice(), "text/html"),
      await upload(rest, picture.slice(), "application/x-www-form-urlencoded"),
      await sendForm(rest, formOf(["file", picture]).raw),
    ];
    for (const { status, body } of answers) {
      expect([status, body.data]).toMatchObject([201, { content_type: "image/png", size_bytes: picture.length }]);
    }
    const { body } = await rest.send("GET", "/v1/media");
    expect(body.meta?.pagination.total).toBe(answers.length);
  });

  it("fetches a file from its URL", async () => {
    const rest = await createRest();
    const url = rest.sandbox.media.put("a.png", picture);
    const { status, body } = await rest.send("POST", "/v1/media", { json: { url } });
    expect([status, (body.data as HostedMedia).type]).toEqual([201, "image"]);
    const wrong = await rest.send("POST", "/v1/media", { json: { url: "ftp://a.example/x", path: "/etc/passwd" } });
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["url", "path"]]);
  });

  it("names the type of a file that it rejects, and keeps nothing", async () => {
    const rest = await createRest();
    for (const [raw, problem] of [
      [text("<html>"), "is a web page (HTML)"],
      [text("%PDF-1.7"), "is a PDF document"],
      [picture.slice(0, -12), "is truncated"],
    ] as const) {
      const answer = await upload(rest, raw.slice());
      expectEnvelope(answer);
      expect([answer.status, answer.body.error?.details]).toEqual([
        400,
        [{ field: "file", code: "media_error", message: expect.stringContaining(problem) }],
      ]);
    }
    expect((await rest.send("GET", "/v1/media")).body.data).toEqual([]);
    expect(await rest.storage.find("media", { where: {} })).toMatchObject({ total: 0 });
  });

  it.each<[string, SendOptions, number, string]>([
    ["is empty", { raw: "", headers: { "content-type": "image/png" } }, 400, "file"],
    [
      "is compressed",
      { raw: "x", headers: { "content-type": "image/png", "content-encoding": "gzip" } },
      415,
      "Content-Encoding",
    ],
    ["has no boundary", { raw: "x", headers: { "content-type": "multipart/form-data" } }, 400, "Content-Type"],
    ["is a broken form", { raw: "x", headers: { "content-type": "multipart/form-data; boundary=b" } }, 400, "body"],
    ["is broken JSON", { raw: "{" }, 400, "body"],
  ])("rejects a body that %s", async (_, options, status, field) => {
    const answer = await (await createRest()).send("POST", "/v1/media", options);
    expect([answer.status, fieldsOf(answer)]).toEqual([status, [field]]);
  });

  it("rejects a form with two files or a wrong name, and keeps nothing", async () => {
    const rest = await createRest();
    for (const form of [formOf(["file", picture], ["file", picture]), formOf(["photo", picture])]) {
      const answer = await sendForm(rest, form.raw);
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ["body"]]);
    }
    expect(await rest.storage.find("media", { where: {} })).toMatchObject({ total: 0 });
  });

  it("answers a body that breaks off with 400, and keeps nothing", async () => {
    const rest = await createRest();
    const form = 'Content-Disposition: form-data; name="file"; filename="a"';
    for (const [type, before] of [
      ["image/png", ""],
      ["multipart/form-data; boundary=b", `--b\r\n${form}\r\n\r\n`],
    ] as const) {
      const start = Buffer.concat([Buffer.from(before), picture, new Uint8Array(200_000)]);
      const raw = new ReadableStream<Uint8Array>(
        {
          start: (controller) => controller.enqueue(new Uint8Array(start)),
          pull: (controller) => controller.error(new Error("aborted")),
        },
        { highWaterMark: 0 },
      );
      const answer = await upload(rest, raw, type);
      expect([answer.status, answer.body.error?.message]).toEqual([
        400,
        expect.stringContaining("The body broke off: aborted"),
      ]);
    }
    expect(await rest.storage.find("media", { where: {} })).toMatchObject({ total: 0 });
  });

  it("abandons a body that stalls", async () => {
    const rest = await createRest({ media: { idleMs: 5_000 } });
    const answer = await upload(rest, stalling(Buffer.from(picture).toString("latin1").slice(0, 3)));
    expect([answer.status, answer.body.error?.message]).toEqual([408, expect.stringContaining("for 5 s (idleMs)")]);
  });

  it("requires the scope publish, and reading requires read", async () => {
    const rest = await createRest();
    const { key: reader } = await rest.social.keys.create({ scopes: ["read"] });
    const { key: writer } = await rest.social.keys.create({ scopes: ["publish"] });
    expect((await upload(rest, picture.slice(), "image/png", { key: reader })).status).toBe(403);
    expect((await upload(rest, picture.slice(), "image/png", { key: null })).status).toBe(401);
    expect((await upload(rest, picture.slice(), "image/png", { key: writer })).status).toBe(201);
    expect((await rest.send("GET", "/v1/media", { key: writer })).status).toBe(403);
    expect((await rest.send("DELETE", "/v1/media?url=x", { key: reader })).status).toBe(403);
    expect((await rest.send("GET", "/v1/media", { key: reader })).status).toBe(200);
  });
});

describe("the limits of an account", () => {
  const small = { maxFileBytes: 1_000, maxAccountBytes: 2_500 };
  const ofBytes = (length: number): Uint8Array =>
    new Uint8Array(Buffer.concat([picture, new Uint8Array(length - picture.length)]));

  it.each([
    ["of known length", (bytes: Uint8Array) => ({ raw: bytes, headers: { "content-length": String(bytes.length) } })],
    ["of unknown length", (bytes: Uint8Array) => ({ raw: new Blob([bytes.slice()]).stream(), headers: {} })],
  ])("reject a larger file %s with 413 that names the limit", async (_, sent) => {
    const rest = await createRest({ media: small });
    const { raw, headers } = sent(ofBytes(1_001));
    const answer = await rest.send("POST", "/v1/media", { raw, headers: { "content-type": "image/png", ...headers } });
    expect([answer.status, answer.body.error?.code]).toEqual([413, "invalid_request"]);
    expect(answer.body.error?.message).toContain("larger than 1000 bytes, the limit for one file (maxFileBytes)");
    expect(await rest.storage.find("media", { where: {} })).toMatchObject({ total: 0 });
  });

  it("reject a file above the total with 413, and accept it when there is room again", async () => {
    const rest = await createRest({ media: { ...small, maxAccountBytes: picture.length * 2 + 10 } });
    const first = await upload(rest);
    await upload(rest);
    for (const raw of [picture.slice(), new Blob([picture.slice()]).stream()]) {
      const refused = await upload(rest, raw);
      expect([refused.status, refused.body.error?.message]).toEqual([
        413,
        expect.stringContaining("(maxAccountBytes)"),
      ]);
    }
    const { url } = first.body.data as HostedMedia;
    expect((await rest.send("DELETE", `/v1/media?url=${encodeURIComponent(url)}`)).status).toBe(204);
    expect((await upload(rest)).status).toBe(201);
  });

  it("apply to each account separately", async () => {
    const rest = await createRest({ media: { maxAccountBytes: picture.length } });
    const { key } = await rest.social.keys.create({ account_id: "acct_2" });
    expect((await upload(rest)).status).toBe(201);
    expect((await upload(rest)).status).toBe(413);
    expect((await upload(rest, picture.slice(), "image/png", { key })).status).toBe(201);
  });

  it("allow so many concurrent uploads, and answer the next with 429, but not another account's", async () => {
    const rest = await createRest({ media: { maxUploads: 2 } });
    const { key } = await rest.social.keys.create({ account_id: "acct_2" });
    await rest.clock.run(async () => {
      const open = [0, 1].map(() =>
        rest.social.media.upload(stalling("no end")).catch((error: Error) => error.message),
      );
      const refused = await rest.social.media.upload(picture).catch((error: unknown) => error);
      expect(refused).toMatchObject({ status: 429, code: "rate_limited", message: /2 uploads .* \(maxUploads\)/ });
      await rest.social.forAccount("acct_2").media.upload(picture);
      expect(await Promise.all(open)).toEqual([expect.stringContaining("idleMs"), expect.stringContaining("idleMs")]);
      await rest.social.media.upload(picture);
    });
    const held = rest.social.media.upload(stalling("no end")).catch(() => undefined);
    const other = rest.social.media.upload(stalling("no end")).catch(() => undefined);
    const answer = rest.handler(
      new Request("https://app.example.com/v1/media", {
        method: "POST",
        body: picture.slice(),
        headers: { authorization: `Bearer ${rest.key}`, "content-type": "image/png" },
      }),
    );
    const { status, headers } = await answer;
    expect([status, headers.get("retry-after")]).toEqual([429, "5"]);
    expect((await rest.send("GET", "/v1/media", { key })).body.meta?.pagination.total).toBe(1);
    await rest.clock.run(() => Promise.all([held, other]));
  });
});

describe("DELETE /v1/media", () => {
  it("answers 204, then 404, and 409 while a post needs the file", async () => {
    const rest = await createRest();
    const { url } = (await upload(rest)).body.data as HostedMedia;
    const path = `/v1/media?url=${encodeURIComponent(url)}`;
    expect((await rest.send("DELETE", path)).status).toBe(204);
    expect((await rest.send("DELETE", path)).status).toBe(404);
    const none = await rest.send("DELETE", "/v1/media");
    expect([none.status, fieldsOf(none)]).toEqual([400, ["url"]]);
  });
});

describe("POST /v1/media/uploads", () => {
  const body = { filename: "a.png", content_type: "image/png", size_bytes: picture.length };

  /** A store to which clients can write. */
  function openStore(): MediaStore & { receive(url: string, bytes: Uint8Array): Promise<void> } {
    const store = memoryMediaStore();
    return {
      ...store,
      upload: async (key, { contentType }) => ({
        upload_url: `https://store.example/${key}`,
        headers: { "content-type": contentType },
      }),
      async receive(url, bytes) {
        const key = new URL(url).pathname.slice(1);
        const remember = async () => {};
        await store.put(key, new Blob([bytes.slice()]).stream(), {
          contentType: "image/png",
          sizeBytes: null,
          remember,
        });
      },
    };
  }

  it("returns an upload URL for the file, which is public once it has been sent", async () => {
    const store = openStore();
    const rest = await createRest({ mediaStore: store });
    const { status, body: answer } = await rest.send("POST", "/v1/media/uploads", { json: body });
    const { upload_url, headers, url, expires_at } = answer.data as MediaUpload;
    expect([status, headers, expires_at]).toEqual([201, { "content-type": "image/png" }, "2026-11-21T12:15:00.000Z"]);
    const fetched = () => rest.handler(new Request(url));
    expect((await fetched()).status).toBe(404);
    expect((await rest.send("GET", "/v1/media")).body.data).toEqual([]);
    await store.receive(upload_url, picture);
    expect(new Uint8Array(await (await fetched()).arrayBuffer())).toEqual(picture);
    expect((await rest.send("GET", "/v1/media")).body.data).toMatchObject([
      { url, type: "image", status: "temporary" },
    ]);
  });

  it("deletes a sent file of a rejected type, or of another length", async () => {
    for (const bytes of [text("<html>".padEnd(picture.length)), picture.slice(0, -1)]) {
      const store = openStore();
      const rest = await createRest({ mediaStore: store });
      const { upload_url, url } = (await rest.send("POST", "/v1/media/uploads", { json: body })).body
        .data as MediaUpload;
      await store.receive(upload_url, bytes);
      expect((await rest.handler(new Request(url))).status).toBe(404);
      expect(await store.head(new URL(upload_url).pathname.slice(1))).toBeNull();
      // Sent once more, it is deleted long after the URL has expired.
      await store.receive(upload_url, bytes);
      await rest.clock.advance(26 * 3_600_000);
      await rest.clock.run(async () => void (await rest.social.runDue()));
      expect(await store.head(new URL(upload_url).pathname.slice(1))).toBeNull();
      expect(await rest.storage.find("media", { where: {} })).toMatchObject({ total: 0 });
    }
  });

  it("reserves the account's room from the beginning, and is limited like an upload", async () => {
    const rest = await createRest({ mediaStore: openStore(), media: { maxFileBytes: 1_000, maxAccountBytes: 1_500 } });
    const send = (size_bytes: number) => rest.send("POST", "/v1/media/uploads", { json: { ...body, size_bytes } });
    expect([(await send(1_001)).status, (await send(1_000)).status, (await send(1_000)).status]).toEqual([
      413, 201, 413,
    ]);
    await rest.clock.advance(26 * 3_600_000);
    await rest.clock.run(async () => void (await rest.social.runDue()));
    await rest.clock.advance(26 * 3_600_000);
    await rest.clock.run(async () => void (await rest.social.runDue()));
    expect((await send(1_000)).status).toBe(201);
  });

  it("names invalid fields, and says when the store has no upload URLs", async () => {
    const rest = await createRest();
    const wrong = await rest.send("POST", "/v1/media/uploads", { json: { content_type: "text/html", size_bytes: 0 } });
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ["content_type", "size_bytes"]]);
    const unable = await rest.send("POST", "/v1/media/uploads", { json: body });
    expect([unable.status, unable.body.error?.code]).toEqual([422, "unsupported"]);
  });
});
