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
    ["a password in the URL", "me:pass-of-me@", "me:[secret]@"],
    ["a signature in the query", "signed1234 of fields id,text", "[secret] of fields id,text"],
    ["a token in the path", "/aToken_of-a-webhook_aToken_of-a-webhook?", "/[secret]?"],
    ["a secret that the caller named", "pass word/1!", "[secret]!"],
    ["the longer of two with the same beginning", "pass word/12", "[secret]"],
    ["a percent-encoded one", "?p=pass%20word%2F1", "?p=[secret]"],
    ["every occurrence", "header.token header.token", "[secret] [secret]"],
  ])("are hidden: %s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("are only values that are too long to occur in common words", () => {
    expect(redact("short webhooks 123456789")).toBe("short webhooks 123456789");
  });

  it("are found under revealing names", () => {
    const credentials = { identifier: "me", app_password: "p", nested: { access_token: ["a", { b: "c" }] } };
    expect(secretsIn(credentials)).toEqual(["p", "a", "c"]);
    expect(secretsIn({ accessJwt: "j", webhook_url: "w", channel_id: "c", n: null })).toEqual(["j", "w"]);
  });
});
