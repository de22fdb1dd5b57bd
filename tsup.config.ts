import { existsSync, readdirSync } from "node:fs";
import { defineConfig, type Options } from "tsup";

/** The folders of networks: what is shared by several has no `index.ts`. */
const networks = readdirSync(new URL("src/networks", import.meta.url))
  .filter((name) => existsSync(new URL(`src/networks/${name}/index.ts`, import.meta.url)))
  .sort();

/** Every subpath of the package, by the name of its built file, and where it comes from. `exports` in package.json lists the same. */
export const entries: Readonly<Record<string, string>> = {
  index: "src/index.ts",
  networks: "src/networks/index.ts",
  ...Object.fromEntries(networks.map((name) => [`networks/${name}`, `src/networks/${name}/index.ts`])),
  storage: "src/storage/index.ts",
  "storage/memory": "src/storage/memory.ts",
  "storage/sqlite": "src/storage/sqlite/index.ts",
  "storage/postgres": "src/storage/postgres/index.ts",
  "scheduler/timer": "src/scheduler/timer.ts",
  "scheduler/pg-boss": "src/scheduler/pg-boss.ts",
  "scheduler/bullmq": "src/scheduler/bullmq.ts",
  media: "src/media/index.ts",
  "media/memory": "src/media/memory.ts",
  "media/files": "src/media/files.ts",
  "media/s3": "src/media/s3/index.ts",
  "media/sharp": "src/media/sharp/index.ts",
  "media/ffmpeg": "src/media/ffmpeg/index.ts",
  http: "src/http/index.ts",
  "http/node": "src/http/node.ts",
  "http/next": "src/http/next.ts",
  webhook: "src/signature/index.ts",
  sandbox: "src/sandbox/index.ts",
  testing: "src/testing/index.ts",
  "testing/contracts": "src/testing/contracts.ts",
};

/** Subpaths that Node gets another file for, by the condition `node` in `exports`. */
export const nodeEntries = { "webhook-node": "src/signature/node.ts" } satisfies Record<string, string>;

/** What Node loads, wherever it is built. */
export const node = {
  format: "esm",
  target: "node20",
  // "node:sqlite" has no other name, and "buffer" is a package elsewhere.
  removeNodeProtocol: false,
} satisfies Options;

// tsup reads a default export and nothing else.
export default defineConfig({
  ...node,
  entry: { ...entries, ...nodeEntries },
  // One copy of the error classes for all subpaths.
  splitting: true,
  treeshake: true,
  clean: true,
  // Two thirds of zod's modules are languages: what is imported is built in, so that a host starts faster. LICENSE names it.
  noExternal: ["zod"],
  // tsup's declaration build sets `baseUrl`, which TypeScript 6 calls deprecated.
  dts: { compilerOptions: { ignoreDeprecations: "6.0" } },
});
