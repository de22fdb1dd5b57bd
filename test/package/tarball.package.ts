import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entries } from "../../tsup.config.ts";
import { anchorsOf, linksOf } from "../support/documents.ts";
import { installPacked, unpackPacked } from "../support/packed-host.ts";
import { compile, drivers, typedHost } from "../support/typed-host.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** "." and "./networks/bluesky" by the names of their built files. */
const subpaths = Object.keys(entries).map((name) => (name === "index" ? "." : `./${name}`));
/** The names in a host's imports: "postrider", "postrider/networks/bluesky". */
const specifiers = subpaths.map((subpath) => `postrider${subpath.slice(1)}`);
const networkNames = subpaths.flatMap((subpath) => /^\.\/networks\/(.+)/.exec(subpath)?.[1] ?? []);
/** The one entry that a host without vitest cannot load. */
const forTests = "postrider/testing/contracts";

describe("the packed tarball", () => {
  let folder = "";
  let packed: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-package-"));
    packed = await unpackPacked(folder);
    await installPacked(folder, "host", []);
    await installPacked(folder, "tested-host", ["vitest", "@types/node", ...drivers]);
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("holds the built files and the documents, nothing else", () => {
    const others = packed.filter((path) => !/^(?:dist|examples)\//.test(path));
    expect(packed).toContain("dist/index.js");
    const beside = ["CHANGELOG.md", "LICENSE", "README.md", "package.json", "src/signature/vectors.json"];
    expect(others.sort()).toEqual([".github/SECURITY.md", ...beside].sort());
    expect(packed.filter((path) => /^examples\/demo\/.*\.ts$/.test(path))).toEqual([]);
    expect(packed.filter((path) => path.startsWith("dist/") && !/\.(?:js|d\.ts)$/.test(path))).toEqual([]);
  });

  it("names the author of zod, which is built in, in its licence", async () => {
    const [, copyright = "none"] =
      /^(Copyright .*)$/m.exec(await readFile(join(root, "node_modules/zod/LICENSE"), "utf8")) ?? [];
    expect(await readFile(join(folder, "package/LICENSE"), "utf8")).toContain(copyright);
  });

  it("holds the target of every relative link of its Markdown files", async () => {
    const textOf = (path: string) => readFile(join(folder, "package", path), "utf8");
    const paths = packed.filter((path) => path.endsWith(".md"));
    const documents = await Promise.all(paths.map(async (path) => ({ path, text: await textOf(path) })));
    expect(documents.flatMap(linksOf).length).toBeGreaterThan(100);
    const dead = documents.flatMap((document) =>
      linksOf(document)
        .filter(({ path, anchor }) => {
          if (path === null) return false;
          const target = documents.find((each) => each.path === path);
          return !packed.includes(path) || (anchor !== null && target !== undefined && !anchorsOf(target).has(anchor));
        })
        .map(({ target }) => `${document.path}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it("holds nothing else of the project's folder", async () => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root });
    const files: string[] = JSON.parse(stdout)[0].files.map((file: { path: string }) => file.path);
    expect(
      files.filter(
        (path) =>
          !/^(?:(?:dist|examples)\/.*|src\/signature\/vectors\.json|\.github\/SECURITY\.md|CHANGELOG\.md|LICENSE|README\.md|package\.json)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  it.each(networkNames)(
    "holds the network %s, including its inbox, in a file of at most 24 kB, compressed",
    async (name) => {
      const bytes = await readFile(join(folder, "package/dist/networks", `${name}.js`));
      expect(brotliCompressSync(bytes).length).toBeLessThan(24_000);
    },
  );

  it("imports Node's modules only with the node: prefix", async () => {
    const files = packed.filter((path) => path.endsWith(".js"));
    const texts = await Promise.all(files.map((path) => readFile(join(folder, "package", path), "utf8")));
    const imported = texts.flatMap((text) => [...text.matchAll(/^(?:import|export) .*?from '([^'.]+)';$/gm)]);
    const names = new Set(imported.map(([, name = ""]) => name));
    expect([...names].filter((name) => name.startsWith("node:"))).toContain("node:http");
    expect([...names].filter((name) => builtinModules.includes(name))).toEqual([]);
  });

  it("loads by import without vitest, except for the contracts", async () => {
    expect(await load("host", "import")).toEqual(exportsOrFailure({ without: forTests }));
  });

  it("loads by require without vitest, except for the contracts", async () => {
    expect(await load("host", "require")).toEqual(exportsOrFailure({ without: forTests }));
  });

  it.each(["import", "require"] as const)("loads the contracts by %s where vitest is installed", async (way) => {
    const loaded = await load("tested-host", way);
    const contracts = ["inbox", "mediaStore", "network", "scheduler", "storage"].map((of) => `${of}Contract`);
    expect(loaded[forTests]).toEqual(contracts);
  });

  it("has one copy of the error classes for all subpaths", async () => {
    const code = `
      import { PublishingError } from "postrider";
      import { bluesky } from "postrider/networks/bluesky";
      const context = { request: () => Promise.reject(new Error("nothing is sent")), now: () => 0 };
      const credentials = { identifier: "did:nothing", app_password: "abcd-efgh-ijkl-mnop" };
      const refused = await bluesky().connect.login(context, credentials).catch((error) => error);
      console.log(refused instanceof PublishingError, refused.message);
    `;
    const flags = ["--input-type=module", "--eval", code];
    const { stdout } = await run(process.execPath, flags, { cwd: join(folder, "host") });
    expect(stdout).toMatch(/^true identifier: /);
  });

  it("has types that work for an ESM and a CommonJS host under NodeNext, with checked libraries", async () => {
    const host = join(folder, "tested-host");
    const names = specifiers.map((_, index) => `subpath${index}`);
    const imports = specifiers.map((specifier, index) => `import * as ${names[index]} from "${specifier}";`);
    const source = `${imports.join("\n")}\n${typedHost}\nexport const all = [${names.join(", ")}];\n`;
    for (const file of ["host.mts", "host.cts"]) await writeFile(join(host, file), source);
    expect(await compile(join(root, "node_modules/typescript"), ["host.mts", "host.cts"], host)).toBe("");
  }, 300_000);

  it("has everything for a host's own network: types, service, simulation, contract", async () => {
    const host = join(folder, "tested-host");
    const files = ["notes.ts", "simulated.ts", "publish.ts", "notes.contract.ts"];
    for (const file of files) await cp(join(root, "examples/own-network", file), join(host, "own-network", file));
    await writeFile(join(host, "own-network/package.json"), JSON.stringify({ type: "module" }));
    const compiled = ["--allowImportingTsExtensions", ...files.map((file) => join("own-network", file))];
    expect(await compile(join(root, "node_modules/typescript"), compiled, host)).toBe("");
    const inHost = { cwd: join(host, "own-network") };
    const published = await run(process.execPath, [join(root, "node_modules/tsx/dist/cli.mjs"), "publish.ts"], inHost);
    expect(published.stdout).toMatch(/^published notes .*\n1 note on the board\n$/);
    await cp(join(inHost.cwd, "notes.contract.ts"), join(inHost.cwd, "notes.test.ts"));
    const vitest = [join(host, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json"];
    const tested = await run(process.execPath, vitest, inHost);
    expect(JSON.parse(tested.stdout)).toMatchObject({ success: true, numFailedTests: 0 });
  }, 300_000);

  /** The exports of each subpath, or the code of the error; in a separate process, which must not warn. */
  async function load(host: string, way: "import" | "require"): Promise<Record<string, string[] | string>> {
    const code = `
      const loaded = {};
      (async () => {
        for (const name of ${JSON.stringify(specifiers)}) {
          try {
            loaded[name] = Object.keys(${way === "import" ? "await import(name)" : "require(name)"}).sort();
          } catch (error) {
            loaded[name] = error.code + " " + /'vitest'/.test(error.message);
          }
        }
        console.log(JSON.stringify(loaded));
      })();
    `;
    const flags = ["--input-type=commonjs", "--eval", code];
    const { stdout, stderr } = await run(process.execPath, flags, { cwd: join(folder, host) });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  }
});

function exportsOrFailure({ without }: { without: string }): Record<string, unknown> {
  const loaded = specifiers.map((specifier) => [specifier, expect.arrayContaining([expect.any(String)])]);
  return { ...Object.fromEntries(loaded), [without]: "ERR_MODULE_NOT_FOUND true" };
}
