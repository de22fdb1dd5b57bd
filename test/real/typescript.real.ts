import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack } from "../support/pack.ts";
import { betterSqliteHost, compile, drivers, typedHost } from "../support/typed-host.ts";

const run = promisify(execFile);
const own = fileURLToPath(new URL("../../node_modules", import.meta.url));
const real = fileURLToPath(new URL("node_modules", import.meta.url));

describe("the packed tarball's types", () => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-types-"));
    await run("tar", ["-xzf", await pack(folder), "-C", folder]);
    await mkdir(join(folder, "node_modules"));
    await symlink("../package", join(folder, "node_modules/postrider"));
    for (const name of [...ownPackages, ...drivers]) await link(own, name);
    await link(real, "@types/better-sqlite3");
    for (const file of ["host.mts", "host.cts"]) await writeFile(join(folder, file), typedHost + betterSqliteHost);
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("work for a host with TypeScript 5.6", async () => {
    // Under 5.6 a CommonJS file cannot name an ESM package.
    expect(await compile(join(real, "typescript56"), ["host.mts"], folder)).toBe("");
  }, 600_000);

  it("work for a host with today's TypeScript, by import and by require", async () => {
    expect(await compile(join(own, "typescript"), ["host.mts", "host.cts"], folder)).toBe("");
  }, 600_000);

  async function link(from: string, name: string): Promise<void> {
    const to = join(folder, "node_modules", name);
    await mkdir(dirname(to), { recursive: true });
    await symlink(join(from, name), to);
  }
});

const ownPackages = ["zod", "ky", "p-retry", "mitt", "@types/node"];
