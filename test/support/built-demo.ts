import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Options } from "tsup";
import { node } from "../../tsup.config.ts";
import { root } from "./documents.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** What the demo takes of the tests lies beside files that they read. */
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
 * Builds the demo and the process that it kills, of the sources as they are: each
 * starts in a tenth of the time that `npx tsx` takes, which transpiles them all in each process.
 *
 * @param folder within the project, so that packages are found
 */
export async function buildDemo(folder: string): Promise<void> {
  const program = (name: string): string => join(root, `examples/demo/${name}.ts`);
  await build({
    ...node,
    ...{ config: false, silent: true, clean: true },
    entry: { demo: program("demo"), publisher: program("publisher") },
    outDir: folder,
    splitting: true,
    external: [/^(?!postrider)[a-z@]/],
    esbuildPlugins: [testsInPlace],
  });
}
