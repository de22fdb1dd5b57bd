import { describe, expect, it } from "vitest";
import { parseNetworkJson } from "../../src/wire/network-json.ts";

function parse(text: string): unknown {
  return parseNetworkJson(new TextEncoder().encode(text), { depth: 64, values: 50_000 });
}

describe("a network's JSON", () => {
  it.each([
    ["an object", '{"a":[1,{"b":null}],"c":"x,[{\\"]}"}'],
    ["64 levels", `${"[".repeat(64)}${"]".repeat(64)}`],
    ["50,000 values", `[${"1,".repeat(49_998)}1]`],
    ["brackets and commas in a string", `["${"[{,".repeat(100_000)}"]`],
    ["quotes and backslashes in a string", `["${'\\\\\\"'.repeat(100_000)}", "\\\\"]`],
    ["escaped characters", '["\\ud83d\\ude00"]'],
  ])("is read: %s", (_, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ["an empty body", ""],
    ["an HTML page", "<html></html>"],
    ["a truncated object", '{"a":"'],
    ["65 levels", `${"[".repeat(65)}${"]".repeat(65)}`],
    ["65 levels of objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`],
    ["a megabyte of opening brackets", "[".repeat(1_000_000)],
    ["more than 50,000 values", `[${"1,".repeat(50_000)}1]`],
    ["more than 50,000 objects", `[${"{},".repeat(30_000)}{}]`],
    ["more than 50,000 keys", `{${Array.from({ length: 50_002 }, (_each, index) => `"${index}":1`).join()}}`],
  ])("is rejected: %s", (_, text) => {
    expect(parse(text)).toBeNull();
  });

  it("has no string that a store could not keep", () => {
    expect(parse('{"id":"1\\u00002","more":["\\ud800x\\uDC00","\\ud83d\\ude00"],"__proto__":{"a":"\\u0000"}}')).toEqual(
      JSON.parse('{"id":"1\\ufffd2","more":["\\ufffdx\\ufffd","\\ud83d\\ude00"],"__proto__":{"a":"\\u0000"}}'),
    );
  });

  it("keeps integers that no double can hold as strings of their digits", () => {
    expect(parse('{"id":10000000000000099666,"b":[9007199254740991,9007199254740993,-9007199254740993]}')).toEqual({
      id: "10000000000000099666",
      b: [9007199254740991, "9007199254740993", "-9007199254740993"],
    });
  });

  it.each([
    '{"10000000000000099666":1,"text":"10000000000000099666, -9007199254740993"}',
    "[1.00000000000000000001,1e30,-0,12345678901234567890e-4,0.1234567890123456789]",
    '["\\\\\\"9007199254740993\\\\"]',
  ])("keeps strings, keys and other numbers unchanged: %s", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it("is rejected because of digits where no number may be", () => {
    for (const text of ["9007199254740993 9007199254740993", "[09007199254740993.]", "[--9007199254740993]"])
      expect(parse(text)).toBeNull();
  });

  it("sets no prototype", () => {
    const value = parse('{"__proto__":{"isAdmin":true},"x":"\\u0000"}') as { isAdmin?: boolean };
    expect([Object.getPrototypeOf(value), value.isAdmin]).toEqual([Object.prototype, undefined]);
  });
});

it("a network's JSON may have any number of lists side by side: only nesting counts as depth", () => {
  const lists = Array.from({ length: 100 }, () => []);
  expect(parse(JSON.stringify(lists))).toEqual(lists);
});
