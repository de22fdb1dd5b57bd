import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

/** The names that this machine knows by itself: all addresses of one, none for a name that is not in its file. */
export type HostsFile = (hostname: string) => readonly string[];

/** Where the machine keeps them. */
export const hostsPath = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/** Reads the file again when it has changed; one that is missing or unreadable holds nothing. */
export function createHostsFile(path: string): HostsFile {
  let known: ReadonlyMap<string, readonly string[]> = new Map();
  let readAt: number | null = null;

  /** Without Node's threads: look-ups may keep all of them busy. */
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

/** `address name name … # comment`, a line each. */
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
