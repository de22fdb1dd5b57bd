import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "../support/pack.ts";

const run = promisify(execFile);
const example = fileURLToPath(new URL("../../examples/jest", import.meta.url));
const patience = 900_000;

/** The example in a separate folder, with the package as published and no vitest. */
describe("the example for Jest in CommonJS", () => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-jest-"));
    const project = join(folder, "project");
    await cp(example, project, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    const manifest = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
    manifest.dependencies.postrider = `file:${await pack(folder)}`;
    await writeFile(join(project, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: project });
  }, patience);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    "runs unchanged",
    async () => {
      const { stderr } = await run("npm", ["test"], { cwd: join(folder, "project") });
      expect(stderr).toContain("2 passed, 2 total");
    },
    patience,
  );
});
