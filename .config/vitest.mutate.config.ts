import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { applied, type Mutant } from "../test/mutate/mutants.ts";
import config from "./vitest.config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const mutant: Mutant | null = JSON.parse(process.env.POSTRIDER_MUTANT ?? "null");

/** The tests with one source file changed on its way in; nothing is written. */
export default mergeConfig(config, {
  // Each process has its own, so that they may run side by side.
  cacheDir: `${process.env.POSTRIDER_MUTATE_CACHE}`,
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
