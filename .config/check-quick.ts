/**
 * `npm run check:quick`: types, lint, and the tests beside what has changed since
 * the last commit; where nothing has, beside what that commit changed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

function git(...given: string[]): string[] {
  return execFileSync("git", given, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
}

function changedFiles(): string[] {
  const changed = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  return changed.length > 0 ? changed : git("diff", "--name-only", "HEAD~1");
}

/** The tests of a folder lie under the same name below `test`; of a deeper one that has none, in the one above. */
function testsBeside(file: string): string[] {
  if (file.endsWith(".md")) return ["test/documents.test.ts"];
  if (/^test\/.*\.test\.ts$/.test(file)) return existsSync(`${root}${file}`) ? [file] : [];
  if (!/^(src|test)\//.test(file)) return [];
  let folder = dirname(file).replace(/^src/, "test");
  while (folder !== "test" && !existsSync(root + folder)) folder = dirname(folder);
  return folder === "test" ? ["test/architecture.test.ts"] : [folder, "test/architecture.test.ts"];
}

const tests = [...new Set(changedFiles().flatMap(testsBeside))];
const kept = "node_modules/.cache/check-quick.tsbuildinfo";
const steps = [
  ["tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", kept],
  ["biome", "check", "--config-path=.config/biome.rules.json"],
  ...(tests.length === 0 ? [] : [["vitest", "run", "--config", ".config/vitest.config.ts", ...tests]]),
];

// All of them, for one failure says little of the others.
const ended = steps.map((step) => spawnSync("npx", step, { cwd: root, stdio: "inherit" }).status);
process.exit(ended.every((status) => status === 0) ? 0 : 1);
