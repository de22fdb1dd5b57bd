import { describe, expect, it } from "vitest";
import { createRefusalOf } from "../../../src/outbound/guard/refusal.ts";
import { manualClock } from "../../../src/testing/clock.ts";
import { resolveMadeUp } from "../../support/guarded-webhooks.ts";
import { hostileUrls } from "../hostile-addresses.ts";

const clock = manualClock();
const refusalOf = createRefusalOf({
  clock,
  resolve: resolveMadeUp,
  allow: ["inside.example.com:8080", "127.0.0.1:3000"],
});

describe("the guard's refusal", () => {
  it.each([
    ["https://example.com/", null],
    ["https://unknown.example.com/", null],
    ["https://empty.example.com/", null],
    ["http://inside.example.com:8080/", null],
    ["http://127.0.0.1:3000/", null],
    ["https://inside.example.com/", "address refused: private"],
    ["https://half.example.com/", "address refused: loopback"],
    ["https://127.0.0.1/", "address refused: loopback"],
    ["http://127.0.0.1:3001/", "address refused: not https"],
    ["https://example.com:3000/", "address refused: not the default port"],
    ["https://a:b@example.com/", "address refused: user name or password in the URL"],
    ["no address", "address refused: not a valid address"],
    ["", "address refused: not a valid address"],
  ])("of %o is %o", async (url, expected) => {
    expect(await refusalOf(url)).toBe(expected);
  });

  it.each(hostileUrls.map((url) => [url.replaceAll("PORT", "8443")]))("exists for %o", async (url) => {
    expect(await refusalOf(url)).toMatch(/^address refused: /);
  });

  it("is absent, after 5 s, if the name cannot be resolved", async () => {
    const slow = createRefusalOf({ clock, resolve: () => new Promise(() => {}), allow: [] });
    const start = clock.monotonic();
    expect(await clock.run(() => slow("https://example.com/"))).toBeNull();
    expect(clock.monotonic() - start).toBe(5_000);
  });

  it("is absent if the resolver fails", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("later"), { code: "EAI_AGAIN" }));
    expect(await createRefusalOf({ clock, resolve, allow: [] })("https://example.com/")).toBeNull();
  });

  it("needs a valid list, which is checked immediately", () => {
    expect(() => createRefusalOf({ clock, resolve: resolveMadeUp, allow: ["localhost"] })).toThrow("localhost");
  });
});
