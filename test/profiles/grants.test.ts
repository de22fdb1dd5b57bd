import { beforeEach, describe, expect, it } from "vitest";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import { createTestService, type TestService } from "../support/service.ts";

let service: TestService;
let revoked: string[];

/** Mastodon, as if all accounts of one server shared one grant, like channels and pages of one person elsewhere. */
beforeEach(() => {
  revoked = [];
  const { connect, ...rest } = mastodon();
  service = createTestService({
    networks: [
      {
        ...rest,
        connect: {
          ...connect,
          async login(context, credentials) {
            const login = await connect.login(context, credentials);
            return { ...login, credentials: { ...login.credentials, grant_id: String(login.identity.host) } };
          },
          async revoke({ profile }) {
            revoked.push(profile.external_id);
          },
        },
      },
    ],
  });
});

async function connect(username: string, instance = "mastodon.sandbox.example", account = "default") {
  const { external_id, ...credentials } = service.sandbox.mastodon.addAccount({ username, instance });
  const { profiles } = service.social.forAccount(account);
  return service.clock.run(() => profiles.connect({ network: "mastodon", credentials }));
}

function disconnect(id: string, account = "default") {
  return service.clock.run(() => service.social.forAccount(account).profiles.disconnect(id));
}

describe("a grant that several profiles share", () => {
  it("is revoked with its last profile, and not before", async () => {
    const [first, second] = [await connect("alice"), await connect("bob")];
    await disconnect(first.id);
    expect(revoked).toEqual([]);
    await disconnect(second.id);
    expect(revoked).toEqual([second.external_id]);
  });

  it("is kept by profiles of other accounts, too", async () => {
    const own = await connect("alice");
    const theirs = await connect("bob", undefined, "acct_2");
    await disconnect(own.id);
    expect(revoked).toEqual([]);
    await disconnect(theirs.id, "acct_2");
    expect(revoked).toEqual([theirs.external_id]);
  });

  it("is not kept by another grant's profile", async () => {
    service.sandbox.mastodon.addInstance({ host: "other.sandbox.example" });
    const own = await connect("alice");
    await connect("bob", "other.sandbox.example");
    await disconnect(own.id);
    expect(revoked).toEqual([own.external_id]);
  });

  it("is revoked when its last two profiles are disconnected concurrently", async () => {
    const both = [await connect("alice"), await connect("bob")];
    await service.clock.run(() => Promise.all(both.map(({ id }) => service.social.profiles.disconnect(id))));
    expect(revoked.length).toBeGreaterThanOrEqual(1);
    expect((await service.storage.find("grants", { where: {}, order: { column: "id", direction: "asc" } })).total).toBe(
      0,
    );
  });
});
