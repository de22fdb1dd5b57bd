import type { KnipConfig } from "knip";
import { entries, nodeEntries } from "../tsup.config.ts";

export default {
  entry: [
    ...Object.values({ ...entries, ...nodeEntries }),
    "examples/**/*.ts",
    "test/**/*.test.ts",
    // Imported by the names of the networks.
    "test/networks/*/scene.ts",
    "test/real/*.real.ts",
    "test/package/*.package.ts",
    "test/prove/*.ts",
    "test/upgrade/leave.ts",
    "test/signature/make-vectors.ts",
    "test/media/make-fixtures.ts",
    "test/bench/*.ts",
  ],
  project: ["src/**/*.ts", "test/**/*.ts", "examples/**/*.ts"],
  // Have manifests of their own; the toy network is put in its place by test/real/adding.real.ts.
  ignore: ["examples/next/**", "examples/servers/nest/**", "test/toy/**"],
  vitest: {
    config: [
      ".config/vitest.config.ts",
      ".config/vitest.real.config.ts",
      ".config/vitest.package.config.ts",
      ".config/vitest.mutate.config.ts",
    ],
  },
  // Debian's: for test/media/make-fixtures.ts and the tests on real files in test/real.
  ignoreBinaries: ["ffmpeg", "ffprobe", "heif-enc", "avifenc", "webpmux", "exiftool", "exiv2", "convert"],
  // A type that a signature names must be nameable, used elsewhere or not.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig;
