import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loginRows } from "../real/connect-rows.ts";

const networks = fileURLToPath(new URL("../../src/networks", import.meta.url));

it("every browser sign-in has a test in a browser", () => {
  const withLogins = readdirSync(networks, { recursive: true, encoding: "utf8" })
    .filter((path) => /^\w+[\\/]browser\.ts$/.test(path))
    .map((path) => path.split(/[\\/]/)[0]);
  expect([...new Set(loginRows.map(({ network }) => network))].sort()).toEqual(withLogins.sort());
});
