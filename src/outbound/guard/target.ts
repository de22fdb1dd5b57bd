import { isIP } from "node:net";
import { refusalOf } from "./addresses.ts";
import { guardError, refused } from "./errors.ts";

/** Every address of a name, in the order to try them; rejects with `ENOTFOUND` when there is none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Where one request may go: a URL whose addresses were looked up once and vetted. */
export interface Target {
  url: URL;
  /** Without brackets, as certificates name it. */
  hostname: string;
  port: number;
  secure: boolean;
  /** The host program listed it by name, so its addresses were not vetted. */
  allowed: boolean;
  addresses: string[];
}

/**
 * Vets a URL and looks its name up, once.
 *
 * @throws an error with code `ADDRESS_REFUSED` that names the class of the
 *   refusal and never an address; what `resolve` throws
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
    // One bad answer refuses the name: a name with public and private addresses is an attack or broken.
    const refusal = addresses.map(refusalOf).find((found) => found !== null);
    if (refusal) throw refused(refusal);
  }
  return { url, hostname, port, secure, allowed, addresses };
}

/**
 * The host program's list in the spelling that is compared:
 * `host:port`, the host as a parsed URL spells it.
 *
 * @throws TypeError for an entry that would never fit an address; its message is the end of a sentence about the entry
 */
export function readAllowList(entries: readonly string[]): Set<string> {
  return new Set(entries.map(readAllowEntry));
}

/** @throws TypeError as `readAllowList` */
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

/** The names in such a list, without what are addresses. */
export function namesIn(allow: ReadonlySet<string>): Set<string> {
  const hostnames = [...allow].map((entry) => entry.slice(0, entry.lastIndexOf(":")));
  return new Set(hostnames.filter((hostname) => !hostname.startsWith("[") && isIP(hostname) === 0));
}

function bareHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Names that stand for this machine whatever a resolver says: RFC 6761, section 6.3. */
function isLocalName(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name === "localhost" || name.endsWith(".localhost");
}

async function lookUp(hostname: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw guardError("ENOTFOUND", "the hostname did not resolve");
  return addresses;
}
