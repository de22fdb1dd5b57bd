import type { Browser, Page } from "playwright-core";

/** A user with a separate browser. */
export interface Visitor {
  page: Page;
  /** The URLs that the browser has requested. */
  visited(): string[];
  /** Forbidden events of a page: errors in its console, and requests to other origins than `origins`. */
  complaints(origins: readonly string[]): string[];
  /** Waits for the page with this heading. */
  sees(heading: string): Promise<void>;
  leave(): Promise<void>;
}

/** How long a page may take on a busy machine, milliseconds. */
const patienceMs = 20_000;

export async function openVisitor(
  browser: Browser,
  options: { colorScheme?: "light" | "dark" } = {},
): Promise<Visitor> {
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true });
  context.setDefaultTimeout(patienceMs);
  const addresses: string[] = [];
  const errors: string[] = [];
  // The browser logs the status of such a page in its console.
  const refusals = new Set<string>();
  context.on("request", (request) => void addresses.push(request.url()));
  context.on("response", (response) => {
    const isPage = response.request().isNavigationRequest();
    if (isPage && response.status() >= 400) refusals.add(withoutFragment(response.url()));
  });
  context.on("console", (message) => {
    const { url } = message.location();
    if (message.type() === "error" && !refusals.has(withoutFragment(url))) errors.push(`${url}: ${message.text()}`);
  });
  context.on("weberror", (error) => void errors.push(String(error.error())));
  const page = await context.newPage();
  return {
    page,
    visited: () => addresses,
    complaints(origins) {
      const elsewhere = addresses.filter((url) => !url.startsWith("data:") && !origins.includes(new URL(url).origin));
      return [...errors, ...elsewhere.map((url) => `asked for ${url}`)];
    },
    sees: (heading) => page.getByRole("heading", { name: heading, exact: true }).waitFor(),
    leave: () => context.close(),
  };
}

/** Some networks redirect the browser to a URL with a fragment. */
function withoutFragment(url: string): string {
  return url.replace(/#.*$/, "");
}
