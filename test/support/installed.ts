import type { ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Options } from "tsup";
import { entries, node, nodeEntries } from "../../tsup.config.ts";
import { root } from "./documents.ts";
import { type Given, startNode } from "./example.ts";

/** Examples where a host has them: beside the installed package. */
export interface Installed {
  /** @param example below `examples` */
  start(example: string, given?: Given): ChildProcess;
  remove(): void;
}

const settings = { ...node, config: false, silent: true } satisfies Options;

/**
 * Installs the package and examples. A start takes a fifth of what `npx tsx`
 * takes, which transpiles the whole library in the process that it starts.
 *
 * @param examples files below `examples`
 */
export async function installExamples(examples: readonly string[]): Promise<Installed> {
  // Within the project, so that what the examples import besides is found.
  const folder = mkdtempSync(join(root, "node_modules/.postrider-examples-"));
  const installed = join(folder, "node_modules/postrider");
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  await build({ ...settings, entry: { ...entries, ...nodeEntries }, outDir: join(installed, "dist") });
  const programs = examples.map((example) => [withoutEnding(example), join(root, "examples", example)]);
  const anyPackage = /^[a-z@]/;
  await build({
    ...settings,
    entry: Object.fromEntries(programs),
    outDir: folder,
    external: [anyPackage],
    // Each by itself: one asks whether it is the program that was started.
    splitting: false,
  });
  return {
    start: (example, given) => startNode([join(folder, `${withoutEnding(example)}.js`)], given),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function withoutEnding(example: string): string {
  return example.replace(/\.ts$/, "");
}
