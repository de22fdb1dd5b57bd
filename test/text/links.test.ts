import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLinks } from "../../src/text/links.ts";
import { awkwardText, seed } from "./awkward.ts";

function found(text: string): string[] {
  return findLinks(text).map(({ kind, value }) => `${kind} ${value}`);
}

describe("findLinks", () => {
  it.each([
    ["see https://example.com/a.", ["url https://example.com/a"]],
    ["https://example.com/a?!).,", ["url https://example.com/a"]],
    ["(https://example.com/a_(b)) x", ["url https://example.com/a_(b)"]],
    ["[https://example.com/a[1]] x", ["url https://example.com/a[1]"]],
    ["“https://example.com”", ["url https://example.com"]],
    ["http://localhost:3000/x", ["url http://localhost:3000/x"]],
    ["日本https://example.com/語。次", ["url https://example.com/語"]],
    ["https:// and http://", []],
    ["example.com/path, foo.co.uk and file.txt", ["domain example.com/path", "domain foo.co.uk"]],
    ["@alice.bsky.social: hi", ["mention alice.bsky.social"]],
    ["(@user@host.example) @user.", ["mention user@host.example", "mention user"]],
    ["me@example.com https://m.example/@user", ["url https://m.example/@user"]],
    ["@user@host.example@other @user@host.example://a", []],
    ["@user@host.example: @user@host.example/a", ["mention user@host.example", "mention user@host.example"]],
    ["#tag, ＃全角 #1 #a1 #️⃣ a#b", ["hashtag tag", "hashtag 全角", "hashtag a1"]],
    ["https://example.com/#tag", ["url https://example.com/#tag"]],
  ])("finds in %j %j", (text, links) => {
    expect(found(text)).toEqual(links);
  });

  it("returns each one's position, in order and without overlaps", () => {
    fc.assert(
      fc.property(awkwardText(30), (text) => {
        let end = 0;
        for (const link of findLinks(text)) {
          expect(link.start).toBeGreaterThanOrEqual(end);
          expect(link.end).toBeGreaterThan(link.start);
          expect(text.slice(link.start, link.end).endsWith(link.value)).toBe(true);
          expect(text.slice(link.start, link.end)).not.toMatch(/\s/);
          end = link.end;
        }
      }),
      { seed, numRuns: 2_000 },
    );
  });
});
