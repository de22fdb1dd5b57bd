import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createRedaction, describeFailure, redactionOf, secretsIn } from "../../src/outbound/redaction.ts";

describe("the secrets of an exchange", () => {
  const redact = createRedaction({
    url: "https://discord.example/api/webhooks/123456789/aToken_of-a-webhook_aToken_of-a-webhook?wait=true",
    headers: { Authorization: "Bearer header.token", accept: "application/json" },
    secrets: ["pass word/1", "pass word/12", "short"],
  });

  it.each([
    ["a header's token", "is header.token?", "is [secret]?"],
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

describe("a failure as it is kept", () => {
  const redact = redactionOf(["canary-token"]);

  it("keeps name, words, code and causes", () => {
    const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" });
    const kept = describeFailure(new TypeError("fetch failed", { cause }), redact);
    expect(kept).toMatchObject({ name: "TypeError", message: "fetch failed" });
    expect(kept.cause).toMatchObject({ message: "connect", code: "ECONNREFUSED", syscall: "connect" });
  });

  it("leaves behind whatever else hangs on it", () => {
    const inner = Object.assign(new Error("canary-token"), { code: "canary-token", response: { a: "canary-token" } });
    const all = new AggregateError([inner, "canary-token", undefined, { toString: null }], "of canary-token");
    const error = Object.assign(new Error("x canary-token", { cause: all }), { config: { b: "canary-token" } });
    const text = inspect(describeFailure(error, redact), { depth: 20, showHidden: true });
    expect(text).not.toContain("canary-token");
    expect(text).toContain("of [secret]");
  });

  it("ends, also where causes go round in circles", () => {
    const circle = new AggregateError([], "round");
    circle.errors.push(circle);
    circle.cause = circle;
    expect(describeFailure(circle, redact).message).toBe("round");
  });

  it("is of bounded length", () => {
    const kept = describeFailure(new Error("long ".repeat(100_000)), redact);
    expect(inspect(kept).length).toBeLessThan(6_000);
  });
});
