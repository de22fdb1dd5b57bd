import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds and packs the package as it is here. Returns the tarball's path. */
export async function pack(folder: string): Promise<string> {
  const stage = join(folder, "package");
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  await run(process.execPath, [tsup, "--silent", "--out-dir", join(stage, "dist")], { cwd: root });
  await cp(join(root, "package.json"), join(stage, "package.json"));
  const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", packing, { cwd: stage });
  return join(folder, JSON.parse(stdout)[0].filename);
}
