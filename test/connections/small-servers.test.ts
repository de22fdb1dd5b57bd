import { beforeEach, describe, expect, it } from "vitest";
import { createRest, type Rest } from "../http/rest.ts";
import { click, comeBack, loginNetworks, ownPage, pageOf } from "../support/login.ts";

const instance = "mastodon.sandbox.example";

let rest: Rest;
/** The header of the last request with a token. */
let authorization = "";

beforeEach(async () => {
  const untrustedHttp: typeof fetch = (input, init) => {
    authorization = new Headers(init?.headers ?? (input as Request).headers).get("authorization") ?? authorization;
    return rest.sandbox.untrustedHttp(input, init);
  };
  rest = await createRest({ networks: loginNetworks(), untrustedHttp });
  rest.sandbox.mastodon.changeInstance({ software: "look_alike", logins: "by_app", wrongToken: "empty_422" });
  for (const username of ["alice", "bob"]) rest.sandbox.mastodon.addAccount({ username });
});

interface Login {
  id: string;
  page: string;
}

async function start(): Promise<Login> {
  const body = { network: "mastodon" as const, redirect_url: ownPage, login: { instance } };
  const { connection_id, authorization_url } = await rest.clock.run(() => rest.social.connections.start(body));
  return { id: connection_id, page: authorization_url };
}

/** The result that the host's page gets at the end of the callback. */
async function end(back: string): Promise<URLSearchParams> {
  return pageOf(await comeBack(rest, back)).searchParams;
}

async function handlesAfter({ id }: Login, back: string): Promise<(string | null)[]> {
  const code = (await end(back)).get("code") ?? "";
  const { profiles } = await rest.clock.run(() => rest.social.connections.finish(id, { code }));
  return profiles.map(({ handle }) => handle);
}

describe("a sign-in on a server whose token belongs to the last user who signed in with the app", () => {
  it("connects the right user, though another one has signed in meanwhile", async () => {
    const [alices, bobs] = [await start(), await start()];
    const alicesBack = await click(rest.sandbox, alices.page, "Allow as alice");
    const bobsBack = await click(rest.sandbox, bobs.page, "Allow as bob");
    expect(await handlesAfter(alices, alicesBack)).toEqual([`alice@${instance}`]);
    expect(await handlesAfter(bobs, bobsBack)).toEqual([`bob@${instance}`]);
  });

  it("gives no account to an attacker who invents a code", async () => {
    const alices = await start();
    await handlesAfter(alices, await click(rest.sandbox, alices.page, "Allow as alice"));
    const { page } = await start();
    const url = new URL(page).searchParams;
    const back = new URL(url.get("redirect_uri") ?? "");
    back.search = String(new URLSearchParams({ code: "invented", state: url.get("state") ?? "" }));
    expect((await end(back.href)).get("error")).toBe("login_failed");
  });

  it("ends in a profile that publishes, and whose token is revoked on disconnection", async () => {
    const login = await start();
    const code = (await end(await click(rest.sandbox, login.page, "Allow as alice"))).get("code") ?? "";
    const { profiles } = await rest.clock.run(() => rest.social.connections.finish(login.id, { code }));
    const id = profiles[0]?.id ?? "";
    const post = { profile_ids: [id], text: "Hello" };
    expect(await rest.clock.run(() => rest.social.posts.create(post))).toMatchObject({ status: "published" });
    const verify = async (): Promise<number> => {
      const url = `https://${instance}/api/v1/accounts/verify_credentials`;
      return (await rest.sandbox.untrustedHttp(url, { headers: { authorization } })).status;
    };
    expect(await verify()).toBe(200);
    await rest.clock.run(() => rest.social.profiles.disconnect(id));
    expect(await verify()).toBe(422);
  });
});
