import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentId, recordContentId } from "../../../src/networks/bluesky/content-id.ts";
import { toBase32 } from "../../../src/networks/bluesky/dag-cbor.ts";
import type { JsonObject } from "../../../src/wire/json.ts";

/** What the network's own encoder, npm @atproto/lex-cbor 0.0.16, makes of these records. */
const fixtures = join(import.meta.dirname, "fixtures/content-ids.json");
const known = JSON.parse(readFileSync(fixtures, "utf8")) as { record: JsonObject; cid: string }[];

describe("the content id of a record", () => {
  it.each(known)("is the one that the network gives it: $record.$type $cid", ({ record, cid }) => {
    expect(recordContentId(record)).toBe(cid);
  });

  it("does not depend on the order of its keys", () => {
    for (const { record, cid } of known)
      expect(recordContentId(Object.fromEntries(Object.entries(record).reverse()))).toBe(cid);
  });

  it.each([1.5, Number.NaN, 2 ** 53])("refuses the number %d, which no record may hold", (number) => {
    expect(() => recordContentId({ number })).toThrow(RangeError);
  });

  it.each(["", "zafyrei", "b!"])("refuses the link %j, which is no content id", (link) => {
    expect(() => recordContentId({ ref: { $link: link } })).toThrow(RangeError);
  });
});

describe("the content id of a file", () => {
  it("is the well-known one for no bytes at all", () => {
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
  ])("writes %j as %j, after RFC 4648", (text, encoded) => {
    expect(toBase32(new TextEncoder().encode(text))).toBe(encoded);
  });
});
