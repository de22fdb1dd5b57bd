import { describe, expect, it } from "vitest";
import type { PlannedMedia } from "../../src/networks/contract/plan.ts";
import type { FileContent, RequestBody } from "../../src/networks/contract/request.ts";
import { type EncodedBody, encodeBody, maxUnmeasuredBytes, type OpenMedia } from "../../src/outbound/body.ts";

const boundary = "postrider-0123456789abcdef";
const fileBytes = Uint8Array.of(0, 13, 10, 45, 45, 255);

const media: PlannedMedia = {
  url: "https://media.example/film.mp4",
  type: "video",
  mime_type: "video/mp4",
  size_bytes: null,
  alt: null,
  thumbnail_url: null,
  width: null,
  height: null,
  duration_seconds: null,
};

/** Opens every file as a separate stream, two bytes at a time. */
function opening(options: { knowsSize: boolean; asked?: { url: string; maxBytes: number }[] }): OpenMedia {
  return async ({ url }, { maxBytes }) => {
    options.asked?.push({ url, maxBytes });
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < fileBytes.length; at += 2) controller.enqueue(fileBytes.slice(at, at + 2));
        controller.close();
      },
    });
    return { stream, size_bytes: options.knowsSize ? fileBytes.length : null };
  };
}

function encode(body: RequestBody, openMedia: OpenMedia = opening({ knowsSize: true })): Promise<EncodedBody> {
  return encodeBody(body, { openMedia, boundary });
}

function isStream(content: EncodedBody["content"]): content is Exclude<EncodedBody["content"], Uint8Array> {
  return !(content instanceof Uint8Array);
}

function statedSize({ content }: EncodedBody): number {
  return isStream(content) ? content.sizeBytes : content.length;
}

async function bytesOf({ content }: EncodedBody): Promise<Uint8Array> {
  return isStream(content) ? new Uint8Array(await new Response(content.stream).arrayBuffer()) : content;
}

/** The body, read like a server. */
async function formOf(body: EncodedBody): Promise<FormData> {
  const bytes = await bytesOf(body);
  return new Response(bytes.slice(), { headers: { "content-type": body.contentType } }).formData();
}

const atHand: FileContent = { contentType: "image/png", bytes: fileBytes };
const streamed: FileContent = { contentType: "video/mp4", media, maxBytes: 100 };

describe("a body", () => {
  it("of JSON is UTF-8", async () => {
    const body = await encode({ json: { text: "Grüße 👋" } });
    expect(body.contentType).toBe("application/json");
    expect(new TextDecoder().decode(await bytesOf(body))).toBe('{"text":"Grüße 👋"}');
  });

  it("of a form escapes special characters", async () => {
    const body = await encode({ form: { text: "a&b=c d+ü", empty: "" } });
    expect(body.contentType).toBe("application/x-www-form-urlencoded");
    const parsed = new URLSearchParams(new TextDecoder().decode(await bytesOf(body)));
    expect([...parsed]).toEqual([
      ["text", "a&b=c d+ü"],
      ["empty", ""],
    ]);
  });

  it("of one file is its bytes with its own type", async () => {
    const body = await encode({ file: atHand });
    expect(body).toEqual({ contentType: "image/png", content: fileBytes });
  });
});

describe("a body from a file's URL", () => {
  it("is streamed, with the length that the host announces", async () => {
    const body = await encode({ file: streamed });
    expect(isStream(body.content)).toBe(true);
    expect(statedSize(body)).toBe(fileBytes.length);
    expect(await bytesOf(body)).toEqual(fileBytes);
  });

  it("of unknown length is read only up to a limit, and its sender can stop", async () => {
    let sent = 0;
    let isCancelled = false;
    const endless: OpenMedia = async () => ({
      size_bytes: null,
      stream: new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1_000_000;
          controller.enqueue(new Uint8Array(1_000_000));
        },
        cancel() {
          isCancelled = true;
        },
      }),
    });
    const encoded = encode({ file: { ...streamed, maxBytes: 1_000_000_000 } }, endless);
    await expect(encoded).rejects.toMatchObject({ code: "media_error", message: expect.stringContaining("50 MB") });
    expect(sent).toBeLessThan(maxUnmeasuredBytes + 5_000_000);
    expect(isCancelled).toBe(true);
  });

  it("is read first if its host announces no length, because a body must have one", async () => {
    const body = await encode({ file: streamed }, opening({ knowsSize: false }));
    expect(isStream(body.content)).toBe(false);
    expect(await bytesOf(body)).toEqual(fileBytes);
  });

  it("is opened with the adapter's limit", async () => {
    const asked: { url: string; maxBytes: number }[] = [];
    await encode({ file: streamed }, opening({ knowsSize: true, asked }));
    expect(asked).toEqual([{ url: media.url, maxBytes: 100 }]);
  });

  it("breaks off if the file breaks off", async () => {
    const openMedia: OpenMedia = async () => ({
      stream: new ReadableStream({ start: (controller) => controller.error(new Error("gone")) }),
      size_bytes: 6,
    });
    await expect(bytesOf(await encode({ file: streamed }, openMedia))).rejects.toThrow("gone");
  });
});

describe("a multipart body", () => {
  it.each([
    { name: "bytes in memory", file: atHand, knowsSize: true, streams: false },
    { name: "a stream of known length", file: streamed, knowsSize: true, streams: true },
    { name: "a stream of unknown length", file: streamed, knowsSize: false, streams: false },
  ])("with $name announces exactly its length", async ({ file, knowsSize, streams }) => {
    const fields: RequestBody = {
      multipart: [
        { name: "status", value: "Grüße" },
        { name: "file", filename: "film.mp4", file },
        { name: "second", filename: "again.mp4", file },
      ],
    };
    const body = await encode(fields, opening({ knowsSize }));
    expect(isStream(body.content)).toBe(streams);
    const size = statedSize(body);
    expect((await bytesOf(body)).length).toBe(size);
  });

  it("is read by a server as the fields in their order", async () => {
    const body = await encode({
      multipart: [
        { name: "payload_json", value: '{"a":"ü"}', contentType: "application/json" },
        { name: "text", value: "two\r\nlines" },
        { name: "file", filename: "film.mp4", file: streamed },
      ],
    });
    const form = await formOf(body);
    expect([...form.keys()]).toEqual(["payload_json", "text", "file"]);
    expect(form.get("text")).toBe("two\r\nlines");
    const file = form.get("file") as File;
    expect(file).toMatchObject({ name: "film.mp4", type: "video/mp4" });
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(fileBytes);
  });

  it("has each field's own type, and none without one", async () => {
    const body = await encode({
      multipart: [
        { name: "a", value: "1", contentType: "application/json" },
        { name: "b", value: "2" },
      ],
    });
    expect(new TextDecoder().decode(await bytesOf(body))).toBe(
      `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n1\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="b"\r\n\r\n2\r\n--${boundary}--\r\n`,
    );
    expect(body.contentType).toBe(`multipart/form-data; boundary=${boundary}`);
  });

  it("without fields is still well-formed", async () => {
    expect(new TextDecoder().decode(await bytesOf(await encode({ multipart: [] })))).toBe(`--${boundary}--\r\n`);
  });

  it.each([
    { name: 'a"b', written: "a%22b" },
    { name: "a\r\nContent-Type: text/html", written: "a%0D%0AContent-Type: text/html" },
    { name: "ü 👋.png", written: "ü 👋.png" },
    { name: "a\\b", written: "a\\b" },
  ])("keeps a name within its quotes: $name", async ({ name, written }) => {
    const body = await encode({
      multipart: [
        { name, value: "1" },
        { name: "file", filename: name, file: atHand },
      ],
    });
    const lines = new TextDecoder().decode(await bytesOf(body)).split("\r\n");
    expect(lines.filter((line) => line.startsWith("Content-"))).toEqual([
      `Content-Disposition: form-data; name="${written}"`,
      `Content-Disposition: form-data; name="file"; filename="${written}"`,
      "Content-Type: image/png",
    ]);
  });

  it("closes the files that it has opened if a later one cannot be opened", async () => {
    let cancelled = 0;
    const openOne: OpenMedia = async ({ url }) => {
      if (url.endsWith("gone.mp4")) throw new Error("gone");
      return { stream: new ReadableStream({ cancel: () => void cancelled++ }), size_bytes: 6 };
    };
    const gone = { ...streamed, media: { ...media, url: "https://media.example/gone.mp4" } };
    const fields = [streamed, gone].map((file, index) => ({ name: `files[${index}]`, filename: "film.mp4", file }));
    await expect(encode({ multipart: fields }, openOne)).rejects.toThrow("gone");
    expect(cancelled).toBe(1);
  });

  it("closes all its files if it is not sent", async () => {
    let cancelled = 0;
    const openOne: OpenMedia = async () => ({
      stream: new ReadableStream({ cancel: () => void cancelled++ }),
      size_bytes: 6,
    });
    const fields = ["files[0]", "files[1]"].map((name) => ({ name, filename: "film.mp4", file: streamed }));
    const { content } = await encode({ multipart: fields }, openOne);
    if (isStream(content)) await content.stream.cancel();
    expect(cancelled).toBe(2);
  });
});
