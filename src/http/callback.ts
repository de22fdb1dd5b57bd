import type { CallbackPlace, LoginCallback } from "../connections/callback.ts";
import { onlyMethods } from "./match.ts";

const callbackPath = /^\/connect\/([^/]+)(?:\/([^/]+))?\/callback$/;

/** Whose callback the path is; null: it is none. */
export function callbackPlaceOf(path: string): CallbackPlace | null {
  const [, network, server] = callbackPath.exec(path) ?? [];
  if (network === undefined) return null;
  return { network, server: server === undefined ? null : decoded(server) };
}

/** Proxies may write a port's colon and brackets in either way. What cannot be decoded is no server's name. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The address holds a code or a state: it is in no cache, and no page that follows learns of it. */
const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" };

/**
 * Where networks send browsers after a login; no key is needed. The browser goes on to the host's own page; one that
 * belongs to no login of ours gets a page that says so.
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

/** Nothing that came with the request is in it. */
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
<title>This login is not known here</title>
<style>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1c1c; background: #fff; }
main { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; line-height: 1.3; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #181818; } }
</style>
</head>
<body>
<main>
<h1>This login is not known here</h1>
<p>It belongs to nothing that was started here, or it was started too long ago. Nothing was connected.</p>
<p>Go back to the page where you began, and start again.</p>
</main>
</body>
</html>
`;
