import { describe, expect, it } from "vitest";
import { withoutSecrets } from "../../src/wire/without-secrets.ts";

const long = "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

describe("the removal of credentials from a text", () => {
  it.each([
    ["a query", "GET https://a.example/b/c?access_token=x&d=1 failed", "GET https://a.example/b/c?[secret] failed"],
    ["a user and password", "postgres://me:pw@db.example:5432/social", "postgres://db.example:5432/social"],
    ["a token in a path", `https://a.example/bot1:${long}/getMe`, "https://a.example/[secret]/getMe"],
    ["an invalid URL", "https://a:b:c/", "[secret]"],
    [
      "an escaped URL",
      `"https:\\/\\/a.example\\/?access_token=abc"`,
      `"https:\\/\\/a.example\\/?access_token=[secret]"`,
    ],
    ["a form", "client_secret=abc&grant_type=x", "client_secret=[secret]&grant_type=x"],
    ["a sign-in code", `code=${long}&code_verifier=v`, "code=[secret]&code_verifier=[secret]"],
    ["JSON", '{"refresh_token":"abc","expires_in":5}', '{"refresh_token":"[secret]","expires_in":5}'],
    ["JSON in JSON", '{\\"password\\":\\"abc\\"}', '{\\"password\\":\\"[secret]\\"}'],
    ["an inspected object", "{ accessToken: 'abc', ok: 1 }", "{ accessToken: '[secret]', ok: 1 }"],
    ["a header", "authorization: Bearer abc\nx-api-key: def", "authorization: Bearer [secret]\nx-api-key: [secret]"],
    ["cookies", '"cookie":"a=b; c=d","accept":"x"', '"cookie":"[secret]","accept":"x"'],
    ["a scheme alone", `DPoP ${long}`, "DPoP [secret]"],
    ["a signature", "X-Amz-Credential=AKIA/2026, Signature=abc", "X-Amz-Credential=[secret], Signature=[secret]"],
  ])("hides %s", (_, text, expected) => {
    expect(withoutSecrets(text)).toBe(expected);
  });

  it.each([
    "connect ECONNREFUSED 127.0.0.1:1",
    "getaddrinfo ENOTFOUND files.example",
    "address refused: loopback",
    "https://files.example/photos/2026/0123456789abcdef0123456789abcdef.jpg",
    "    at send (file:///srv/app/node_modules/a-package-with-a-very-long-name-indeed/index.js:1:1)",
    "Unexpected token < in JSON at position 0",
    "code=ECONNRESET syscall=read",
    "Basic authentication is needed",
  ])("keeps harmless text: %s", (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  it.each([
    "token".repeat(20_000),
    "a://".repeat(20_000),
    "bearer ".repeat(20_000),
    '\\"'.repeat(30_000),
    "-".repeat(90_000),
  ])("ends soon with a text that should keep it busy: %.10s…", (text) => {
    expect(withoutSecrets(text).length).toBeLessThanOrEqual(60_000);
  });
});
