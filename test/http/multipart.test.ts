import { describe, expect, it } from "vitest";
import { boundaryOf, readFilePart } from "../../src/http/multipart.ts";

/** Cuts into pieces of these lengths, repeatedly. */
function inPieces(bytes: Uint8Array, lengths: readonly number[]): ReadableStream<Uint8Array> {
  let offset = 0;
  let piece = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      const length = lengths[piece++ % lengths.length] ?? 1;
      controller.enqueue(bytes.slice(offset, offset + length));
      offset += length;
    },
  });
}

async function read(body: Uint8Array, boundary: string, lengths: readonly number[] = [4_096]): Promise<Uint8Array> {
  const stream = await readFilePart(inPieces(body, lengths), boundary);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const bytes = (value: string): Uint8Array => Uint8Array.from(value, (character) => character.charCodeAt(0));

function form(
  content: string,
  { head = 'form-data; name="file"; filename="a.png"', end = "\r\n--b--\r\n" } = {},
): Uint8Array {
  return bytes(`--b\r\nContent-Disposition: ${head}\r\nContent-Type: image/png\r\n\r\n${content}${end}`);
}

async function messageOf(reading: Promise<unknown>): Promise<string> {
  return reading.then(
    () => "It was read.",
    (error: Error) => error.message,
  );
}

describe("a form with one file", () => {
  it.each([
    ["nothing", ""],
    ["text that looks like its end", "\r\n--\r\n--a\r\n--c--\r\n-\r\n"],
    ["line ends", "\r\n\r\n\r\n"],
    ["its boundary without a line before it", "--b--x--b"],
    ["every byte", String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index))],
  ])("that holds %s returns it, however it is cut", async (_, content) => {
    for (const lengths of [[1], [2], [3], [1, 7], [5, 1], [10_000]]) {
      expect(await read(form(content), "b", lengths)).toEqual(bytes(content));
    }
  });

  it.each([
    ["an empty line before it", bytes("\r\n"), ""],
    ["bytes behind it", new Uint8Array(), "\r\nepilogue, which nobody reads"],
    ["no bytes behind it", new Uint8Array(), ""],
  ])("may have %s", async (_, before, behind) => {
    const body = Buffer.concat([before, form("content", { end: `\r\n--b--${behind}` })]);
    expect(await read(new Uint8Array(body), "b", [3])).toEqual(bytes("content"));
  });

  it.each([
    'form-data; name="file"; filename="a.png"',
    "form-data; name=file; filename=a.png",
    'FORM-DATA; Name="file"; FileName="a \\"quoted\\" name.png"',
    'form-data; filename="; name=other"; name="file"',
    "form-data; name=\"file\"; filename*=UTF-8''a%20b.png",
    'form-data; name="file"; filename=""',
    'form-data; name="file"',
  ])("may be headed %s", async (head) => {
    expect(await read(form("content", { head }), "b")).toEqual(bytes("content"));
  });

  it("is read no faster than its reader asks, and not to its end once the reader stops", async () => {
    let pulled = 0;
    let wasCancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(pulled === 1 ? form("", { end: "" }) : new Uint8Array(1_000));
        },
        cancel() {
          wasCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const reader = (await readFilePart(body, "b")).getReader();
    await reader.read();
    await reader.read();
    expect(pulled).toBeLessThan(5);
    await reader.cancel();
    expect(wasCancelled).toBe(true);
  });
});

describe("a body that is not a form with one file", () => {
  it.each<[string, Uint8Array, string]>([
    ["nothing", new Uint8Array(), "ends in the middle"],
    ["another boundary", bytes("--c\r\n\r\n\r\n--c--"), "does not begin with its boundary"],
    ["a preamble", Buffer.concat([bytes("Hello\r\n"), form("x")]), "does not begin with its boundary"],
    ["no part", bytes("--b--\r\n"), "has no part"],
    ["a longer boundary", bytes("--bb\r\n\r\n"), "has no part"],
    ["no end", form("content", { end: "" }), "ends in the middle"],
    ["half an end", form("content", { end: "\r\n--b" }), "ends in the middle"],
    ["an end that goes on", form("content", { end: "\r\n--bx--" }), "boundary is broken"],
    ["two files", Buffer.concat([form("x", { end: "\r\n" }), form("y")]), "several parts"],
    ["another name", form("x", { head: 'form-data; name="photo"; filename="a"' }), ", named file"],
    ["a name within a name", form("x", { head: 'form-data; name="a; name=file"; filename="a"' }), ", named file"],
    ["no header", bytes("--b\r\n\r\n\r\nx\r\n--b--"), ", named file"],
    ["half a line end in its header", form("x", { head: 'form-data; name="file"\rx: y' }), "invalid characters"],
    ["an endless header", form("x", { head: "a".repeat(9_000) }), "head of the part is longer than 8192 bytes"],
    ["a header without an end", bytes(`--b\r\n${"a".repeat(9_000)}`), "head of the part is longer"],
    [
      "a part in base64",
      bytes(
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: base64\r\n\r\neA==\r\n--b--',
      ),
      "is encoded",
    ],
  ])("such as %s is rejected with the reason", async (_, body, message) => {
    for (const lengths of [[1], [9_999]]) {
      expect(await messageOf(read(new Uint8Array(body), "b", lengths))).toContain(message);
    }
  });

  it.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['multipart/form-data; boundary="a b:c"', "a b:c"],
    [
      "Multipart/Form-Data; charset=utf-8; Boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
      "----WebKitFormBoundary7MA4YWxkTrZu0gW",
    ],
    ["multipart/form-data;boundary=abc;charset=x", "abc"],
    ["image/png", null],
    [null, null],
    ["multipart/form-database; boundary=abc", null],
  ])("%s has the boundary %s", (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });

  it.each([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${"a".repeat(71)}`,
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary="a\\"b"',
    "multipart/form-data; boundary=größe",
  ])("%s is rejected", (type) => {
    expect(() => boundaryOf(type)).toThrow("has no boundary");
  });
});

/** A small generator, so that every run is the same. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("the reader, compared with undici's form reader", () => {
  it("returns the same bytes for every form that undici writes", async () => {
    const random = randomFrom(7);
    const alphabet = "-\r\nbx\0";
    for (let round = 0; round < 300; round++) {
      const content = Array.from({ length: random(200) }, () => alphabet[random(alphabet.length)]).join("");
      const data = new FormData();
      data.append("file", new Blob([bytes(content).slice()]), ["a.png", 'q"uote.png', "größe\r\n.png", ""][random(4)]);
      const response = new Response(data);
      const boundary = boundaryOf(response.headers.get("content-type")) ?? "";
      const body = new Uint8Array(await response.arrayBuffer());
      expect(await read(body, boundary, [1 + random(40), 1 + random(9)])).toEqual(bytes(content));
    }
  });

  it("accepts no form that undici reads in another way, of 3,000 forms with mistakes, and always ends", async () => {
    const random = randomFrom(11);
    let both = 0;
    for (let round = 0; round < 3_000; round++) {
      const body = form("content\r\n--of the file", { end: "\r\n--b--\r\n" });
      for (let mistake = 0; mistake <= random(3); mistake++)
        body[random(body.length)] = random(4) === 0 ? 13 : random(128);
      const cut = random(4) === 0 ? body.slice(0, random(body.length)) : body;
      const ours = await read(cut, "b", [1 + random(60)]).catch(() => null);
      if (ours === null) continue;
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      const theirs = await new Response(cut.slice(), { headers }).formData().catch(() => null);
      const file = theirs?.get("file") ?? null;
      // Forms that only undici rejects (a wrong type, a broken end) do no harm here.
      if (!(file instanceof Blob)) continue;
      both += 1;
      const got = new Uint8Array(await file.arrayBuffer());
      expect(got).toEqual(ours);
    }
    expect(both).toBeGreaterThan(300);
  });
});
