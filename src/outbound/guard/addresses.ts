import { BlockList, isIP } from "node:net";

interface AddressClass {
  /** The name in errors. */
  name: string;
  ranges: readonly string[];
  /** The document that excludes these ranges from the public internet. */
  source: string;
}

/**
 * IPv4 ranges that are not public, by the names of IANA's special-purpose registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry). Its few globally reachable entries serve no web
 * pages and are refused together with the ranges around them.
 */
export const ipv4Classes: readonly AddressClass[] = [
  { name: "unspecified", ranges: ["0.0.0.0/8"], source: "RFC 1122" },
  { name: "private", ranges: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"], source: "RFC 1918" },
  { name: "carrier-grade NAT", ranges: ["100.64.0.0/10"], source: "RFC 6598" },
  { name: "loopback", ranges: ["127.0.0.0/8"], source: "RFC 1122" },
  { name: "link-local", ranges: ["169.254.0.0/16"], source: "RFC 3927" },
  { name: "protocol assignment", ranges: ["192.0.0.0/24"], source: "RFC 6890" },
  { name: "documentation", ranges: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"], source: "RFC 5737" },
  { name: "6to4 relay", ranges: ["192.88.99.0/24"], source: "RFC 7526" },
  { name: "benchmarking", ranges: ["198.18.0.0/15"], source: "RFC 2544" },
  { name: "multicast", ranges: ["224.0.0.0/4"], source: "RFC 5771" },
  { name: "broadcast", ranges: ["255.255.255.255/32"], source: "RFC 919" },
  { name: "reserved", ranges: ["240.0.0.0/4"], source: "RFC 1112" },
  // A public address, but inside Azure it is the machine's own platform agent.
  {
    name: "cloud platform",
    ranges: ["168.63.129.16/32"],
    source: "https://github.com/basecamp/surfguard/pull/6 (2026-11)",
  },
];

/**
 * IPv6 ranges that are not public, by the names of https://www.iana.org/assignments/iana-ipv6-special-registry. The
 * first matching row names the class, so narrow ranges come before wide ones.
 */
export const ipv6Classes: readonly AddressClass[] = [
  { name: "unspecified", ranges: ["::/128"], source: "RFC 4291" },
  { name: "loopback", ranges: ["::1/128"], source: "RFC 4291" },
  { name: "IPv4-mapped", ranges: ["::ffff:0:0/96"], source: "RFC 4291" },
  { name: "IPv4-translated", ranges: ["::ffff:0:0:0/96"], source: "RFC 2765" },
  // Both the well-known prefix and 64:ff9b:1::/48, the local one.
  { name: "NAT64", ranges: ["64:ff9b::/32"], source: "RFC 6052, RFC 8215" },
  { name: "IPv4-compatible or reserved", ranges: ["::/8"], source: "RFC 4291" },
  { name: "discard", ranges: ["100::/64"], source: "RFC 6666" },
  { name: "Teredo", ranges: ["2001::/32"], source: "RFC 4380" },
  // Its reachable parts are anycast services and ORCHIDs, without web servers.
  { name: "protocol assignment", ranges: ["2001::/23"], source: "RFC 2928" },
  { name: "documentation", ranges: ["2001:db8::/32", "3fff::/20"], source: "RFC 3849, RFC 9637" },
  { name: "6to4", ranges: ["2002::/16"], source: "RFC 3056" },
  { name: "6bone", ranges: ["3ffe::/16"], source: "RFC 3701" },
  { name: "segment routing", ranges: ["5f00::/16"], source: "RFC 9602" },
  { name: "private", ranges: ["fc00::/7"], source: "RFC 4193" },
  { name: "link-local", ranges: ["fe80::/10"], source: "RFC 4291" },
  { name: "site-local", ranges: ["fec0::/10"], source: "RFC 3879" },
  { name: "multicast", ranges: ["ff00::/8"], source: "RFC 4291" },
];

/** The only IPv6 range that is assigned to networks: RFC 4291, section 2.4. */
const globalUnicast = listOf(["2000::/3"], "ipv6");

// Separate lists: a BlockList compares an IPv4 address with IPv6 rules as if it were mapped, and `::/8` would then
// refuse all of IPv4.
const ipv4Lists = ipv4Classes.map(({ name, ranges }) => ({ name, list: listOf(ranges, "ipv4") }));
const ipv6Lists = ipv6Classes.map(({ name, ranges }) => ({ name, list: listOf(ranges, "ipv6") }));

/**
 * Why an address is not public.
 *
 * @param address an IP address in any spelling of Node's resolver or of a parsed URL, IPv6 without brackets
 * @returns the class of the refusal (`loopback`, `private`, …), safe to show; null: the address is public
 */
export function refusalOf(address: string): string | null {
  // A zone is only valid on the machine's own links.
  if (address.includes("%")) return "link-local";
  switch (isIP(address)) {
    case 4:
      return ipv4Lists.find(({ list }) => list.check(address, "ipv4"))?.name ?? null;
    case 6: {
      const named = ipv6Lists.find(({ list }) => list.check(address, "ipv6"));
      if (named) return named.name;
      return globalUnicast.check(address, "ipv6") ? null : "not global unicast";
    }
    default:
      return "not an address";
  }
}

function listOf(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix = ""] = range.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
