/**
 * Which tests on real servers CI runs for a commit: those whose sources have changed
 * within eight hours, and of the others a tenth, by the commit's hash. Prints their paths
 * on two lines: those that work, and those that mostly wait, which may run beside them;
 * on stderr, why. `POSTRIDER_REAL=all` runs every one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = "test/real/";
const ending = ".real.ts";
/** What is checked in between two runs of CI, and longer, seconds. */
const recentSeconds = 8 * 3_600;

/** What every one of them depends on. */
const forAll = [".ci/", ".config/vitest.real.config.ts", "package-lock.json", `${folder}package-lock.json`];

const engine = ["src/publishing/", "src/sending/", "src/work/", "src/storage/", "src/outbound/"];
const inbox = [...engine, "src/inbox/"];
const connections = ["src/connections/", "src/profiles/", "src/http/", "src/outbound/", "src/networks/runtime/"];
const built = ["src/index.ts", "src/service.ts", "src/http/", "tsup.config.ts", "tsconfig.json", "examples/"];
const bluesky = ["src/networks/bluesky/", "src/networks/contract/", "src/networks/runtime/", "src/text/"];
const mastodon = ["src/networks/mastodon/", "src/networks/contract/", "src/networks/runtime/", "src/text/"];
const schedulers = ["src/scheduler/", "src/work/", "src/testing/"];

/** What each depends on besides, by its name; and on what it imports or starts of `test`. */
export const sources: Readonly<Record<string, readonly string[]>> = {
  adding: [...built, "src/networks/contract/", "src/networks/shared/", "src/testing/", "src/sandbox/"],
  bluesky: [...engine, ...bluesky],
  "bluesky-facets": bluesky,
  "bluesky-limits": [...engine, ...bluesky],
  bullmq: schedulers,
  connect: [...connections, "src/networks/", "src/sandbox/"],
  "connect-pds": [...connections, ...bluesky],
  "connect-snac": [...connections, ...mastodon],
  durability: ["src/storage/"],
  facts: ["src/media/"],
  ffmpeg: ["src/media/"],
  "hooks-kill": inbox,
  "inbox-bluesky": [...inbox, ...bluesky],
  "inbox-snac": [...inbox, ...mastodon],
  jest: built,
  kill: [...engine, ...bluesky],
  location: ["src/media/", "test/media/"],
  nest: built,
  next: built,
  openapi: ["src/http/", "src/wire/"],
  orientation: ["src/media/", "test/media/"],
  "pg-boss": schedulers,
  postgres: ["src/storage/", "test/storage/"],
  "query-plans": ["src/", "test/prove/", "test/scenes/"],
  renewals: [...connections, ...bluesky],
  s3: ["src/media/"],
  scenes: ["src/", "test/scenes/"],
  snac: [...engine, ...mastodon],
  "snac-lists": mastodon,
  typescript: ["src/", "tsup.config.ts", "tsconfig.json"],
  videos: ["src/media/", "src/planning/", "test/media/"],
};

/** Itself, and every file below `test` that it names, as those name others. */
function filesOf(name: string): string[] {
  const files = new Set([`${folder}${name}${ending}`]);
  for (const file of files) {
    const text = readFileSync(root + file, "utf8");
    for (const [, named = ""] of text.matchAll(/"([\w./-]+\.(?:ts|mjs|json))"/g)) {
      const path = join(dirname(file), named);
      if (path.startsWith("test/") && existsSync(root + path)) files.add(path);
    }
  }
  return [...files];
}

/** Those that use a fifth of the time that they take, or a third. */
const waiting: ReadonlySet<string> = new Set(["bullmq", "inbox-bluesky", "inbox-snac", "pg-boss", "snac"]);

function git(...given: string[]): string {
  return execFileSync("git", given, { cwd: root, encoding: "utf8" }).trim();
}

/** Which tenth a commit is in, by its hash. */
function tenthOf(hash: string): number {
  return Number.parseInt(hash.slice(-6), 16) % 10;
}

/** The commits since the last one that fell into a tenth, the newest first. */
function commitsSince(tenth: number): string {
  const [, ...before] = git("log", "--format=%H", "-200").split("\n");
  const last = before.find((hash) => tenthOf(hash) === tenth);
  return last === undefined
    ? "more than 200 commits"
    : git("log", "--format=%h", `${last}..HEAD`).split("\n").join(" ");
}

/** Why a test runs for the commit that is checked out; null: it does not. */
function reasonToRun(name: string, index: number): string | null {
  if (process.env.POSTRIDER_REAL === "all") return "all were asked for";
  const since = Number(git("show", "--no-patch", "--format=%ct", "HEAD")) - recentSeconds;
  const paths = [...forAll, ...filesOf(name), ...(sources[name] ?? ["."])];
  const changedBy = git("log", "--format=%h", `--since=${since}`, "--", ...paths)
    .split("\n")
    .filter(Boolean);
  if (changedBy.length > 0) return `what it depends on was changed by ${changedBy.join(" ")}`;
  const tenth = index % 10;
  return tenthOf(git("rev-parse", "HEAD")) === tenth
    ? `it is in this commit's tenth; since the last: ${commitsSince(tenth)}`
    : null;
}

/** Without a history nobody knows what has changed. */
function hasHistory(): boolean {
  try {
    return git("rev-parse", "--is-shallow-repository") === "false";
  } catch {
    return false;
  }
}

const names = readdirSync(root + folder)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length))
  .sort();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isKnown = hasHistory();
  const chosen = names.filter((name, index) => {
    const reason = isKnown ? reasonToRun(name, index) : "the history of what has changed is not there";
    const said = reason === null ? "skipped, as nothing that it depends on has changed lately" : `runs, as ${reason}`;
    console.error(`${name}: ${said}`);
    return reason !== null;
  });
  const lineOf = (isIn: (name: string) => boolean): string =>
    chosen
      .filter(isIn)
      .map((name) => `${folder}${name}${ending}`)
      .join(" ");
  console.log(lineOf((name) => !waiting.has(name)));
  console.log(lineOf((name) => waiting.has(name)));
}
