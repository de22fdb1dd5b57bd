import * as z from "zod";
import type { LoginContext, NetworkResponse } from "../contract/request.ts";
import type { Account } from "./account.ts";
import { instanceHost } from "./instance.ts";

/** Whose handle is read. */
interface Named {
  /** The server that the account is on. */
  host: string;
  /** What the server says that handles end in. */
  domain: string;
  account: Account;
  /** A handle that was confirmed before; undefined: none was. */
  confirmed?: unknown;
}

/** Letters of any alphabet; a name with an @ or a blank in it would show somebody else's domain, and so would a very long one. */
const usernamePattern = /^[\p{L}\p{M}\p{N}_.-]{1,200}$/u;

/**
 * What people call an account: `alice@local.example`. A server may have its handles end in another domain than its own,
 * where that domain says so (WebFinger); else they end in the server's host.
 *
 * @see https://docs.joinmastodon.org/spec/webfinger/
 * @returns null for a name that is none
 */
export async function readHandle(context: LoginContext, named: Named): Promise<string | null> {
  const { host, account, confirmed } = named;
  if (!usernamePattern.test(account.username)) return null;
  const own = `${account.username}@${host}`;
  const domain = hostIn(named.domain);
  if (domain === null || domain === host) return own;
  const claimed = `${account.username}@${domain}`;
  const isSaid = await vouches(context, { host, domain, account });
  // Not being told anything now is no reason to doubt what was told before.
  return (isSaid ?? confirmed === claimed) ? claimed : own;
}

function hostIn(domain: string): string | null {
  try {
    return instanceHost(domain);
  } catch {
    return null;
  }
}

/** Redirects of a look-up: from the domain to its server, and once more. */
const maxRedirects = 2;

/** A connecting account does without the answer, so it is not waited for long. */
const patienceMs = 5_000;

/** Does the domain say that this is the account of that name? Null: there was no answer. */
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

/** Whatever is answered is read here. */
const refusals = Array.from({ length: 300 }, (_, index) => 300 + index);

/** Null: nothing came in time. */
async function ask(context: LoginContext, url: string, endsAt: number): Promise<NetworkResponse | null> {
  const hardEndSeconds = (endsAt - context.now()) / 1000;
  if (hardEndSeconds <= 0) return null;
  const headers = { accept: "application/jrd+json, application/json" };
  const request = { method: "GET", url, headers, accept: refusals, hardEndSeconds } as const;
  return context.request({ ...request, credential: "none", repeat: false }).catch(() => null);
}

/** Where an answer sends on to; null: nowhere that may be asked. */
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
