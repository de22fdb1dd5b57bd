import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentId, recordContentId } from "../../../src/networks/bluesky/content-id.ts";
import { toBase32 } from "../../../src/networks/bluesky/dag-cbor.ts";
import type { JsonObject } from "../../../src/wire/json.ts";

/** Results of the network's own encoder, npm @atproto/lex-cbor 0.0.16, for these records. */
const fixtures = join(import.meta.dirname, "fixtures/content-ids.json");
const known = JSON.parse(readFileSync(fixtures, "utf8")) as { record: JsonObject; cid: string }[];

describe("the content id of a record", () => {
  it.each(known)("equals the network's own: $record.$type $cid", ({ record, cid }) => {
    expect(recordContentId(record)).toBe(cid);
  });

  it("does not depend on the order of its keys", () => {
    for (const { record, cid } of known)
      expect(recordContentId(Object.fromEntries(Object.entries(record).reverse()))).toBe(cid);
  });

  it.each([1.5, Number.NaN, 2 ** 53])("rejects the number %d, which no record may hold", (number) => {
    expect(() => recordContentId({ number })).toThrow(RangeError);
  });

  it.each(["", "zafyrei", "b!"])("rejects the link %j, which is not a content id", (link) => {
    expect(() => recordContentId({ ref: { $link: link } })).toThrow(RangeError);
  });
});

describe("the content id of a file", () => {
  it("is the well-known one for an empty file", () => {
    expect(contentId("blob", new Uint8Array())).toBe("bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku");
  });
});

describe("base 32", () => {
  it.each([
    ["", ""],
    ["f", "my"],
    ["fo", "mzxq"],
    ["foo", "mzxw6"],
    ["foob", "mzxw6yq"],
    ["fooba", "mzxw6ytb"],
    ["foobar", "mzxw6ytboi"],
  ])("encodes %j as %j, as in RFC 4648", (text, encoded) => {
    expect(toBase32(new TextEncoder().encode(text))).toBe(encoded);
  });
});
