/** The package as it is published: what the loader for TypeScript adds is not measured. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

let isBuilt = false;

/** The address of a built file: `index`, `http`, `storage/memory`. Builds all of them the first time. */
export function builtUrl(name: string): string {
  const dist = join(folder, "dist");
  if (!isBuilt) {
    // It says that the files are modules: what is not sure to be one, the loader for TypeScript makes into something slower.
    copyFileSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
    execFileSync(process.execPath, [tsup, "--no-dts", "--out-dir", dist], { cwd: root, stdio: "ignore" });
    isBuilt = true;
  }
  return pathToFileURL(join(dist, `${name}.js`)).href;
}

/** Builds sources that are no part of the package by themselves. */
export async function importInternal<Module>(source: string): Promise<Module> {
  builtUrl("index");
  const out = join(folder, "internal", source.replaceAll("/", "-"));
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  const given = [join(root, source), "--no-config", "--format", "esm", "--target", "node20", "--out-dir", out];
  execFileSync(process.execPath, [tsup, ...given], { cwd: root, stdio: "ignore" });
  const [name = ""] = readdirSync(out).filter((each) => each.endsWith(".js"));
  return (await import(pathToFileURL(join(out, name)).href)) as Module;
}

/** The built modules that the benchmarks use. */
export async function importBuilt() {
  const [core, http, memory, sqlite, postgres, sandbox, bluesky, mastodon, facebook] = await Promise.all([
    import(builtUrl("index")) as Promise<typeof import("../../src/index.ts")>,
    import(builtUrl("http")) as Promise<typeof import("../../src/http/index.ts")>,
    import(builtUrl("storage/memory")) as Promise<typeof import("../../src/storage/memory.ts")>,
    import(builtUrl("storage/sqlite")) as Promise<typeof import("../../src/storage/sqlite/index.ts")>,
    import(builtUrl("storage/postgres")) as Promise<typeof import("../../src/storage/postgres/index.ts")>,
    import(builtUrl("sandbox")) as Promise<typeof import("../../src/sandbox/index.ts")>,
    import(builtUrl("networks/bluesky")) as Promise<typeof import("../../src/networks/bluesky/index.ts")>,
    import(builtUrl("networks/mastodon")) as Promise<typeof import("../../src/networks/mastodon/index.ts")>,
    import(builtUrl("networks/facebook")) as Promise<typeof import("../../src/networks/facebook/index.ts")>,
  ]);
  return { ...core, ...http, ...memory, ...sqlite, ...postgres, ...sandbox, ...bluesky, ...mastodon, ...facebook };
}

export type Built = Awaited<ReturnType<typeof importBuilt>>;
