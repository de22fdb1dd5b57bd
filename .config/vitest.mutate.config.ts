import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { applied, type Mutant } from "../test/mutate/mutants.ts";
import config from "./vitest.config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const mutant: Mutant | null = JSON.parse(process.env.POSTRIDER_MUTANT ?? "null");

/** Short files first: one of them notices most mutants, and the long ones never run. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { cache, config } = this.ctx;
    const tookMs = ({ project, moduleId }: TestSpecification): number =>
      cache.getFileTestResults(`${project.name}:${relative(config.root, moduleId)}`)?.duration ?? 0;
    return [...files].sort((one, other) => tookMs(one) - tookMs(other));
  }
}

/** The tests with one source file changed on its way in; nothing is written. */
export default mergeConfig(config, {
  // Each process has its own, so that they may run side by side.
  cacheDir: `${process.env.POSTRIDER_MUTATE_CACHE}`,
  // A mutant is not to be kept as what its file is transformed to.
  test: { sequence: { sequencer: ShortFirst }, experimental: { fsModuleCache: false } },
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      load(id: string) {
        if (mutant === null || id !== `${root}${mutant.file}`) return null;
        return applied(readFileSync(id, "utf8"), mutant);
      },
    },
  ],
});
