import { createRequire } from "node:module";
import tlds from "tlds";
import { expect, it } from "vitest";
import { topLevelDomains, topLevelDomainsVersion } from "../../src/text/top-level-domains.ts";

it("the list has exactly the top-level domains of its named release", () => {
  const { version } = createRequire(import.meta.url)("tlds/package.json") as { version: string };
  expect(topLevelDomainsVersion).toBe(version);
  expect([...topLevelDomains].sort()).toEqual([...tlds].sort());
});
