import type { KnipConfig } from "knip";
import { entries } from "../tsup.config.ts";

export default {
  entry: [...Object.values(entries), "examples/**/*.ts", "test/**/*.test.ts", "test/real/*.real.ts", "test/prove/*.ts"],
  project: ["src/**/*.ts", "test/**/*.ts", "examples/**/*.ts"],
  vitest: { config: [".config/vitest.config.ts", ".config/vitest.real.config.ts"] },
  // A type that a signature names must be nameable, used elsewhere or not.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;
