/** The query parameter with the simulated page's URL. */
const parameter = "at";

/**
 * Shows the simulated networks' own pages to a real browser; the host's app mounts it at any path. A sign-in page at
 * `https://mastodon.example/oauth/authorize?…` is shown at `?at=` with its escaped URL.
 */
export async function showPage(
  http: typeof fetch,
  serves: (host: string) => boolean,
  request: Request,
): Promise<Response> {
  const { searchParams, pathname } = new URL(request.url);
  const at = searchParams.get(parameter) ?? "";
  if (request.method !== "GET" || !URL.canParse(at))
    return new Response("The parameter `at` must be a URL.", { status: 400 });
  const shownAt = (address: string): string => `${pathname}?${parameter}=${encodeURIComponent(address)}`;
  const answer = await http(at, { redirect: "manual" });
  const headers = new Headers({
    "cache-control": "no-store",
    "content-type": answer.headers.get("content-type") ?? "text/plain",
  });
  const location = answer.headers.get("location");
  if (location !== null) {
    const target = new URL(location, at);
    headers.set("location", serves(target.hostname) ? shownAt(target.href) : target.href);
    return new Response(null, { status: 302, headers });
  }
  const text = await answer.text();
  return new Response(withLinks(text, shownAt), { status: answer.status, headers });
}

/** Rewrites the page's links. Simulated pages contain only links with absolute URLs. */
function withLinks(page: string, shownAt: (address: string) => string): string {
  return page.replace(/href="(https:[^"]*)"/g, (_, escaped: string) => {
    const address = escaped
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    return `href="${shownAt(address).replaceAll("&", "&amp;")}"`;
  });
}
