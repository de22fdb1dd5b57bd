import { describe, expect, it } from "vitest";
import { type AllowedHosts, readAllowedHosts } from "../../../src/outbound/guard/allowed-hosts.ts";
import { SocialError } from "../../../src/wire/errors.ts";

describe("the allowed hosts", () => {
  it("are none by default", () => {
    expect(readAllowedHosts()).toEqual({ webhooks: [], media: [], instances: [] });
  });

  it("apply to all uses if they are a plain list", () => {
    const all = ["localhost:3000", "[::1]:8443"];
    expect(readAllowedHosts(["LOCALHOST:3000", "[::1]:8443"])).toEqual({ webhooks: all, media: all, instances: all });
  });

  it("apply to only one use if it has its own list", () => {
    const option = { webhooks: ["10.0.0.7:443"], media: ["minio:9000"] };
    expect(readAllowedHosts(option)).toEqual({ ...option, instances: [] });
  });

  it.each<[string, unknown, string]>([
    ["a scheme", ["http://localhost:3000"], 'allowedHosts[0]: "http://localhost:3000" has a scheme'],
    ["a path", { media: ["a.example:80", "localhost:3000/x"] }, 'allowedHosts.media[1]: "localhost:3000/x" has a path'],
    ["an empty string", { webhooks: [""] }, 'allowedHosts.webhooks[0]: "" has no port'],
    ["a host without a port, for instances", { instances: ["a"] }, 'allowedHosts.instances[0]: "a" has no port'],
    ["a wildcard", ["*.example.com:443"], 'allowedHosts[0]: "*.example.com:443" has a wildcard'],
    ["no port", ["localhost"], 'allowedHosts[0]: "localhost" has no port'],
    ["port 0", ["localhost:0"], 'allowedHosts[0]: "localhost:0" has no port'],
    ["a port beyond the last", ["localhost:65536"], 'allowedHosts[0]: "localhost:65536" has no port'],
    ["a name before an @", ["me@localhost:80"], 'allowedHosts[0]: "me@localhost:80" is not a host with a port'],
    ["a space", ["a b:80"], 'allowedHosts[0]: "a b:80" is not a host with a port'],
    ["a pattern", ["a(b|c).example:80"], 'allowedHosts[0]: "a(b|c).example:80" is not a host with a port'],
    ["a number", [3000], 'allowedHosts[0]: "3000" has no port'],
    ["another use", { hooks: [] }, "allowedHosts.hooks: unknown use; known are webhooks, media, instances."],
    ["one host instead of a list", "localhost:3000", "allowedHosts: must be a list"],
    ["one host for a use", { media: "localhost:3000" }, "allowedHosts.media: must be a list"],
    ["nothing at all", null, "allowedHosts: must be a list"],
  ])("are rejected with %s", (_, option, message) => {
    let failure: unknown;
    try {
      readAllowedHosts(option as AllowedHosts);
    } catch (error) {
      failure = error;
    }
    expect(SocialError.is(failure) && failure.message).toContain(message);
  });
});
