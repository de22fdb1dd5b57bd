import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

if (process.env.POSTRIDER_TEST_SHARE !== "all")
  console.info(
    `Share ${process.env.POSTRIDER_TEST_SHARE ?? 0} of the long tables of what can go wrong; the whole: npm run test:all.`,
  );

/** Tests that replace a module need modules of their own; all others share theirs, which saves a quarter of the time. */
const isolated = "test/**/*.isolated.test.ts";
/** In a process that has run much else V8 optimizes regular expressions no more, and these take five times as long. */
const text = /\/test\/(?:text\/|planning\/thread\.)/;
/** TypeScript keeps half a gigabyte, which each clearing up in its process looks through from then on. */
const compiler = /\/test\/(?:editor\/|http\/client\.)/;
/** How many small files come after those, for the other process to work off. */
const filesAtTheEnd = 60;

/** Vitest's order, the longest files first, but for those that mind what else their process runs. */
class ByNeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const those = (names: RegExp): TestSpecification[] => sorted.filter(({ moduleId }) => names.test(moduleId));
    const others = sorted.filter(({ moduleId }) => !text.test(moduleId) && !compiler.test(moduleId));
    const last = others.splice(-filesAtTheEnd);
    return [...those(text), ...others, ...those(compiler), ...last];
  }
}

/** Of few files what is transformed is kept for the next run; of all, writing it takes longer than it saves. */
const isPart = process.argv.some((argument) => argument.startsWith("test/"));

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  // Examples import from "postrider", which tsconfig.json maps to src.
  resolve: { tsconfigPaths: true },
  test: {
    // For what hangs. A test takes three seconds at most on an idle core; a machine may be four times slower and have more to do.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Much of a test is waiting, so two cores have work for two; Vitest would leave one of them alone.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Many small services come and go: with more room for what is young, a tenth of the time less goes into clearing up.
    execArgv: ["--max-semi-space-size=64"],
    experimental: { fsModuleCache: isPart },
    sequence: { sequencer: ByNeed },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, isolated],
          isolate: false,
        },
      },
      { extends: true, test: { name: "isolated", include: [isolated] } },
    ],
  },
});
