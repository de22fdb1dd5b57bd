import { isIP } from "node:net";
import { refusalOf } from "./addresses.ts";
import { guardError, refused } from "./errors.ts";

/** Resolves a name to all its addresses, in the order to try them; rejects with `ENOTFOUND` if there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** The destination of one request: a URL whose addresses were resolved once and checked. */
export interface Target {
  url: URL;
  /** Without brackets, as in certificates. */
  hostname: string;
  port: number;
  secure: boolean;
  /** True: the host allowed it by name, so its addresses were not checked. */
  allowed: boolean;
  addresses: string[];
}

/**
 * Checks a URL and resolves its name, once.
 *
 * @throws an error with code `ADDRESS_REFUSED` that names the class of the refusal and never an address; the error of
 * `resolve`
 */
export async function vetUrl(url: URL, rules: { resolve: Resolve; allow: ReadonlySet<string> }): Promise<Target> {
  const secure = url.protocol === "https:";
  if (!secure && url.protocol !== "http:") throw refused("not https");
  if (url.username !== "" || url.password !== "") throw refused("user name or password in the URL");
  const port = Number(url.port || (secure ? 443 : 80));
  const hostname = bareHostname(url);
  const allowed = rules.allow.has(`${url.hostname}:${port}`);
  if (!allowed) {
    if (!secure) throw refused("not https");
    if (port !== 443) throw refused("not the default port");
    if (isLocalName(hostname)) throw refused("loopback");
  }
  const addresses = isIP(hostname) === 0 ? await lookUp(hostname, rules.resolve) : [hostname];
  if (!allowed) {
    // One bad address refuses the name: a name with public and private addresses is an attack or broken.
    const refusal = addresses.map(refusalOf).find((found) => found !== null);
    if (refusal) throw refused(refusal);
  }
  return { url, hostname, port, secure, allowed, addresses };
}

/**
 * The host's list in the spelling that is compared: `host:port`, the host as in a parsed URL.
 *
 * @throws TypeError for an entry that would never match; its message is the end of a sentence about the entry
 */
export function readAllowList(entries: readonly string[]): Set<string> {
  return new Set(entries.map(readAllowEntry));
}

/** @throws TypeError as in `readAllowList` */
export function readAllowEntry(entry: string): string {
  const example = 'use only host and port, for example "localhost:3000"';
  const no = (problem: string): TypeError => new TypeError(`allow: "${entry}" ${problem}; ${example}`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry)) throw no("has a scheme");
  if (/[/?#]/.test(entry)) throw no("has a path");
  if (entry.includes("*")) throw no("has a wildcard, which is not supported: list each host");
  const port = Number(/:(\d{1,5})$/.exec(entry)?.[1] ?? 0);
  if (port === 0 || port > 65_535) throw no("has no port");
  const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : null;
  if (url === null || url.href !== `http://${url.host}/` || !/^[\w.:[\]-]+$/.test(url.hostname)) {
    throw no("is not a host with a port");
  }
  return `${url.hostname}:${port}`;
}

/** The hostnames among the entries of `allowedHosts`, without IP addresses. */
export function namesIn(allow: ReadonlySet<string>): Set<string> {
  const hostnames = [...allow].map((entry) => entry.slice(0, entry.lastIndexOf(":")));
  return new Set(hostnames.filter((hostname) => !hostname.startsWith("[") && isIP(hostname) === 0));
}

function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** True: a name that always means this machine: RFC 6761, section 6.3. */
function isLocalName(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name === "localhost" || name.endsWith(".localhost");
}

async function lookUp(hostname: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw guardError("ENOTFOUND", "the hostname did not resolve");
  return addresses;
}
