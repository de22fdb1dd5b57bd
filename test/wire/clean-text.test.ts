import { describe, expect, it } from "vitest";
import { cleanLine } from "../../src/wire/clean-text.ts";
import { PublishingError } from "../../src/wire/errors.ts";

describe("a stranger's words as one line", () => {
  it.each([
    ["stay unchanged", "Zoë 👩‍👩‍👧 עברית", "Zoë 👩‍👩‍👧 עברית"],
    ["lose control characters and line ends", " a\r\n\tb\0c\u001b[31m\u2028d ", "a b c [31m d"],
    ["lose lone surrogates", "a\ud800b\udc00", "a b"],
    ["lose characters that reverse the text direction", "user\u202egnp.exe\u2066x", "usergnp.exex"],
    ["may be empty", "\0\n", ""],
  ])("%s", (_, text, expected) => {
    expect(cleanLine(text, 100)).toBe(expected);
  });

  it("are shortened, but not in the middle of a character", () => {
    expect(cleanLine("a".repeat(11), 10)).toBe(`${"a".repeat(9)}…`);
    expect(cleanLine("a".repeat(10), 10)).toBe("a".repeat(10));
    expect(cleanLine(`${"a".repeat(8)}😀😀`, 10)).toBe(`${"a".repeat(8)}…`);
    expect(cleanLine(" ".repeat(1_000_000), 10)).toBe("…");
  });

  it("appear like this in a publishing error", () => {
    const { message } = new PublishingError("rejected_by_network", `no\0\n${"a".repeat(5_000)}`);
    expect(message).toHaveLength(2_000);
    expect(message.slice(0, 6)).toBe("no aaa");
  });
});
