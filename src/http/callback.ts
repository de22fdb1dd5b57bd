import type { CallbackPlace, LoginCallback } from "../connections/callback.ts";
import { onlyMethods } from "./match.ts";

const callbackPath = /^\/connect\/([^/]+)(?:\/([^/]+))?\/callback$/;

/** The network and server of a callback path; null: it is another path. */
export function callbackPlaceOf(path: string): CallbackPlace | null {
  const [, network, server] = callbackPath.exec(path) ?? [];
  if (network === undefined) return null;
  return { network, server: server === undefined ? null : decoded(server) };
}

/**
 * Decodes a server's name, because proxies may encode a port's colon and brackets. Text that cannot be decoded is
 * returned as it came.
 */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The URL contains a code or a state: no cache may store it, and it is not sent as a referrer. */
const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" };

/**
 * Handles the redirect from a network after a sign-in; no key is needed. Redirects the browser to the host's page, or
 * shows an error page if it belongs to no sign-in of this service.
 */
export async function answerCallback(
  { loginCallback }: { loginCallback: LoginCallback },
  { method, place, parameters }: { method: string; place: CallbackPlace; parameters: URLSearchParams },
): Promise<Response> {
  if (method !== "GET") throw onlyMethods(["GET"]);
  const back = await loginCallback(place, parameters);
  if (back === null) return lostPage();
  return new Response(null, { status: 303, headers: { ...headers, location: back.url } });
}

/** The page repeats nothing of the request. */
function lostPage(): Response {
  return new Response(page, {
    status: 400,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    },
  });
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Unknown sign-in</title>
<style>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1c1c; background: #fff; }
main { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; line-height: 1.3; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #181818; } }
</style>
</head>
<body>
<main>
<h1>Unknown sign-in</h1>
<p>This sign-in was not started here, or it has expired. Nothing was connected.</p>
<p>Go back to the page where you started, and begin again.</p>
</main>
</body>
</html>
`;
