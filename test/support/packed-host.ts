import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { root } from "./documents.ts";
import { pack } from "./pack.ts";

const run = promisify(execFile);

/** Unpacks the tarball into `package` of a folder, and tells which files it holds. */
export async function unpackPacked(folder: string): Promise<string[]> {
  await run("tar", ["-xzf", await pack(folder), "-C", folder]);
  const found = await readdir(join(folder, "package"), { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(join(folder, "package"), join(parentPath, name)));
}

/** Makes the folder of a host: the unpacked package, what it depends on, and those of our own packages that the host has besides. */
export async function installPacked(folder: string, host: string, packages: readonly string[]): Promise<string> {
  const modules = join(folder, host, "node_modules");
  await mkdir(modules, { recursive: true });
  // Copied: a link would be resolved to a place where nothing is installed.
  await cp(join(folder, "package"), join(modules, "postrider"), { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), ...packages]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
  return join(folder, host);
}
