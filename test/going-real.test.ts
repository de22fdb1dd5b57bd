import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { simulations } from "../src/sandbox/networks.ts";
import { root } from "./support/documents.ts";
import { loginTables } from "./support/login-tables.ts";

const guide = readFileSync(join(root, "examples/networks/going-real.md"), "utf8");
const tables = await loginTables();

/** Every network of the package: its section of the guide, empty where it has none. */
const sections = await Promise.all(
  Object.keys(simulations).map(async (network) => {
    const { limits }: { limits: { name: string } } = await import(`../src/networks/${network}/limits.ts`);
    const [, text = ""] = `${guide}\n## `.split(new RegExp(`^(?=## ${limits.name}$)`, "m"));
    return { network, text: text.slice(0, text.indexOf("\n## ")) };
  }),
);

describe("the guide to real networks", () => {
  it("has a table for every network whose profiles are connected in a browser", () => {
    const inBrowser = sections.filter(({ network }) => existsSync(join(root, `src/networks/${network}/browser.ts`)));
    expect(Object.keys(tables).sort()).toEqual(inBrowser.map(({ network }) => `${network}-login`).sort());
  });

  it.each(sections)("shows the adapter's callback URL and scopes: $network", (section) => {
    const { [`${section.network}-login`]: asked = "" } = tables;
    expect(section.text).toContain(asked);
    if (asked !== "") expect(asked).toContain(`\`{baseUrl}/connect/${section.network}/`);
  });

  it.each(sections)("has the same items for each network, in the same order: $network", ({ text }) => {
    const labels = [...text.matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, label]) => label);
    expect(labels).toEqual(["Register", "Review", "Test accounts", "Cost", "First post", "Sources"]);
  });

  it.each(sections)("names the network's own pages, each with its month: $network", ({ text }) => {
    const [, sources = ""] = text.split("- **Sources**: ");
    for (const source of sources.trim().replace(/\.$/, "").split(", "))
      expect(source).toMatch(/^\[[^\]]+\]\(https:\/\/[^)]+\) \(20\d\d-(0[1-9]|1[0-2])\)$/);
  });

  it.each(sections)("has at most 1,600 characters: $network", ({ text }) => {
    expect(text.length).toBeLessThanOrEqual(1_600);
  });
});
