import { describe, expect, it } from "vitest";
import { createConnector } from "../../../src/networks/bluesky/connect.ts";
import { bluesky } from "../../../src/networks/bluesky/index.ts";
import { thumbprintOf } from "../../../src/networks/bluesky/signing-key.ts";
import { failureOf } from "../../support/failure.ts";
import { app, blueskyWithLogin, clientId, firstKey, redirectUri, secondKey } from "./app.ts";
import { alice, askedOf, loginBench } from "./login-bench.ts";

const bob = "bob.sandbox.example";
/** One of Bluesky's own servers, which share one authorization server. */
const morel = "morel.us-east.host.bsky.network";

describe("a browser sign-in at Bluesky", () => {
  it("connects the account by its handle, and each request carries a proof", async () => {
    const bench = loginBench();
    const profile = await bench.logIn();
    expect(profile).toMatchObject({ handle: alice, status: "connected", scopes: ["atproto", "transition:generic"] });
    expect((await bench.publish(profile)).status).toBe("published");
    expect(bench.sandbox.bluesky.posts().map(({ text }) => text)).toEqual(["By a proof"]);
    const [commit] = askedOf(bench, "applyWrites");
    expect(commit?.headers.get("authorization")).toMatch(/^DPoP tok-/);
    expect(commit?.headers.get("dpop")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it("connects an account on one of Bluesky's own servers at bsky.social, and sends its token only to that server", async () => {
    const bench = loginBench();
    bench.sandbox.bluesky.move(alice, morel);
    const started = await bench.start();
    expect(started.authorization_url).toMatch(/^https:\/\/bsky\.social\/oauth\/authorize\?client_id=/);
    const profile = await bench.logIn();
    await bench.publish(profile);
    const hosts = bench.seen.filter(({ headers }) => headers.has("authorization")).map(({ host }) => host);
    expect(new Set(hosts)).toEqual(new Set([morel]));
  });

  it.each(["its DID", "https://bsky.social", `https://${morel}`])("accepts %s instead of the handle", async (given) => {
    const bench = loginBench();
    bench.sandbox.bluesky.move(alice, morel);
    const { did } = bench.sandbox.bluesky.addAccount({ handle: bob });
    bench.sandbox.bluesky.move(bob, morel);
    const profile = await bench.logIn(given === "its DID" ? did : given, `Allow as ${bob}`);
    expect(profile).toMatchObject({ handle: bob, external_id: did });
  });

  it.each([
    { given: "nobody.sandbox.example", says: "no account nobody" },
    { given: "alice", says: "write the handle in full" },
    { given: "did:web:under_score", says: "not the DID" },
    { given: "http://pds.sandbox.example", says: "https URL of a server" },
  ])("rejects $given with the field's name", async ({ given, says }) => {
    const error = await failureOf(loginBench().start(given));
    expect(error).toMatchObject({ code: "invalid_request", details: [{ field: "login.handle" }] });
    expect(error.details[0]?.message).toContain(says);
  });

  it("requests direct messages only if the inbox is enabled", async () => {
    for (const [scopes, scope] of [
      [["publish"], "atproto transition:generic"],
      [["publish", "inbox"], "atproto transition:generic transition:chat.bsky"],
    ] as const) {
      const bench = loginBench({ adapter: bluesky({ app, scopes }) });
      await bench.start();
      expect(askedOf(bench, "/oauth/par").at(-1)?.form.scope).toBe(scope);
    }
  });

  it.each([
    { label: "Refuse", error: "access_denied" },
    { label: `Allow as ${alice}, but not transition:generic`, error: "missing_scope" },
  ])("that ends with $label reports $error", async ({ label, error }) => {
    const bench = loginBench();
    const told = await bench.visit(await bench.start(), label);
    expect([told.get("error"), told.get("code")]).toEqual([error, null]);
  });

  it("as another user than requested connects no account, and its tokens are revoked", async () => {
    const bench = loginBench();
    bench.sandbox.bluesky.addAccount({ handle: bob });
    const told = await bench.visit(await bench.start(), `Allow as ${bob}`);
    expect(told.get("error")).toBe("login_failed");
    expect(askedOf(bench, "/oauth/revoke")).toHaveLength(1);
  });

  it.each([
    ["another server", (back: URL) => back.searchParams.set("iss", "https://evil.example")],
    ["no server that it names", (back: URL) => back.searchParams.delete("iss")],
  ])("that returns from %s ends before its code is sent anywhere", async (_, change) => {
    const bench = loginBench();
    const told = await bench.visit(await bench.start(), `Allow as ${alice}`, change);
    expect(told.get("error")).toBe("login_failed");
    expect(askedOf(bench, "/oauth/token")).toEqual([]);
  });

  it("that returns twice exchanges its code once", async () => {
    const bench = loginBench();
    let address = "";
    const told = await bench.visit(await bench.start(), `Allow as ${alice}`, (back) => {
      address = back.href;
    });
    expect(told.has("code")).toBe(true);
    const trades = askedOf(bench, "/oauth/token").length;
    const again = await bench.handler(new Request(address));
    expect(again.headers.get("location")).toContain("error=already_used");
    expect(askedOf(bench, "/oauth/token")).toHaveLength(trades);
  });

  it("names the package to install if oauth4webapi is missing", async () => {
    const loadLibrary = () => Promise.reject(new Error("Cannot find package 'oauth4webapi'"));
    const settings = { service: "https://bsky.social", app, purposes: ["publish"], loadLibrary } as const;
    const adapter = { ...blueskyWithLogin(), connect: createConnector(settings) };
    const error = await failureOf(loginBench({ adapter }).start());
    expect(error).toMatchObject({ code: "unsupported", message: expect.stringContaining("npm install oauth4webapi") });
  });
});

describe("the app's metadata for servers", () => {
  const read = async (name: string, bench = loginBench()): Promise<unknown> =>
    (await bench.handler(new Request(`https://app.example.com/connect/bluesky/${name}`))).json();

  it("describes a client with a key, and only the public part of its keys", async () => {
    const adapter = blueskyWithLogin({ private_keys: [firstKey, secondKey] });
    const bench = loginBench({ adapter });
    expect(await read("client-metadata.json", bench)).toEqual({
      client_id: clientId,
      client_name: app.name,
      client_uri: "https://app.example.com",
      application_type: "web",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: "atproto transition:generic",
      dpop_bound_access_tokens: true,
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      jwks_uri: "https://app.example.com/connect/bluesky/jwks.json",
    });
    const text = JSON.stringify(await read("jwks.json", bench));
    for (const { d } of [firstKey, secondKey]) expect(text).not.toContain(d);
    expect(JSON.parse(text)).toMatchObject({ keys: [firstKey, secondKey].map(({ x }) => ({ x, alg: "ES256" })) });
  });

  it("describes a client without a key if there is none, and such a client can sign in, too", async () => {
    const bench = loginBench({ adapter: blueskyWithLogin({ private_keys: [] }) });
    expect(await read("client-metadata.json", bench)).toMatchObject({ token_endpoint_auth_method: "none" });
    expect(await bench.logIn()).toMatchObject({ status: "connected" });
    expect(askedOf(bench, "/oauth/par").at(-1)?.form).not.toHaveProperty("client_assertion");
  });

  it.each(["http://localhost:3000", "http://127.0.0.1:3000/social"])(
    "is in the client id itself on a developer's machine: %s",
    async (baseUrl) => {
      const bench = loginBench({ baseUrl });
      const { authorization_url } = await bench.start();
      const client = new URL(new URL(authorization_url).searchParams.get("client_id") ?? "");
      expect(client.href.startsWith("http://localhost/?redirect_uri=http%3A%2F%2F127.0.0.1%3A3000%2F")).toBe(true);
      expect(client.searchParams.get("scope")).toBe("atproto transition:generic");
    },
  );

  it("must be publicly reachable", async () => {
    const error = await failureOf(loginBench({ baseUrl: "http://app.example.com" }).start());
    expect(error).toMatchObject({ code: "unsupported", message: expect.stringContaining("https://") });
  });

  it("is named in the error if a server rejects it", async () => {
    const bench = loginBench();
    bench.sandbox.bluesky.reach("app.example.com", () => new Response("no", { status: 404 }));
    const error = await failureOf(bench.start());
    expect(error).toMatchObject({
      code: "publish_failed",
      message: expect.stringContaining("invalid_client_metadata"),
    });
  });

  it.each([
    [{ name: "" }, "app.name"],
    [{ private_keys: [{ ...firstKey, d: "short" }] }, "app.private_keys[0]"],
    [{ logo_uri: "logo.png" }, "app.logo_uri"],
  ])("is checked when the adapter is created: %j", async (given, field) => {
    const error = await failureOf(Promise.resolve().then(() => bluesky({ app: { ...app, ...given } })));
    expect(error.details.map((each) => each.field)).toEqual([field]);
  });
});

it("the ids of the app's keys follow from the keys", () => {
  expect(thumbprintOf(firstKey)).toMatch(/^[\w-]{43}$/);
  expect(thumbprintOf(firstKey)).not.toBe(thumbprintOf(secondKey));
});
