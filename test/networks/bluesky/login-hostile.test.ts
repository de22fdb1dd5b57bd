import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createUntrustedHttp } from "../../../src/outbound/guard/guard.ts";
import { failureOf } from "../../support/failure.ts";
import { recordingLogger } from "../../support/logger.ts";
import { firstKey } from "./app.ts";
import { alice, askedOf, type LoginBench, loginBench } from "./login-bench.ts";

const server = "https://pds.sandbox.example";

/** A server's metadata with changes. */
function lies(bench: LoginBench, document: string, change: object): void {
  bench.instead = (request, answer) =>
    request.url.endsWith(document)
      ? answer().then(async (response) => Response.json({ ...((await response.json()) as object), ...change }))
      : null;
}

describe("a malicious Bluesky server", () => {
  it.each([
    { document: "oauth-authorization-server", bytes: 2_000_000 },
    { document: "oauth-protected-resource", bytes: 2_000_000 },
  ])("is cut off after too many bytes: $document", async ({ document, bytes }) => {
    const bench = loginBench();
    bench.sandbox.bluesky.faults.add({ kind: "huge_body", bytes, operation: document, times: 9 });
    expect(await failureOf(bench.start())).toMatchObject({ code: "publish_failed" });
  });

  it.each([
    ["speaks for another issuer", "oauth-authorization-server", { issuer: "https://bsky.social" }],
    ["has an invalid issuer", "oauth-authorization-server", { issuer: "nobody" }],
    ["names an invalid resource", "oauth-protected-resource", { resource: "nobody" }],
    ["speaks for another resource", "oauth-protected-resource", { resource: "https://bsky.social" }],
    [
      "names an endpoint without TLS",
      "oauth-authorization-server",
      { pushed_authorization_request_endpoint: "http://pds.sandbox.example/oauth/par" },
    ],
    ["names a script as its page", "oauth-authorization-server", { authorization_endpoint: "javascript:alert(1)" }],
    ["names no page", "oauth-authorization-server", { authorization_endpoint: null }],
  ])("that %s cannot be used for a sign-in", async (_, document, change) => {
    const bench = loginBench();
    lies(bench, document, change);
    expect(await failureOf(bench.start())).toMatchObject({ code: "publish_failed" });
  });

  it.each([["https://bsky.social/path"], ["no address"], [7]])(
    "that names %j as its authorization server is rejected",
    async (issuer) => {
      const bench = loginBench();
      lies(bench, "oauth-protected-resource", { authorization_servers: [issuer] });
      expect(await failureOf(bench.start())).toMatchObject({ code: "invalid_request" });
    },
  );

  it.each(["https://127.0.0.1/par", "https://10.0.0.7/par", "https://[::1]/par", "https://169.254.169.254/par"])(
    "cannot direct a request to %s",
    async (endpoint) => {
      const bench = loginBench();
      const guard = createUntrustedHttp({ clock: bench.clock });
      bench.instead = (request, answer) => {
        if (!request.url.startsWith(server)) return request.url === endpoint ? guard(request.url, request) : null;
        return request.url.endsWith("oauth-authorization-server")
          ? answer().then(async (response) =>
              Response.json({
                ...((await response.json()) as object),
                pushed_authorization_request_endpoint: endpoint,
              }),
            )
          : null;
      };
      const error = await failureOf(bench.start());
      expect(error).toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("could not be reached"),
      });
      expect(askedOf(bench, "/par")).toEqual([]);
    },
  );

  it.each(["oauth-protected-resource", "oauth-authorization-server", "/oauth/par"])(
    "cannot redirect a request: %s",
    async (path) => {
      const bench = loginBench();
      const elsewhere = new Response(null, { status: 307, headers: { location: "https://bsky.social/oauth/par" } });
      bench.instead = async (request, answer) => (request.url.endsWith(path) ? elsewhere.clone() : answer());
      expect(await failureOf(bench.start())).toMatchObject({ code: "publish_failed" });
      expect(bench.seen.filter(({ host, what }) => host === "bsky.social" && !what.includes("resolveHandle"))).toEqual(
        [],
      );
    },
  );

  it.each([
    ["that are not bound to a key", { token_type: "Bearer" }],
    ["that cannot be renewed", { refresh_token: undefined }],
    ["without an account", { sub: undefined }],
    ["of another server's account", { sub: "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa" }],
  ])("that issues tokens %s connects no account", async (_, change) => {
    const bench = loginBench();
    const started = await bench.start();
    lies(bench, "/oauth/token", change);
    bench.instead = (
      (lie) => (request: Request, answer: () => Promise<Response>) =>
        request.url.endsWith("/oauth/token")
          ? answer().then(async (response) =>
              response.status === 200 ? ((await lie(request, async () => response)) as Response) : response,
            )
          : null
    )(bench.instead);
    const told = await bench.visit(started, `Allow as ${alice}`);
    expect(told.get("error")).toBe("login_failed");
    expect(await bench.social.profiles.list()).toMatchObject({ data: [] });
  });

  it("cannot speak for an account of another server", async () => {
    const bench = loginBench();
    const { did } = bench.sandbox.bluesky.addAccount({ handle: "victim.sandbox.example" });
    bench.sandbox.bluesky.move("victim.sandbox.example", "morel.us-east.host.bsky.network");
    const started = await bench.start(server);
    bench.instead = (request, answer) =>
      request.url.endsWith("/oauth/token")
        ? answer().then(async (response) => {
            const body = (await response.json()) as object;
            return Response.json(response.status === 200 ? { ...body, sub: did } : body, response);
          })
        : null;
    const told = await bench.visit(started, `Allow as ${alice}`);
    expect(told.get("error")).toBe("login_failed");
  });
});

describe("a secret of the sign-in", () => {
  it("appears in no error, no log and no plain column, whatever servers repeat of it", async () => {
    const logger = recordingLogger();
    const bench = loginBench({ logger });
    const secrets = new Set<string>([firstKey.d]);
    const note = (text: string): void => {
      for (const [secret] of text.matchAll(/\b(?:tok|ref|cod)-[\w-]{20,}/g)) secrets.add(secret);
    };
    const outside: string[] = [];
    bench.instead = async (_, answer) => {
      const response = await answer();
      note(await response.clone().text());
      return response;
    };
    const profile = await bench.logIn();
    for (const { form, headers } of bench.seen) note(`${JSON.stringify(form)} ${headers.get("authorization")}`);
    expect(secrets.size).toBeGreaterThan(3);

    // From here on servers echo their requests.
    bench.instead = async (request) => {
      const said = `${request.headers.get("authorization")} ${request.headers.get("dpop")} ${await request.clone().text()}`;
      const json = { error: "Repeated", message: said, error_description: said };
      return request.url.includes("well-known") ? bench.sandbox.http(request) : Response.json(json, { status: 400 });
    };
    outside.push(inspect(await bench.publish(profile), { depth: 20 }));
    await bench.clock.advance(3_600_000);
    outside.push(inspect(await bench.publish(profile), { depth: 20 }));
    outside.push(inspect(await bench.start().catch((error: unknown) => error), { depth: 20, showHidden: true }));
    await bench.clock
      .run(() => bench.social.profiles.disconnect(profile.id))
      .catch((error: unknown) => {
        outside.push(inspect(error, { depth: 20, showHidden: true }));
      });
    for (const collection of ["profiles", "connections", "intents", "targets", "posts"] as const) {
      const { rows } = await bench.storage.find(collection, { where: {} });
      outside.push(JSON.stringify(rows));
    }
    const text = `${outside.join("\n")}\n${logger.lines.join("\n")}`;
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
