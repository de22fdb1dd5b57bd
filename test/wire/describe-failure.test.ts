import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { redactionOf } from "../../src/outbound/redaction.ts";
import { describeFailure } from "../../src/wire/describe-failure.ts";

describe("a stored failure", () => {
  const redact = redactionOf(["canary-token"]);

  it("keeps name, words, code and causes", () => {
    const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" });
    const kept = describeFailure(new TypeError("fetch failed", { cause }), redact);
    expect(kept).toMatchObject({ name: "TypeError", message: "fetch failed" });
    expect(kept.cause).toMatchObject({ message: "connect", code: "ECONNREFUSED", syscall: "connect" });
  });

  it("drops all other properties", () => {
    const inner = Object.assign(new Error("canary-token"), { code: "canary-token", response: { a: "canary-token" } });
    const all = new AggregateError([inner, "canary-token", undefined, { toString: null }], "of canary-token");
    const error = Object.assign(new Error("x canary-token", { cause: all }), { config: { b: "canary-token" } });
    const text = inspect(describeFailure(error, redact), { depth: 20, showHidden: true });
    expect(text).not.toContain("canary-token");
    expect(text).toContain("of [secret]");
  });

  it("ends even if its causes form a circle", () => {
    const circle = new AggregateError([], "round");
    circle.errors.push(circle);
    circle.cause = circle;
    expect(describeFailure(circle, redact).message).toBe("round");
  });

  it("has a limited length", () => {
    const kept = describeFailure(new Error("long ".repeat(100_000)), redact);
    expect(inspect(kept).length).toBeLessThan(6_000);
  });

  it("has only valid strings, whatever the error consists of", () => {
    const odd = Object.assign(new Error("x"), {
      message: { url: "u" },
      code: ["c"],
      name: "a b",
      syscall: 7,
      stack: {},
    });
    const kept = describeFailure(odd, redact);
    expect(kept).toMatchObject({ message: "", name: "Error", stack: "" });
    expect(kept).not.toHaveProperty("code");
    expect(describeFailure({ message: "m" }).message).toBe("no error");
    expect(describeFailure("no route").message).toBe("no route");
  });
});
