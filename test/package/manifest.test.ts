import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { version } from "../../src/wire/version.ts";
import { entries, nodeEntries } from "../../tsup.config.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const lockfile = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));

describe("the manifest", () => {
  it("exports exactly the built files, types first", () => {
    // Networks are added by folder: one row is for all of them.
    const names = new Set(Object.keys(entries).map((name) => name.replace(/^networks\/.*/, "networks/*")));
    const expected = [...names].map((name) => [
      name === "index" ? "." : `./${name}`,
      [
        ["types", `./dist/${name}.d.ts`],
        ...(`${name}-node` in nodeEntries ? [["node", `./dist/${name}-node.js`]] : []),
        ["default", `./dist/${name}.js`],
      ],
    ]);
    const { "./package.json": ownManifest, "./webhook/vectors.json": vectors, ...exported } = manifest.exports;
    expect([ownManifest, vectors]).toEqual(["./package.json", "./src/signature/vectors.json"]);
    // As lists, because the order of the conditions decides.
    const lists = Object.entries<object>(exported).map(([subpath, conditions]) => [
      subpath,
      Object.entries(conditions),
    ]);
    expect(lists).toEqual(expected);
  });

  it("has the version that requests to receivers and networks carry", () => {
    expect(version).toBe(manifest.version);
  });

  it("pins every tool to one version", () => {
    const loose = Object.entries<string>(manifest.devDependencies).filter(
      ([, range]) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-beta\.\d+)?$/.test(range),
    );
    expect(loose).toEqual([]);
  });

  it("has vitest as an optional peer only for the contracts, aws4fetch for S3, oauth4webapi for Bluesky's sign-in, and sharp for converted images", () => {
    expect(Object.keys(manifest.peerDependencies)).toEqual(["aws4fetch", "oauth4webapi", "sharp", "vitest"]);
    const isOptional = { optional: true };
    const optional = { aws4fetch: isOptional, oauth4webapi: isOptional, sharp: isOptional, vitest: isOptional };
    expect(manifest.peerDependenciesMeta).toEqual(optional);
  });
});

describe("the lockfile", () => {
  const packages: Record<string, { optionalDependencies?: Record<string, string> }> = lockfile.packages;

  // A registry that lags on other platforms' binaries makes `npm install` omit them silently, and
  // `npm ci` refuse.
  it("holds every optional dependency that a package in it names", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !resolvable(path, name))
        .map((name) => `${path} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("names no registry", () => {
    expect(Object.entries(packages).filter(([, entry]) => "resolved" in entry)).toEqual([]);
  });

  /** Searches like Node: beside the package, then in each folder above. */
  function resolvable(path: string, name: string): boolean {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
      if (`${folder === "" ? "" : `${folder}/`}node_modules/${name}` in packages) return true;
      if (folder === "") return false;
    }
  }
});
