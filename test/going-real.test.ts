import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { simulations } from "../src/sandbox/networks.ts";
import { root } from "./support/documents.ts";
import { loginTables } from "./support/login-tables.ts";

const guide = readFileSync(join(root, "examples/networks/going-real.md"), "utf8");
const tables = await loginTables();

/** The section of a network, which shows its generated table; undefined: there is none. */
function sectionOf(network: string): string | undefined {
  return guide.split(/^(?=## )/m).find((section) => section.includes(`<!-- ${network}-login -->`));
}

const networks = Object.keys(simulations);

describe("the guide to real networks", () => {
  it("has a section for every network, each with one table", () => {
    expect(networks.filter((network) => sectionOf(network) === undefined)).toEqual([]);
    expect(guide.match(/^<!-- \w+-login -->$/gm)).toHaveLength(networks.length);
  });

  it.each(networks)("shows the callback address and the scopes that the login page gets: %s", (network) => {
    expect(tables[`${network}-login`]).toMatch(
      /^\| callback address \| `{baseUrl}\/connect\/\w+(\/{server})?\/callback` \|$/m,
    );
    expect(sectionOf(network)).toContain(tables[`${network}-login`]);
  });

  it.each(networks)("says the same things in the same order: %s", (network) => {
    const labels = [...(sectionOf(network) ?? "").matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, label]) => label);
    expect(labels).toEqual(["Register", "Review", "Test accounts", "Cost", "First post", "Sources"]);
  });

  it.each(networks)("names pages of the network, each with a month: %s", (network) => {
    const [, sources = ""] = (sectionOf(network) ?? "").split("- **Sources**: ");
    expect(sources.trim()).toMatch(
      /^\[[^\]]+\]\(https:\/\/[^)]+\) \(20\d\d-\d\d\)(, \[[^\]]+\]\(https:\/\/[^)]+\) \(20\d\d-\d\d\))*\.$/,
    );
  });

  it.each(networks)("is brief: %s", (network) => {
    expect(sectionOf(network)?.length).toBeLessThanOrEqual(1_600);
  });
});
