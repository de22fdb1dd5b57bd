import { expect, it } from "vitest";
import { withAddress } from "../../src/text/link-words.ts";

it.each([
  ["https://example.com/a", "https://example.com/a", "https://example.com/a"],
  ["example.com", "https://example.com/", "example.com"],
  ["www.Example.com/a/", "http://example.com/a", "www.Example.com/a/"],
  ["https://example.com/straße", "https://example.com/stra%C3%9Fe", "https://example.com/straße"],
  ["example.com/a/long…", "https://example.com/a/long/way?x=1", "https://example.com/a/long/way?x=1"],
  ["example.com/a/long...", "https://www.example.com/a/long/way", "https://www.example.com/a/long/way"],
  ["our shop", "https://example.com/shop", "our shop (https://example.com/shop)"],
  ["https://bank.example", "https://thief.example/", "https://bank.example (https://thief.example/)"],
  ["", "https://example.com", "https://example.com"],
  ["mail", "mailto:ann@example.com", "mail (mailto:ann@example.com)"],
])('"%s" that links to %s becomes "%s"', (words, address, read) => {
  expect(withAddress(words, address)).toBe(read);
});
