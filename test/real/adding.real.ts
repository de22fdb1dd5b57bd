import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const patience = 600_000;

/** The destinations of the toy's folders. */
const folders = { network: "src/networks/toy", sandbox: "src/sandbox/toy", tests: "test/networks/toy" };

/** The one list that it is added to, and the line after it. */
const list = "src/sandbox/networks.ts";
const rows: readonly { before: string; row: string }[] = [
  { before: "import ", row: 'import { toySandbox } from "./toy/network.ts";\n' },
  { before: "} satisfies", row: "  toy: toySandbox,\n" },
];

interface Report {
  numPassedTests: number;
  testResults: { message: string; assertionResults: { failureMessages: string[] }[] }[];
}

describe("a network that is added as CONTRIBUTING says", () => {
  let copy = "";
  let steps = "";

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "postrider-adding-"));
    const guide = await readFile(join(root, ".github/CONTRIBUTING.md"), "utf8");
    steps = guide.split("## Adding a network")[1] ?? "";
    const parts = ["src", "test", "examples", ".config", ".github", ...(await rootFiles())];
    for (const part of parts) await cp(join(root, part), join(copy, part), { recursive: true, filter: isSource });
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));
    for (const [from, to] of Object.entries(folders))
      await cp(join(root, "test/toy", from), join(copy, to), { recursive: true });
    await addRows(join(copy, list), rows);
  }, patience);

  afterAll(() => rm(copy, { recursive: true, force: true }));

  it("is in the folders and the list that are named there, and nowhere else", () => {
    const named = [...steps.matchAll(/`((?:src|test)\/[\w/<>-]+(?:\/|\.ts))`/g)].map(([, path = ""]) => path);
    const ofNetwork = named
      .filter((path) => path.includes("<network>"))
      .map((path) => path.replace("<network>/", "toy"));
    const inRows = [...steps.matchAll(/^ *\d\. \*\*The row\*\*, .*`(.+)`/gm)].map(([, path]) => path);
    expect(ofNetwork).toEqual(Object.values(folders));
    expect(inRows).toEqual([list]);
  });

  it("has the files that are named there", async () => {
    const files = await readdir(join(copy, folders.network));
    const [must = ""] = steps.split("| `api.ts`");
    const named = [...must.matchAll(/^ *\| `(\w+\.ts)` \|/gm)].map(([, file]) => file);
    expect(files.sort()).toEqual(named.sort());
  });

  it(
    "passes types and lint",
    async () => {
      await expect(inCopy("node_modules/typescript/bin/tsc", "--noEmit")).resolves.toMatchObject({ stdout: "" });
      const lint = ["check", "--config-path=.config/biome.rules.json", ...Object.values(folders)];
      await inCopy("node_modules/@biomejs/biome/bin/biome", ...lint);
    },
    patience,
  );

  it(
    "gets its documents",
    async () => {
      // All but the examples that run, which are the same without it.
      const documents = ["test/documents.test.ts", "-t", "^(?!.*runs as it stands)"];
      await testInCopy(...documents, "-u");
      await testInCopy(...documents);
      expect(await readFile(join(copy, "README.md"), "utf8")).toContain("| Toy |");
    },
    patience,
  );

  it(
    "meets the contract, and passes all other tests for all networks",
    async () => {
      const files = ["contract", "wire", "refusals", "unreadable-answers"].map(
        (name) => `test/networks/${name}.test.ts`,
      );
      const others = [
        "test/architecture.test.ts",
        "test/publishing/crash.test.ts",
        "test/publishing/expected/tables.test.ts",
        "test/publishing/outcomes.test.ts",
        "test/publishing/outcomes-numbers.test.ts",
        "test/publishing/outcomes-phases.test.ts",
        "test/publishing/wrong-clock.test.ts",
      ];
      const tried = await testInCopy(...files, ...others, "-t", "toy|every rule");
      expect(tried).toBeGreaterThan(60);
      expect(await testInCopy("test/package/manifest.test.ts", "-t", "exports exactly")).toBe(1);
      await inCopy("node_modules/tsx/dist/cli.mjs", "test/prove/prove.ts", "simulate", "--seeds", "20");
    },
    patience,
  );

  it(
    "fails the tests when it violates the contract",
    async () => {
      const file = join(copy, folders.network, "publish.ts");
      const right = await readFile(file, "utf8");
      await writeFile(file, right.replace("{ live };", "{ absent: true };"));
      await expect(testInCopy("test/networks/contract.test.ts", "-t", "toy")).rejects.toThrow("Tests failed: ");
      await writeFile(file, right);
    },
    patience,
  );

  /** The number of passed tests. @throws with the messages of the others */
  async function testInCopy(...options: string[]): Promise<number> {
    const report = join(copy, "report.json");
    const reporter = ["--reporter=json", `--outputFile=${report}`];
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", ".config/vitest.config.ts"] as const;
    const failure = await inCopy(...vitest, ...options, ...reporter).then(
      () => null,
      (error: unknown) => error,
    );
    const { numPassedTests, testResults }: Report = JSON.parse(await readFile(report, "utf8"));
    const said = testResults.flatMap(({ message, assertionResults }) => [
      message,
      ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
    ]);
    if (failure !== null) throw new Error(`Tests failed: ${said.join("\n")}`, { cause: failure });
    return numPassedTests;
  }

  function inCopy(script: string, ...options: string[]): Promise<{ stdout: string }> {
    const env = { ...process.env, POSTRIDER_TEST_SHARE: "all" };
    return run(process.execPath, [join(root, script), ...options], { cwd: copy, env, maxBuffer: 100_000_000 });
  }
});

async function rootFiles(): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:md|json|ts)$|^LICENSE$/.test(entry.name))
    .map(({ name }) => name);
}

function isSource(path: string): boolean {
  return !/\/node_modules(?:\/|$)/.test(path);
}

async function addRows(file: string, given: readonly { before: string; row: string }[]): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const { before, row } of given) {
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    text = text.replace(before, () => `${row}${before}`);
  }
  await writeFile(file, text);
}
