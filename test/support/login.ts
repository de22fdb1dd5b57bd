import type { Handler } from "../../src/http/handler.ts";
import { discord } from "../../src/networks/discord/index.ts";
import { mastodon } from "../../src/networks/mastodon/index.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { discordApp } from "../networks/discord/app.ts";
import { type TestService, testBaseUrl } from "./service.ts";

/** The host's page that browsers come back to; its origin is among the test service's `trustedOrigins`. */
export const ownPage = "https://host.example/accounts?tab=2";

/** The networks of tests that have a login in the browser. */
export function loginNetworks(bot_token?: string): [ReturnType<typeof discord>, ReturnType<typeof mastodon>] {
  return [discord({ app: { ...discordApp, bot_token } }), mastodon({ app: { name: "Host" } })];
}

/** Where a network sends the browser back to. */
export function callbackOf(network: string): string {
  return `${testBaseUrl}/connect/${network}/callback`;
}

/** A browser at a network's login page: where its owner's click leads. */
export async function click({ http }: Pick<Sandbox, "http">, pageUrl: string, label: string): Promise<string> {
  const page = await http(pageUrl);
  const links = [...(await page.text()).matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)];
  const link = links.find(([, , text]) => text === label);
  if (link?.[1] === undefined)
    throw new Error(`The page has no link "${label}", only ${links.map(([, , text]) => text).join(", ")}.`);
  const answer = await http(link[1].replaceAll("&quot;", '"').replaceAll("&amp;", "&"), { redirect: "manual" });
  return answer.headers.get("location") ?? "";
}

/** Follows a network's redirect to the handler: where the browser ends. */
export async function comeBack(
  { clock, handler }: Pick<TestService, "clock"> & { handler: Handler },
  url: string,
): Promise<Response> {
  return clock.run(() => handler(new Request(url)));
}

/** The page that the browser ends on. */
export function pageOf(response: Response): URL {
  return new URL(response.headers.get("location") ?? "about:blank");
}
