import { beforeEach, describe, expect, it } from "vitest";
import type { Profile } from "../../../src/profiles/schema.ts";
import { connectBluesky } from "../../support/connect.ts";
import { createTestService, type TestService } from "../../support/service.ts";

const handle = "alice.sandbox.example";
/** Bluesky's own servers; Bluesky moves accounts between them. */
const morel = "morel.us-east.host.bsky.network";
const puffball = "puffball.us-east.host.bsky.network";

let service: TestService;
let profile: Profile;
/** The hosts that each credential was sent to. */
let credentialHosts: Set<string>;

/** A service whose network records the hosts that see a credential. */
function watched(): TestService {
  credentialHosts = new Set();
  const { clock, sandbox } = createTestService();
  const http: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    if (request.headers.has("authorization")) credentialHosts.add(new URL(request.url).hostname);
    return sandbox.http(input, init);
  };
  return { ...createTestService({ clock, http, untrustedHttp: http }), sandbox };
}

beforeEach(async () => {
  service = watched();
  service.sandbox.bluesky.addAccount({ handle });
  service.sandbox.bluesky.move(handle, morel);
  const credentials = { identifier: handle, app_password: "abcd-efgh-ijkl-mnop" };
  profile = await service.clock.run(() => service.social.profiles.connect({ network: "bluesky", credentials }));
});

function publish() {
  return service.clock.run(() => service.social.posts.create({ profile_ids: [profile.id], text: "Still here" }));
}

function check(): Promise<Profile> {
  return service.clock.run(() => service.social.profiles.check(profile.id));
}

describe("a Bluesky account that has moved", () => {
  it("is found by a check, and posts on its new server", async () => {
    service.sandbox.bluesky.move(handle, puffball);
    expect(await check()).toMatchObject({ status: "connected" });
    expect((await publish()).status).toBe("published");
    expect(credentialHosts).toEqual(new Set([morel, puffball]));
  });

  it("is found without a check if its refresh is refused", async () => {
    service.sandbox.bluesky.move(handle, puffball);
    await service.clock.advance(3 * 3_600_000);
    expect((await publish()).status).toBe("published");
    expect(await service.social.profiles.get(profile.id)).toMatchObject({ status: "connected" });
  });

  it("is found if its old server is gone", async () => {
    service.sandbox.bluesky.move(handle, puffball);
    service.sandbox.bluesky.faults.add({ kind: "not_sent", code: "ENOTFOUND", operation: "getSession", times: 3 });
    expect(await check()).toMatchObject({ status: "connected" });
  });

  it("works again at a check after a failed post", async () => {
    service.sandbox.bluesky.move(handle, puffball);
    expect((await publish()).targets[0]?.error?.code).toBe("profile_unavailable");
    expect((await service.social.profiles.get(profile.id)).status).toBe("needs_attention");
    expect(await check()).toMatchObject({ status: "connected" });
    expect((await publish()).status).toBe("published");
  });

  it("to another operator's server must be reconnected, and its credentials are not sent there", async () => {
    service.sandbox.bluesky.move(handle, "pds.elsewhere.example");
    expect(await check()).toMatchObject({
      status: "needs_attention",
      status_reason: expect.stringContaining("has moved to pds.elsewhere.example: reconnect the profile"),
    });
    expect(credentialHosts).toEqual(new Set([morel]));
  });

  it("keeps its server while the directory is unreachable", async () => {
    service.sandbox.bluesky.takeDown(handle);
    service.sandbox.bluesky.faults.add({ kind: "drop_before", operation: "plc.directory", times: 99 });
    expect(await check()).toMatchObject({
      status: "needs_attention",
      status_reason: expect.stringContaining("closed"),
    });
  });
});

describe("a Bluesky account that has not moved", () => {
  it("is not looked up because of another server's claim", async () => {
    const other = await connectBluesky({ ...service, social: service.social }, "bob.sandbox.example");
    service.sandbox.bluesky.takeDown("bob.sandbox.example");
    await service.clock.run(() => service.social.profiles.check(other.id));
    expect(credentialHosts).toEqual(new Set([morel, "pds.sandbox.example"]));
  });
});
