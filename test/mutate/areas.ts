/** Folders of sources, and the tests that are to notice when something in it is wrong. */
export interface Area {
  name: string;
  /** Folders, without those below them. */
  sources: readonly string[];
  tests: readonly string[];
  /** Files of data, in which every change would be another right program. */
  data?: readonly string[];
}

const textTest = (name: string): string => `test/text/${name}.test.ts`;

export const areas: readonly Area[] = [
  {
    name: "engine",
    sources: ["src/sending", "src/publishing", "src/dispatch"],
    tests: [
      ...["test/sending", "test/publishing", "test/networks", "test/work/due-worker.test.ts"],
      ...["test/posts/retry.test.ts", "test/posts/many-profiles.test.ts"],
    ],
  },
  {
    name: "text",
    sources: ["src/text"],
    // Without hostile.test.ts, which would notice by its time limit only.
    tests: [
      ..."breaks count domains facets graphemes likeness links urls".split(" ").map(textTest),
      "test/planning/thread.test.ts",
    ],
    data: ["plain-characters.ts", "top-level-domains.ts", "weights.ts"],
  },
  { name: "signature", sources: ["src/signature"], tests: ["test/signature"] },
  { name: "guard", sources: ["src/outbound", "src/outbound/guard"], tests: ["test/outbound"] },
  {
    name: "hosting",
    sources: ["src/hosting"],
    tests: ["test/hosting", "test/http/files.test.ts", "test/http/media.test.ts"],
  },
  {
    name: "fit",
    sources: ["src/media/fit"],
    tests: ["test/media/fit", "test/planning/fit.test.ts", "test/planning/fitted-media.test.ts"],
  },
  { name: "webhooks", sources: ["src/webhooks"], tests: ["test/webhooks", "test/signature"] },
];
