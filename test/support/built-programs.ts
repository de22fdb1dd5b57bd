import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Options } from "tsup";
import { node } from "../../tsup.config.ts";
import { root } from "./documents.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** What a program takes of the tests lies beside files that they read. */
const testsInPlace: Plugin = {
  name: "tests in place",
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, async ({ path }) => {
      const contents = await readFile(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: contents.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};

/**
 * Builds programs and what they take of the library, of the sources as they are: each
 * starts in a tenth of the time that `npx tsx` takes, which transpiles them all in each process.
 *
 * @param folder within the project, so that packages are found
 * @param programs paths by the names of the files to be built
 */
async function buildPrograms(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  await build({
    ...node,
    config: false,
    silent: true,
    clean: true,
    entry: { ...programs },
    outDir: folder,
    splitting: true,
    external: [/^(?!postrider)[a-z@]/],
    esbuildPlugins: [testsInPlace],
  });
}

/** @param folder see `buildPrograms` */
export function buildDemo(folder: string): Promise<void> {
  const program = (name: string): string => join(root, `examples/demo/${name}.ts`);
  return buildPrograms(folder, { demo: program("demo"), publisher: program("publisher") });
}

/** A program that tests start. */
export interface BuiltProgram {
  path: string;
  remove(): void;
}

/** See `buildPrograms`. */
export async function buildProgram(source: URL): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(root, "node_modules/.postrider-program-"));
  await buildPrograms(folder, { program: fileURLToPath(source) });
  return { path: join(folder, "program.js"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
