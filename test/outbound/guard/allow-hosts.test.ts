import { describe, expect, it } from "vitest";
import { type AllowHosts, readAllowHosts } from "../../../src/outbound/guard/allow-hosts.ts";
import { SocialError } from "../../../src/wire/errors.ts";

describe("the hosts that are allowed", () => {
  it("are none unless named", () => {
    expect(readAllowHosts()).toEqual({ webhooks: [], media: [], instances: [] });
  });

  it("are allowed for everything by a plain list", () => {
    const all = ["localhost:3000", "[::1]:8443"];
    expect(readAllowHosts(["LOCALHOST:3000", "[::1]:8443"])).toEqual({ webhooks: all, media: all, instances: all });
  });

  it("are allowed for one use alone by a list of its own", () => {
    const option = { webhooks: ["10.0.0.7:443"], media: ["minio:9000"] };
    expect(readAllowHosts(option)).toEqual({ ...option, instances: [] });
  });

  it.each<[string, unknown, string]>([
    ["a scheme", ["http://localhost:3000"], 'allowHosts[0]: "http://localhost:3000" has a scheme'],
    ["a path", { media: ["a.example:80", "localhost:3000/x"] }, 'allowHosts.media[1]: "localhost:3000/x" has a path'],
    ["nothing", { webhooks: [""] }, 'allowHosts.webhooks[0]: "" has no port'],
    ["nothing, for instances", { instances: ["a"] }, 'allowHosts.instances[0]: "a" has no port'],
    ["a wildcard", ["*.example.com:443"], 'allowHosts[0]: "*.example.com:443" has a wildcard'],
    ["no port", ["localhost"], 'allowHosts[0]: "localhost" has no port'],
    ["port 0", ["localhost:0"], 'allowHosts[0]: "localhost:0" has no port'],
    ["a port beyond the last", ["localhost:65536"], 'allowHosts[0]: "localhost:65536" has no port'],
    ["a name before an @", ["me@localhost:80"], 'allowHosts[0]: "me@localhost:80" is no host with a port'],
    ["a space", ["a b:80"], 'allowHosts[0]: "a b:80" is no host with a port'],
    ["a pattern", ["a(b|c).example:80"], 'allowHosts[0]: "a(b|c).example:80" is no host with a port'],
    ["no text", [3000], 'allowHosts[0]: "3000" has no port'],
    ["another use", { hooks: [] }, "allowHosts.hooks: there is no such use; there are webhooks, media, instances."],
    ["one host instead of a list", "localhost:3000", "allowHosts: give a list"],
    ["one host for a use", { media: "localhost:3000" }, "allowHosts.media: give a list"],
    ["nothing at all", null, "allowHosts: give a list"],
  ])("are refused with %s", (_, option, message) => {
    let failure: unknown;
    try {
      readAllowHosts(option as AllowHosts);
    } catch (error) {
      failure = error;
    }
    expect(SocialError.is(failure) && failure.message).toContain(message);
  });
});
