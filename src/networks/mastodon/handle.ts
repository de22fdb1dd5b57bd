import * as z from "zod";
import type { LoginContext, NetworkResponse } from "../contract/request.ts";
import type { Account } from "./account.ts";
import { instanceHost } from "./instance.ts";

/** The account whose handle is read. */
interface Named {
  /** The account's server. */
  host: string;
  /** The domain of handles, as the server states it. */
  domain: string;
  account: Account;
  /** A handle that was confirmed before. Undefined: none. */
  confirmed?: unknown;
}

/** Letters of any alphabet. A name with an @ or a space, or a very long one, could show another domain. */
const usernamePattern = /^[\p{L}\p{M}\p{N}_.-]{1,200}$/u;

/**
 * Reads an account's handle: `alice@local.example`. Handles may end in a domain other than the server's, if that domain
 * confirms it (WebFinger). Otherwise they end in the server's host.
 *
 * @see https://docs.joinmastodon.org/spec/webfinger/
 * @returns null for an invalid name
 */
export async function readHandle(context: LoginContext, named: Named): Promise<string | null> {
  const { host, account, confirmed } = named;
  if (!usernamePattern.test(account.username)) return null;
  const own = `${account.username}@${host}`;
  const domain = hostIn(named.domain);
  if (domain === null || domain === host) return own;
  const claimed = `${account.username}@${domain}`;
  const isSaid = await vouches(context, { host, domain, account });
  // A failed look-up does not invalidate an earlier confirmation.
  return (isSaid ?? confirmed === claimed) ? claimed : own;
}

function hostIn(domain: string): string | null {
  try {
    return instanceHost(domain);
  } catch {
    return null;
  }
}

/** Maximum redirects of a look-up: from the domain to its server, and one more. */
const maxRedirects = 2;

/** A short time limit, because an account can be connected without the result. */
const patienceMs = 5_000;

/** Asks the domain whether the account has this name. Null: no response. */
async function vouches(context: LoginContext, { host, domain, account }: Named): Promise<boolean | null> {
  const subject = `acct:${account.username}@${domain}`;
  const endsAt = context.now() + patienceMs;
  let url: string | null = `https://${domain}/.well-known/webfinger?${new URLSearchParams({ resource: subject })}`;
  for (let asked = 0; url !== null && asked <= maxRedirects; asked++) {
    const answer = await ask(context, url, endsAt);
    if (answer === null) return null;
    if (answer.status < 300) return leadsTo(answer.body, { subject, host, account });
    if (answer.status === 429 || answer.status >= 500) return null;
    url = nextOf(url, answer);
  }
  return false;
}

/** All error statuses, because this module handles them. */
const refusals = Array.from({ length: 300 }, (_, index) => 300 + index);

/** Null: no response in time. */
async function ask(context: LoginContext, url: string, endsAt: number): Promise<NetworkResponse | null> {
  const hardEndSeconds = (endsAt - context.now()) / 1000;
  if (hardEndSeconds <= 0) return null;
  const headers = { accept: "application/jrd+json, application/json" };
  const request = { method: "GET", url, headers, accept: refusals, hardEndSeconds } as const;
  return context.request({ ...request, credential: "none", repeat: false }).catch(() => null);
}

/** The target of a redirect. Null: none that may be requested. */
function nextOf(from: string, { status, headers }: NetworkResponse): string | null {
  const location = headers.get("location");
  if (status >= 400 || location === null || !URL.canParse(location, from)) return null;
  const next = new URL(location, from);
  return next.protocol === "https:" ? next.href : null;
}

/** https://www.rfc-editor.org/rfc/rfc7033#section-4.4 (2026-11) */
const resourceSchema = z.object({
  subject: z.string().nullish(),
  links: z.array(z.object({ rel: z.string(), href: z.string().nullish().catch(null) })),
});

function leadsTo(body: unknown, wanted: { subject: string; host: string; account: Account }): boolean {
  const found = resourceSchema.safeParse(body).data;
  const { subject, account } = wanted;
  if (found === undefined || (found.subject ?? subject).toLowerCase() !== subject.toLowerCase()) return false;
  const self = found.links.find(({ rel }) => rel === "self")?.href ?? "";
  if (!URL.canParse(self) || new URL(self).host !== wanted.host) return false;
  return account.uri == null || account.uri === self;
}
