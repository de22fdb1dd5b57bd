import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests on real servers, which `npm run test:real` installs first. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  resolve: { tsconfigPaths: true },
  test: {
    include: ["test/real/**/*.real.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxConcurrency: 20,
    // What runs in real time is not to wait for another file's servers and builds.
    fileParallelism: false,
  },
});
