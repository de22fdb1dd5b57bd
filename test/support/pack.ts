import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Where what was built of other sources is kept, too; `npm ci` removes it. */
const cache = join(root, "node_modules/.cache/postrider");

/** What npm packs beside what is built; its `files` say which of it. */
const beside = ["package.json", "CHANGELOG.md", "LICENSE", "README.md", "examples", ".github", "src/signature"];

/** Packs the package as it is here. Returns the tarball's path. */
export async function pack(folder: string): Promise<string> {
  const stage = await mkdtemp(join(folder, "staged-"));
  await cp(await build(), join(stage, "dist"), { recursive: true });
  for (const name of beside) await cp(join(root, name), join(stage, name), { recursive: true });
  const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", packing, { cwd: stage });
  await rm(stage, { recursive: true });
  return join(folder, JSON.parse(stdout)[0].filename);
}

/** Builds it once for the same sources, in a folder of its own, so that nobody's dist is touched. */
async function build(): Promise<string> {
  const built = join(cache, await digestOfSources());
  if (existsSync(built)) return built;
  await mkdir(cache, { recursive: true });
  const stage = await mkdtemp(join(cache, "building-"));
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  await run(process.execPath, [tsup, "--silent", "--out-dir", stage], { cwd: root });
  await rename(stage, built).catch(async () => {
    // Another test has built it meanwhile.
    await rm(stage, { recursive: true });
  });
  return built;
}

/** What decides what is built. */
async function digestOfSources(): Promise<string> {
  const sources = (await readdir(join(root, "src"), { recursive: true })).filter((name) => /\.(?:ts|json)$/.test(name));
  const digest = createHash("sha256");
  const paths = sources.sort().map((path) => join("src", path));
  for (const name of [...paths, "tsup.config.ts", "tsconfig.json", "package.json"])
    digest.update(name).update(await readFile(join(root, name)));
  return digest.digest("hex").slice(0, 32);
}
