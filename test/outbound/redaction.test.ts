import { describe, expect, it } from "vitest";
import { createRedaction, secretsIn } from "../../src/outbound/redaction.ts";

describe("the secrets of an exchange", () => {
  const redact = createRedaction({
    url: "https://me:pass-of-me@discord.example/api/webhooks/123456789/aToken_of-a-webhook_aToken_of-a-webhook?wait=true&X-Amz-Signature=signed1234&fields=id,text",
    headers: { Authorization: "Bearer header.token", accept: "application/json" },
    secrets: ["pass word/1", "pass word/12", "short"],
  });

  it.each([
    ["a header's token", "is header.token?", "is [secret]?"],
    ["a password in the address", "me:pass-of-me@", "me:[secret]@"],
    ["a signature in the query", "signed1234 of fields id,text", "[secret] of fields id,text"],
    ["a token in the path", "/aToken_of-a-webhook_aToken_of-a-webhook?", "/[secret]?"],
    ["what it was told", "pass word/1!", "[secret]!"],
    ["the longer of two that begin alike", "pass word/12", "[secret]"],
    ["one as an address writes it", "?p=pass%20word%2F1", "?p=[secret]"],
    ["each time", "header.token header.token", "[secret] [secret]"],
  ])("are not seen: %s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("are long enough not to be found in common words", () => {
    expect(redact("short webhooks 123456789")).toBe("short webhooks 123456789");
  });

  it("stand under names that say so", () => {
    const credentials = { identifier: "me", app_password: "p", nested: { access_token: ["a", { b: "c" }] } };
    expect(secretsIn(credentials)).toEqual(["p", "a", "c"]);
    expect(secretsIn({ accessJwt: "j", webhook_url: "w", channel_id: "c", n: null })).toEqual(["j", "w"]);
  });
});
