import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
 * @param programs below the project's root, by the names of the files to be built
 */
export async function buildPrograms(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const sources = Object.entries(programs).map(([name, source]) => [name, join(root, source)]);
  await build({
    ...node,
    ...{ config: false, silent: true, clean: true },
    entry: Object.fromEntries(sources),
    outDir: folder,
    splitting: true,
    external: [/^(?!postrider)[a-z@]/],
    esbuildPlugins: [testsInPlace],
  });
}

/** @param folder see `buildPrograms` */
export function buildDemo(folder: string): Promise<void> {
  return buildPrograms(folder, { demo: "examples/demo/demo.ts", publisher: "examples/demo/publisher.ts" });
}

/** A program that tests start. */
export interface BuiltProgram {
  path: string;
  remove(): void;
}

/** @param source below the project's root */
export async function buildProgram(source: string): Promise<BuiltProgram> {
  const folder = mkdtempSync(join(root, "node_modules/.postrider-program-"));
  await buildPrograms(folder, { program: source });
  return { path: join(folder, "program.js"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
