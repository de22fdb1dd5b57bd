import type { SandboxAnswer, SandboxRequest } from "../exchange.ts";
import type { SandboxAccount } from "./accounts.ts";
import { domainOf, type HandleDomain, type SandboxInstance } from "./instances.ts";
import { notFound } from "./refusal.ts";

const path = "/.well-known/webfinger";

/** True: the request asks for the account of a handle. https://www.rfc-editor.org/rfc/rfc7033 (2026-11) */
export function isWebfinger({ method, url }: Pick<SandboxRequest, "method" | "url">): boolean {
  return method === "GET" && url.pathname === path;
}

/** Redirects from a domain to its instance. https://docs.joinmastodon.org/admin/config/#web_domain (2026-11) */
export function sentOn({ url }: SandboxRequest, { instance }: HandleDomain): SandboxAnswer {
  return { status: 301, headers: { location: `https://${instance}${path}${url.search}` } };
}

/** The account, among those on the instance. @throws Refusal */
export function webfinger(
  { url }: SandboxRequest,
  { instance, accounts }: { instance: SandboxInstance; accounts: readonly SandboxAccount[] },
): SandboxAnswer {
  const [, username, domain = ""] = /^acct:([^@]+)@(.+)$/.exec(url.searchParams.get("resource") ?? "") ?? [];
  const account = accounts.find((each) => each.instance === instance && each.username === username);
  if (account === undefined || ![instance.host, domainOf(instance)].includes(domain)) throw notFound();
  const href = `https://${instance.host}/users/${account.username}`;
  const json = {
    subject: `acct:${account.username}@${domainOf(instance)}`,
    links: [{ rel: "self", type: "application/activity+json", href }],
  };
  return { status: 200, headers: { "content-type": "application/jrd+json" }, json };
}
