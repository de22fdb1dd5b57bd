import { type BlueskyApp, bluesky } from "../../../src/networks/bluesky/index.ts";
import { loadOAuth } from "../../../src/networks/bluesky/oauth-library.ts";
import type { NetworkAdapter } from "../../../src/networks/contract/adapter.ts";

// Loading takes real time, and the tests' manual clock does not wait for it.
await Promise.all([loadOAuth(), import("../../../src/networks/bluesky/logins.ts")]);

/** Keys for tests only. */
export const [firstKey, secondKey] = [
  {
    kty: "EC",
    crv: "P-256",
    x: "mXhu-VQwmMj03-yNJm4m4tdG-GtxIPaCwtXaOja6mqA",
    y: "y2i_6ZSVWQ21vqkTzRyIQ5xK0vnat0gMSpGjptiHbdE",
    d: "QDvdLX37eKmzSqRp3eHVcyDbcE-A6f6y8DLIdBJMLUs",
  },
  {
    kty: "EC",
    crv: "P-256",
    x: "L-c-GshkqUZMUkXcAKeRQDrgMWDIuOx5WyCX7daA27E",
    y: "gtPraKqk4G-e4W60tGBI20UrU2xI80AsThmcexYcDjg",
    d: "BMfa9e-NeAC01_t1hkvI4n55cnAV0rNCb7UYx5b50S8",
  },
] as const;

export const app: BlueskyApp = { name: "The test's own", private_keys: [firstKey] };

/** The host whose handler serves the app's metadata. */
export const appHost = "app.example.com";

/** An adapter with browser sign-in. */
export function blueskyWithLogin(given: Partial<BlueskyApp> = {}): NetworkAdapter {
  return bluesky({ app: { ...app, ...given } });
}

/** The callback URL for browsers. */
export const redirectUri = `https://${appHost}/connect/bluesky/callback`;
export const clientId = `https://${appHost}/connect/bluesky/client-metadata.json`;

/** The handler's response to servers that read the app's metadata. */
export async function describedApp(request: Request): Promise<Response> {
  const documents = (await blueskyWithLogin().connect.browser?.documents?.({ redirectUri })) ?? {};
  const document = documents[new URL(request.url).pathname.replace("/connect/bluesky/", "")];
  return document === undefined ? new Response(null, { status: 404 }) : Response.json(document);
}
