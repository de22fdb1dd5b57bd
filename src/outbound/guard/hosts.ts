import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** Resolves names with the machine's hosts file: all addresses of a name, none if it is not in the file. */
export type HostsFile = (hostname: string) => readonly string[];

/** Path of the machine's hosts file. */
export const hostsPath = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** Reads the file again when it has changed; a missing or unreadable one counts as empty. */
export function createHostsFile(path: string): HostsFile {
  let known: ReadonlyMap<string, readonly string[]> = new Map();
  let readAt: number | null = null;

  /** Synchronous, without Node's threads: DNS lookups may occupy all of them. */
  function readChanges(): void {
    const changedAt = statSync(path).mtimeMs;
    if (changedAt === readAt) return;
    known = parseHosts(readFileSync(path, "utf8"));
    readAt = changedAt;
  }

  return (hostname) => {
    try {
      readChanges();
    } catch {
      known = new Map();
      readAt = null;
    }
    return known.get(hostname.toLowerCase()) ?? [];
  };
}

/** Parses lines of `address name name … # comment`. */
function parseHosts(text: string): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const addresses = known.get(name) ?? [];
      if (!addresses.includes(address)) known.set(name, [...addresses, address]);
    }
  }
  return known;
}
