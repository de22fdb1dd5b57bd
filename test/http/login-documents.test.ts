import { expect, it } from "vitest";
import { createHandler, type Handler } from "../../src/http/handler.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import { createTestService, testNetworks } from "../support/service.ts";

/** A network that reads `keys.json`. */
function withDocument(): NetworkAdapter {
  const [network] = testNetworks();
  if (network === undefined) throw new Error("no network");
  const browser = {
    ...network.connect.browser,
    documents: async ({ redirectUri }: { redirectUri: string }) => ({ "keys.json": { keys: [], back: redirectUri } }),
  } as NonNullable<NetworkAdapter["connect"]["browser"]>;
  return { ...network, connect: { ...network.connect, browser } };
}

function mounted(options: Parameters<typeof createTestService>[0] = {}): Handler {
  const { social } = createTestService({ networks: [withDocument()], ...options });
  return createHandler(social, { basePath: "/social" });
}

const place = "https://app.example.com/social/connect/bluesky";

function read(path: string, handler: Handler, method = "GET"): Promise<Response> {
  return handler(new Request(`${place}/${path}`, { method }));
}

it("a network reads a document about the app without a key, and may cache it for ten minutes", async () => {
  const baseUrl = "https://app.example.com/social";
  const response = await read("keys.json", mounted({ baseUrl }));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ keys: [], back: `${baseUrl}/connect/bluesky/callback` });
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("public, max-age=600");
});

it("HEAD for a document gets no body, and any other method is refused", async () => {
  const handler = mounted();
  const head = await read("keys.json", handler, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const posted = await read("keys.json", handler, "POST");
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

it.each(["other.json", "constructor.json", "keys.json/more", "Keys.json", "keys"])(
  "%s is not found, like any other path",
  async (path) => {
    expect((await read(path, mounted())).status).toBe(404);
  },
);

it("a network without documents, or one that the service does not have, gets 404", async () => {
  const handler = mounted();
  for (const network of ["mastodon", "nowhere"]) {
    const response = await handler(new Request(`https://app.example.com/social/connect/${network}/keys.json`));
    expect(response.status).toBe(404);
  }
});

it("a service without a baseUrl serves no document", async () => {
  const handler = mounted({ baseUrl: undefined, mediaStore: undefined, trustedOrigins: undefined });
  expect((await read("keys.json", handler)).status).toBe(404);
});
