import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sources as sourcesOfReal } from "../.config/real-files.ts";
import { type ImportFact, readFacts, type SourceFacts } from "./support/source-facts.ts";

// The rules. A place is a file (`clock.ts`), a folder with all below it
// (`posts/`), or a pattern with `*` for anything but a slash.

type Places = readonly string[];

/** May import from its own folder, and from earlier rooms: from all of them, or from those named. */
interface Room {
  files: Places;
  only?: Places;
}

/** Rooms that every other may use. */
const ground = ["wire/", "ports/", "async/"];

/** The code for all networks. */
const networks = ["networks/contract/", "networks/runtime/"];

/**
 * The parts of publishing that the verbs of posts use: how a post is stored, shown and started,
 * not how it goes out.
 */
const startOfPosts = [
  ..."ports rows schema read status start erase".split(" ").map((name) => `publishing/${name}.ts`),
  "sending/intent.ts",
  "sending/last-intents.ts",
];

/** The rooms, the lowest first: nothing is imported upwards, not even a type. The first that holds a file decides. */
const rooms: readonly Room[] = [
  { files: ["wire/"] },
  { files: ["ports/"] },
  { files: ["async/"] },
  { files: ["storage/"] },
  { files: ["scheduler/"], only: ground },
  { files: ["header", "hmac-node", "hmac-web", "signature"].map((name) => `signature/${name}.ts`), only: [] },
  { files: ["networks/contract/"], only: ["wire/"] },
  { files: ["text/"], only: ["networks/contract/"] },
  { files: ["outbound/"], only: [...ground, "networks/contract/"] },
  { files: ["media/"], only: [...ground, "outbound/", "networks/contract/"] },
  { files: ["networks/runtime/"], only: [...ground, "networks/contract/", "text/", "outbound/"] },
  { files: ["networks/shared/"], only: ["networks/contract/", "text/", "wire/", "ports/clock.ts"] },
  {
    files: ["networks/*/"],
    only: ["networks/contract/", "networks/shared/", "text/", "wire/", "ports/clock.ts", "ports/parse-options.ts"],
  },
  { files: ["networks/index.ts"], only: ["networks/contract/"] },
  { files: ["work/"], only: [...ground, "storage/", "scheduler/"] },
  { files: ["webhooks/"], only: [...ground, "storage/", "signature/", "outbound/", "work/"] },
  {
    files: ["hosting/"],
    only: [...ground, "storage/", "outbound/guard/public-url.ts", "networks/contract/", "media/"],
  },
  { files: ["profiles/"], only: [...ground, "storage/", ...networks, "work/", "webhooks/outbox.ts"] },
  { files: ["connections/"], only: [...ground, "storage/", ...networks, "profiles/"] },
  {
    files: ["planning/"],
    only: [
      ...ground,
      "storage/",
      "networks/contract/",
      "networks/runtime/app-limits.ts",
      "networks/runtime/budgets.ts",
      "text/",
      "media/",
      "profiles/rows.ts",
      "profiles/schema.ts",
    ],
  },
  {
    files: ["sending/"],
    only: [...ground, "storage/", ...networks, "outbound/", "work/", "webhooks/outbox.ts", "profiles/"],
  },
  {
    files: ["inbox/"],
    only: [
      ...ground,
      "storage/",
      ...networks,
      "text/bytes.ts",
      "text/count.ts",
      "text/graphemes.ts",
      "outbound/redaction.ts",
      "outbound/guard/public-url.ts",
      "work/",
      "webhooks/outbox.ts",
      "profiles/",
      "sending/",
    ],
  },
  {
    files: ["publishing/"],
    only: [
      ...ground,
      "storage/",
      "networks/contract/",
      "work/",
      "webhooks/outbox.ts",
      "media/transform/",
      "hosting/uses.ts",
      "hosting/derive.ts",
      "profiles/",
      "planning/",
      "sending/",
    ],
  },
  {
    files: ["posts/"],
    only: [
      ...ground,
      "storage/",
      "networks/contract/",
      "work/",
      "hosting/uses.ts",
      "hosting/hosting.ts",
      "hosting/source.ts",
      "profiles/",
      "planning/",
      ...startOfPosts,
    ],
  },
  // Imported by receivers: the events have the public types of posts and profiles.
  { files: ["signature/"], only: ["signature/", "profiles/schema.ts", "publishing/schema.ts"] },
  {
    // The worker of a profile knows kinds of subjects, and none of them by name.
    files: ["dispatch/"],
    only: ["storage/", "networks/contract/", "work/", "profiles/", "sending/", "inbox/unsubscribe.ts"],
  },
  { files: ["keys/"], only: [...ground, "storage/"] },
  {
    files: ["accounts/"],
    only: [
      ...ground,
      "storage/",
      "networks/contract/",
      "hosting/hosting.ts",
      "profiles/",
      "webhooks/webhooks.ts",
      "inbox/",
      "publishing/erase.ts",
    ],
  },
  { files: ["typed-networks.ts"] },
  { files: ["options.ts", "service-ports.ts", "encryption-keys.ts"] },
  { files: ["http/"] },
  {
    files: ["sandbox/"],
    // How a record is hashed is the network's rule, and checked against a real server; nothing else is shared.
    only: [...ground, "text/", "networks/contract/", "networks/bluesky/content-id.ts", "networks/bluesky/dag-cbor.ts"],
  },
  { files: ["service.ts"] },
  {
    files: ["testing/"],
    // The inbox contract runs a whole service.
    only: [
      ...ground,
      "storage/",
      "scheduler/",
      "outbound/",
      "media/store/",
      ...networks,
      "sandbox/",
      "inbox/schema.ts",
      "profiles/schema.ts",
      "service.ts",
    ],
  },
  { files: ["index.ts"] },
];

/**
 * The names that a network's folder may import from the ground's files: the rest of them are ports
 * and the module's entry.
 */
const onlyNames = [
  { files: ["networks/*/"], from: "ports/clock.ts", names: ["isoTime"] },
  { files: ["networks/*/"], from: "wire/parse.ts", names: ["webAddress"] },
];

const anything: Places = [""];

/** Where a package or a part of Node may be imported; one that is not listed, nowhere. */
const modules: Readonly<Record<string, Places>> = {
  zod: anything,
  ky: ["outbound/ky.ts"],
  "p-retry": ["outbound/http.ts", "networks/runtime/session.ts"],
  mitt: ["ports/events.ts"],
  aws4fetch: ["media/s3/signer.ts"],
  oauth4webapi: ["networks/bluesky/"],
  sharp: ["media/sharp/make.ts"],
  vitest: ["testing/"],
  "node:child_process": ["media/ffmpeg/run.ts"],
  "node:buffer": ["networks/*/", "sandbox/"],
  "node:crypto": [
    "ports/ids.ts",
    "connections/",
    "hosting/",
    "keys/",
    "accounts/deletions.ts",
    "signature/hmac-node.ts",
    "ports/vault.ts",
    "inbox/forgotten.ts",
    "inbox/pending-updates.ts",
    "sending/intent.ts",
    "sending/app-limits.ts",
    "storage/postgres/prepared.ts",
    "networks/*/",
    "sandbox/",
  ],
  "node:dns/promises": ["outbound/guard/"],
  "node:fs": ["outbound/guard/hosts.ts", "media/files.ts"],
  "node:url": ["hosting/source.ts"],
  "node:fs/promises": ["media/files.ts", "media/ffmpeg/scratch.ts", "hosting/source.ts"],
  "node:http": ["http/node.ts", "outbound/guard/", "sandbox/serve.ts"],
  "node:https": ["outbound/guard/", "sandbox/serve.ts"],
  "node:module": ["storage/sqlite/driver.ts"],
  "node:net": ["outbound/guard/", "sandbox/serve.ts"],
  "node:os": ["media/ffmpeg/index.ts"],
  "node:path": ["storage/sqlite/driver.ts", "media/files.ts", "media/ffmpeg/scratch.ts"],
  "node:stream": ["http/node.ts", "outbound/guard/"],
  "node:stream/promises": ["http/node.ts", "outbound/guard/"],
  "node:stream/web": ["http/node.ts"],
  "node:tls": ["outbound/guard/"],
  "node:zlib": ["outbound/guard/", "media/probe/png-exif.ts", "media/location/"],
};

/** The one file that may use what a port wraps. */
const homes: Readonly<Record<string, Places>> = {
  "Date.now": ["ports/clock.ts", "signature/*.ts"],
  "new Date()": ["ports/clock.ts"],
  "performance.now": ["ports/clock.ts"],
  setTimeout: ["ports/clock.ts"],
  setInterval: ["ports/clock.ts"],
  setImmediate: ["async/pace.ts", "testing/clock.ts", "storage/sqlite/connection.ts"],
  queueMicrotask: [],
  "process.nextTick": [],
  "process.hrtime": [],
  "process.env": ["media/ffmpeg/run.ts"],
  "process.getBuiltinModule": ["outbound/guard/"],
  "AbortSignal.timeout": [],
  "Math.random": [],
  "crypto.randomUUID": [],
  "crypto.getRandomValues": [],
  console: ["ports/logger.ts"],
  fetch: ["service.ts", "media/s3/index.ts"],
};
const randomImports = {
  from: "node:crypto",
  names: ["randomBytes", "randomUUID", "randomInt", "webcrypto"],
  home: ["ports/ids.ts"],
};

const badFileName = /(?:^|[/-])(?:utils?|helpers?|types|common|misc)\.ts$/;
const maxLines = 500;
const maxFunctionLines = 60;

// The checker.

/** All violations of the rules in a file. */
function findings(facts: SourceFacts): string[] {
  return [
    ...facts.imports.flatMap((imported) => importFindings(facts.path, imported)),
    ...facts.globals.flatMap((use) => {
      const home = homes[use] ?? homes[use.split(".")[0] ?? ""];
      return home === undefined || within(facts.path, home) ? [] : [`uses ${use}`];
    }),
    ...facts.syntax.map((syntax) => `has: ${syntax}`),
    ...(badFileName.test(facts.path) ? ["has a name that says nothing"] : []),
    ...(facts.lines > maxLines ? [`has ${facts.lines} lines`] : []),
    ...facts.functions
      .filter(({ lines }) => lines > maxFunctionLines)
      .map(({ name, lines }) => `has ${lines} lines in ${name}`),
  ];
}

function importFindings(path: string, { from, own, typeOnly, values }: ImportFact): string[] {
  if (!own) {
    const random = from === randomImports.from && !within(path, randomImports.home);
    const taken = random ? values.filter((name) => name === "*" || randomImports.names.includes(name)) : [];
    return within(path, modules[from] ?? []) && taken.length === 0 ? [] : [`imports ${[from, ...taken].join(" ")}`];
  }
  if (from === "index.ts" || from.endsWith("/index.ts")) return [`imports ${from}`];
  if (!mayImport(path, from)) return [`imports ${typeOnly ? "types of " : ""}${from}`];
  const limit = onlyNames.find((rule) => rule.from === from && within(path, rule.files));
  const extra = limit === undefined ? [] : values.filter((name) => !limit.names.includes(name));
  return extra.length === 0 ? [] : [`imports ${from} ${extra.join(" ")}`];
}

function mayImport(path: string, from: string): boolean {
  if (within(from, [ownFolder(path)])) return true;
  const place = placeOf(path);
  return placeOf(from) < place && within(from, rooms[place]?.only ?? anything);
}

/** The index of its room, from the lowest on; -1: in none. */
function placeOf(path: string): number {
  return rooms.findIndex(({ files }) => within(path, files));
}

/** `networks/bluesky/` and `posts/`; the file itself if it is in no such folder. */
function ownFolder(path: string): string {
  const [first = "", second = "", third] = path.split("/");
  if (second === "") return path;
  if (first !== "networks") return `${first}/`;
  return third === undefined ? path : `${first}/${second}/`;
}

function within(path: string, places: Places): boolean {
  return places.some((place) => {
    const pattern = place.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
    return new RegExp(`^${pattern}${place === "" || place.endsWith("/") ? "" : "$"}`).test(path);
  });
}

/** Files whose imports lead back to themselves. */
function circlesIn(files: readonly SourceFacts[]): string[] {
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.filter(({ own }) => own).map(({ from }) => from)]),
  );
  return [...edges.keys()].filter((start) => {
    const seen = new Set<string>();
    const ahead = [...(edges.get(start) ?? [])];
    for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
      if (next === start) return true;
      if (!seen.has(next)) ahead.push(...(edges.get(next) ?? []));
      seen.add(next);
    }
    return false;
  });
}

// The tests.

const source = fileURLToPath(new URL("../src/", import.meta.url));
const paths = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"))
  .sort();
const files = paths.map((path) => readFacts(path, readFileSync(`${source}${path}`, "utf8")));

describe("the source", () => {
  it("keeps every rule of the architecture", () => {
    const broken = files.flatMap((facts) => findings(facts).map((finding) => `${facts.path} ${finding}`));
    expect(broken).toEqual([]);
  });

  it("has each file in a room", () => {
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => placeOf(path) === -1)).toEqual([]);
  });

  it("has no circular imports, not even of types", () => {
    expect(circlesIn(files)).toEqual([]);
  });

  it("uses every line of the rules", () => {
    const placed = [
      ...rooms.flatMap(({ files, only = [] }) => [...files, ...only]),
      ...Object.values(modules).flat(),
      ...Object.values(homes).flat(),
    ];
    const unmet = placed.filter((place) => !paths.some((path) => within(path, [place])));
    expect(unmet).toEqual([]);
  });
});

describe("the tests on real servers", () => {
  const ending = ".real.ts";
  const names = readdirSync(fileURLToPath(new URL("real/", import.meta.url)))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));

  it("each name the sources that they depend on, so that CI runs them when those change", () => {
    expect(Object.keys(sourcesOfReal)).toEqual(names.sort());
    const named = [...new Set(Object.values(sourcesOfReal).flat())];
    const root = fileURLToPath(new URL("../", import.meta.url));
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
  });
});

describe("the checker", () => {
  it.each([
    [
      "networks/bluesky/publish.ts",
      "imports storage/memory.ts",
      'import { memoryStorage } from "../../storage/memory.ts";',
    ],
    ["networks/bluesky/publish.ts", "imports service.ts", 'import { createSocialService } from "../../service.ts";'],
    [
      "networks/bluesky/publish.ts",
      "imports networks/mastodon/limits.ts",
      'import { limits } from "../mastodon/limits.ts";',
    ],
    [
      "networks/bluesky/publish.ts",
      "imports types of storage/storage.ts",
      'import type { Rows } from "../../storage/storage.ts";',
    ],
    [
      "networks/bluesky/publish.ts",
      "imports outbound/http.ts",
      'import { createOutbound } from "../../outbound/http.ts";',
    ],
    [
      "networks/bluesky/publish.ts",
      "imports ports/clock.ts systemClock",
      'import { systemClock } from "../../ports/clock.ts";',
    ],
    [
      "networks/bluesky/publish.ts",
      "imports ports/clock.ts systemClock",
      'import { type Clock, systemClock as clock } from "../../ports/clock.ts";',
    ],
    [
      "networks/runtime/session.ts",
      "imports networks/bluesky/connect.ts",
      'import { bluesky } from "../bluesky/connect.ts";',
    ],
    ["storage/memory.ts", "imports types of posts/schema.ts", 'import type { Post } from "../posts/schema.ts";'],
    ["text/count.ts", "imports profiles/rows.ts", 'export { rows } from "../profiles/rows.ts";'],
    ["media/fetch.ts", "imports posts/rows.ts", 'export * from "../posts/rows.ts";'],
    ["outbound/http.ts", "imports publishing/start.ts", 'import { startOnce } from "../publishing/start.ts";'],
    ["profiles/profiles.ts", "imports posts/read.ts", 'import { type Post, readPost } from "../posts/read.ts";'],
    ["profiles/profiles.ts", "imports dispatch/worker.ts", 'import "../dispatch/worker.ts";'],
    [
      "outbound/http.ts",
      "imports types of networks/runtime/session.ts",
      'import type { Session } from "../networks/runtime/session.ts";',
    ],
    ["profiles/profiles.ts", "imports types of posts/schema.ts", 'import { type Post } from "../posts/schema.ts";'],
    ["publishing/settle.ts", "imports posts/posts.ts", 'import { createPosts } from "../posts/posts.ts";'],
    ["publishing/settle.ts", "imports types of inbox/rows.ts", 'import type { MessageRow } from "../inbox/rows.ts";'],
    [
      "inbox/message-run.ts",
      "imports types of publishing/rows.ts",
      'import type { TargetRow } from "../publishing/rows.ts";',
    ],
    [
      "dispatch/worker.ts",
      "imports publishing/target-run.ts",
      'import { createTargetRun } from "../publishing/target-run.ts";',
    ],
    [
      "posts/posts.ts",
      "imports dispatch/worker.ts",
      'const { createProfileWorker } = await import("../dispatch/worker.ts");',
    ],
    ["posts/posts.ts", "imports index.ts", 'import type { Social } from "../index.ts";'],
    ["service.ts", "imports networks/bluesky/index.ts", 'import { bluesky } from "./networks/bluesky/index.ts";'],
    ["work/runner.ts", "imports posts/posts.ts", 'import { createPosts } from "../posts/posts.ts";'],
    ["work/runner.ts", "imports types of posts/posts.ts", 'let posts: import("../posts/posts.ts").Posts;'],
    [
      "sandbox/sandbox.ts",
      "imports networks/bluesky/limits.ts",
      'import { limits } from "../networks/bluesky/limits.ts";',
    ],
    ["posts/posts.ts", "imports ky", 'import ky from "ky";'],
    ["storage/memory.ts", "imports vitest", 'import { it } from "vitest";'],
    ["posts/posts.ts", "imports node:crypto randomUUID", 'import { randomUUID } from "node:crypto";'],
    ["ports/vault.ts", "imports node:crypto randomBytes", 'import { createHash, randomBytes } from "node:crypto";'],
    ["ports/vault.ts", "imports node:crypto *", 'import * as crypto from "node:crypto";'],
    ["sandbox/sandbox.ts", "imports node:http", 'import { createServer } from "node:http";'],
    ["outbound/http.ts", "imports node:net", 'import { connect } from "node:net";'],
    ["posts/posts.ts", "imports node:fs/promises", 'import { readFile } from "node:fs/promises";'],
    ["posts/posts.ts", "uses Date.now", "const at = Date.now();"],
    ["posts/posts.ts", "uses new Date()", "const at = new Date();"],
    ["posts/posts.ts", "uses performance.now", "const at = performance.now();"],
    ["posts/posts.ts", "uses setTimeout", "setTimeout(() => {}, 1);"],
    ["posts/posts.ts", "uses setInterval", "globalThis.setInterval(() => {}, 1);"],
    ["testing/network.ts", "uses setImmediate", "await new Promise((resolve) => setImmediate(resolve));"],
    ["ports/ids.ts", "uses Math.random", "const chance = Math.random();"],
    ["ports/ids.ts", "uses crypto.randomUUID", "const id = crypto.randomUUID();"],
    ["service.ts", "uses console.warn", 'console.warn("x");'],
    ["service.ts", "uses console", "const log = { console };"],
    ["options.ts", "uses process.env", "const key = process.env.KEY;"],
    ["outbound/http.ts", "uses fetch", "const send = fetch;"],
    ["outbound/http.ts", "uses fetch", "const { send = fetch } = ports;"],
    ["outbound/http.ts", "uses fetch", "await globalThis.fetch(url);"],
    ["posts/posts.ts", "has: any", "const value = JSON.parse(text) as any;"],
    ["posts/posts.ts", "has: enum", "enum Status { Draft }"],
    ["posts/posts.ts", "has: default export", "export default function createPosts() {}"],
    ["posts/posts.ts", "has: default export", "export default 7;"],
    ["posts/posts.ts", "has: default export", "export { createPosts as default };"],
    ["posts/posts.ts", "has: class that is no error", "class Posts {}"],
    ["posts/posts.ts", "has: class that is no error", "class Posts extends Map {}"],
    ["posts/posts.ts", "has: two doc comments", "interface Post {\n  /** One. */\n  /** Two. */\n  id: string;\n}"],
    ["posts/utils.ts", "has a name that says nothing", ""],
    ["posts/post-types.ts", "has a name that says nothing", ""],
    ["posts/posts.ts", `has ${maxLines + 1} lines`, "\n".repeat(maxLines + 1)],
    [
      "posts/posts.ts",
      `has ${maxFunctionLines + 1} lines in create`,
      `function create() {${"\n".repeat(maxFunctionLines)}}`,
    ],
  ])("finds that %s %s", (path, finding, text) => {
    expect(findings(readFacts(path, text))).toEqual([finding]);
  });

  it.each([
    ["ports/clock.ts", "reads the machine's clock", "const at = Date.now();"],
    ["posts/posts.ts", "makes a Date of a number", "const at = new Date(ms); clock.setTimeout(1);"],
    ["posts/posts.ts", "speaks of what is forbidden", "// Date.now() and any\nconst text = 'Math.random()';"],
    ["outbound/http.ts", "is handed a fetch", "function send(fetch: typeof globalThis.fetch) { return fetch(url); }"],
    [
      "outbound/http.ts",
      "names a property fetch",
      "type Send = typeof fetch; const ports = { fetch: send }; ports.fetch(url);",
    ],
    ["wire/errors.ts", "has an error class", "export class NotFound extends Error {}"],
    ["networks/bluesky/publish.ts", "writes wire time", 'import { type Clock, isoTime } from "../../ports/clock.ts";'],
    ["posts/posts.ts", "knows how a post is stored", 'import { type PostRow } from "../publishing/rows.ts";'],
    ["posts/posts.ts", "has a default case", "switch (kind) { default: break; }"],
    [
      "posts/posts.ts",
      "has long functions in a function",
      `function create() {\nreturn () => {${"\n".repeat(maxFunctionLines - 1)}};\n}`,
    ],
  ])("accepts %s when it %s", (path, _what, text) => {
    expect(findings(readFacts(path, text))).toEqual([]);
  });

  it("finds files that import each other in a circle, and the files in it", () => {
    const facts = (path: string, from: string): SourceFacts => readFacts(path, `import type { A } from "./${from}";`);
    const circle = [facts("text/a.ts", "b.ts"), facts("text/b.ts", "c.ts"), facts("text/c.ts", "a.ts")];
    expect(circlesIn([...circle, facts("text/d.ts", "a.ts")])).toEqual(["text/a.ts", "text/b.ts", "text/c.ts"]);
  });
});
