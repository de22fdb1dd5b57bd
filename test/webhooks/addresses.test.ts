import { describe, expect, it } from "vitest";
import { hostileHosts } from "../outbound/hostile-addresses.ts";
import { failureOf } from "../support/failure.ts";
import { guardedWebhooks } from "../support/guarded-webhooks.ts";

const addresses = /\b(?:\d{1,3}\.){3}\d{1,3}\b|[0-9a-f]*::/i;

describe("a URL to which nothing may be delivered", () => {
  it.each([
    ["http://example.com/hook", "not https"],
    ["ftp://example.com/hook", "not https"],
    ["javascript:alert(1)", "not https"],
    ["example.com/hook", "not a valid address"],
    ["/hook", "not a valid address"],
    ["https://", "not a valid address"],
    ["https://example.com:8443/hook", "not the default port"],
    ["https://example.com:80/hook", "not the default port"],
    ["https://user:secret@example.com/hook", "user name or password"],
    ["https://user@example.com/hook", "user name or password"],
    ["https://localhost/hook", "loopback"],
    ["https://a.localhost./hook", "loopback"],
    ["https://127.0.0.1/hook", "loopback"],
    ["https://2130706433/hook", "loopback"],
    ["https://[::1]/hook", "loopback"],
    ["https://[::ffff:127.0.0.1]/hook", "IPv4-mapped"],
    ["https://[64:ff9b::7f00:1]/hook", "NAT64"],
    ["https://[fd00::1]/hook", "private"],
    ["https://[fe80::1]/hook", "link-local"],
    ["https://10.0.0.1/hook", "private"],
    ["https://inside.example.com/hook", "private"],
    ["https://half.example.com/hook", "loopback"],
    ["https://metadata.example.com/hook", "link-local"],
  ])("is rejected, with the name of its class: %s", async (url, reason) => {
    const webhooks = guardedWebhooks();
    const failure = await failureOf(webhooks.create({ url }));
    expect(failure).toMatchObject({ code: "invalid_request", status: 400 });
    expect(failure.details).toEqual([
      { field: "url", code: "invalid_request", message: expect.stringContaining(reason) },
    ]);
    expect(JSON.stringify([failure.message, failure.details])).not.toMatch(addresses);
    expect((await webhooks.list()).pagination.total).toBe(0);
  });

  it("is rejected in every spelling", async () => {
    const webhooks = guardedWebhooks();
    for (const host of hostileHosts) {
      const failure = await failureOf(webhooks.create({ url: `https://${host}/` }));
      expect(failure.details, host).toEqual([expect.objectContaining({ field: "url" })]);
    }
    expect((await webhooks.list()).pagination.total).toBe(0);
  });

  it("is rejected in an update, which then changes nothing", async () => {
    const webhooks = guardedWebhooks();
    const { secret: _, ...before } = await webhooks.create({ url: "https://example.com/hook" });
    const failure = await failureOf(webhooks.update(before.id, { url: "https://10.0.0.1", description: "Ours" }));
    expect(failure.details.map(({ field }) => field)).toEqual(["url"]);
    expect(await webhooks.get(before.id)).toEqual(before);
  });
});

describe("a URL to which events may be delivered", () => {
  it.each([
    ["a public one", "https://example.com/hook?key=1"],
    ["with an explicit port", "https://example.com:443/hook"],
    ["in upper case", "HTTPS://EXAMPLE.COM/hook"],
    ["one whose hostname does not resolve yet", "https://unknown.example.com/hook"],
    ["one whose hostname has no IP address yet", "https://empty.example.com/hook"],
  ])("is accepted: %s", async (_, url) => {
    expect((await guardedWebhooks().create({ url })).url).toBe(url);
  });

  it("may be one that the host allows by name", async () => {
    const webhooks = guardedWebhooks({ allow: ["localhost:3000"] });
    const url = "http://localhost:3000/hook";
    expect((await failureOf(guardedWebhooks().create({ url }))).code).toBe("invalid_request");
    expect((await failureOf(webhooks.create({ url: "http://localhost:3001/hook" }))).code).toBe("invalid_request");
    expect((await webhooks.create({ url: "http://LOCALHOST:3000/hook" })).url).toBe("http://LOCALHOST:3000/hook");
  });
});
