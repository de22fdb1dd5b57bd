import { isIPv4, isIPv6 } from "node:net";
import { describe, expect, it } from "vitest";
import { ipv4Classes, ipv6Classes, refusalOf } from "../../../src/outbound/guard/addresses.ts";

describe("refusalOf", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2001:dba::1",
    "2003::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "3fff:1000::1",
  ])("treats %s as public", (address) => {
    expect(refusalOf(address)).toBeNull();
  });

  const ranges = [...ipv4Classes, ...ipv6Classes].flatMap((each) => each.ranges.map((range) => [range, each.name]));

  it.each(ranges)("rejects the first address of %s as %s", (range = "", name = "") => {
    const address = range.split("/")[0] ?? "";
    expect(isIPv4(address) || isIPv6(address)).toBe(true);
    // `::` begins several ranges, of which the narrowest counts; the same applies to 2001::.
    const narrower = { "::/8": "unspecified", "2001::/23": "Teredo" }[range];
    expect(refusalOf(address)).toBe(narrower ?? name);
  });

  it.each([
    ["10.255.255.255", "private"],
    ["127.255.255.255", "loopback"],
    ["169.254.169.254", "link-local"],
    ["100.127.255.255", "carrier-grade NAT"],
    ["172.31.255.255", "private"],
    ["198.19.255.255", "benchmarking"],
    ["239.255.255.255", "multicast"],
    ["255.255.255.254", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::ffff:127.0.0.1", "IPv4-mapped"],
    ["::ffff:7f00:1", "IPv4-mapped"],
    ["::FFFF:8.8.8.8", "IPv4-mapped"],
    ["0:0:0:0:0:ffff:808:808", "IPv4-mapped"],
    ["::7f00:1", "IPv4-compatible or reserved"],
    ["::8.8.8.8", "IPv4-compatible or reserved"],
    ["00ff::1", "IPv4-compatible or reserved"],
    ["64:ff9b::8.8.8.8", "NAT64"],
    ["64:ff9b:1::1", "NAT64"],
    ["2001:1ff:ffff::1", "protocol assignment"],
    ["2002:808:808::", "6to4"],
    ["fdff::1", "private"],
    ["febf::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["2606:4700::1%eth0", "link-local"],
    ["feff::1", "site-local"],
    ["1fff::1", "not global unicast"],
    ["4000::", "not global unicast"],
    ["5f00::1", "segment routing"],
    ["ff02::1", "multicast"],
    ["", "not an address"],
    ["127.1", "not an address"],
    ["example.com", "not an address"],
    ["[::1]", "not an address"],
  ])("rejects %j as %s", (address, name) => {
    expect(refusalOf(address)).toBe(name);
  });

  it("names a source for every class", () => {
    for (const { source } of [...ipv4Classes, ...ipv6Classes]) expect(source).toMatch(/^(RFC \d+|https:)/);
  });
});
