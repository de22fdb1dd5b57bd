import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests of the package as it is packed: it is built for them. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["test/**/*.package.ts"],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    // The first builds the package; the others pack what it has built.
    fileParallelism: false,
  },
});
