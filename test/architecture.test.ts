import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ImportFact, readFacts, type SourceFacts } from "./support/source-facts.ts";

// The rules. A place is a file (`clock.ts`), a folder with all below it
// (`posts/`), or a pattern with `*` for anything but a slash.

type Places = readonly string[];

/** May import values from `values`, and types from `types` too. Its own folder is always open to a file. */
interface Layer {
  files: Places;
  values: Places;
  types?: Places;
}

/** Rooms that everything may stand on, the lowest first. */
const ground = ["wire/", "ports/", "async/"];
/** The files beside the networks' folders: contract, spec, registry, session. */
const networkPorts = ["networks/*.ts"];
const anything = [""];

/** Who may import what. The first layer that holds a file decides, and every file is in one. */
const layers: readonly Layer[] = [
  { files: ["service.ts"], values: anything },
  { files: ["index.ts"], values: ["service.ts", "wire/", "ports/"], types: anything },
  { files: ["options.ts", "events.ts"], values: ground, types: anything },
  { files: ["wire/"], values: ["ports/"] },
  { files: ["ports/"], values: ["wire/"] },
  { files: ["async/"], values: ["wire/", "ports/"] },
  { files: ["work/"], values: [...ground, "storage/"], types: ["scheduler/"] },
  {
    files: ["networks/*/"],
    values: [
      "networks/shared/",
      "networks/adapter.ts",
      "networks/request.ts",
      "networks/error-table.ts",
      "networks/spec.ts",
      "wire/",
      "ports/clock.ts",
      "text/",
    ],
    types: ["outbound/"],
  },
  { files: networkPorts, values: [...networkPorts, ...ground, "outbound/", "text/"] },
  { files: ["outbound/"], values: ground, types: networkPorts },
  { files: ["text/"], values: [], types: networkPorts },
  { files: ["media/"], values: [...ground, "outbound/"] },
  { files: ["storage/"], values: ground },
  { files: ["scheduler/"], values: ground },
  {
    files: ["profiles/"],
    values: [...ground, ...networkPorts, "storage/", "work/"],
    types: ["events.ts", "posts/", "publishing/", "webhooks/"],
  },
  {
    files: ["publishing/"],
    values: [
      ...ground,
      ...networkPorts,
      "storage/",
      "work/",
      "outbound/",
      "profiles/",
      "posts/rows.ts",
      "posts/read.ts",
      "posts/status.ts",
      "posts/schema.ts",
    ],
    types: ["events.ts", "webhooks/"],
  },
  {
    files: ["posts/"],
    values: [...ground, ...networkPorts, "storage/", "work/", "text/", "profiles/rows.ts", "profiles/schema.ts"],
    types: ["events.ts", "media/", "publishing/", "webhooks/"],
  },
  {
    files: ["webhooks/"],
    values: [...ground, "events.ts", "storage/", "work/", "outbound/", "signature/"],
    types: ["profiles/vault.ts"],
  },
  { files: ["keys/"], values: [...ground, "storage/"] },
  { files: ["service-ports.ts"], values: ["wire/"], types: anything },
  {
    files: ["http/"],
    values: [
      ...ground,
      "service-ports.ts",
      "keys/",
      "networks/registry.ts",
      "posts/schema.ts",
      "profiles/schema.ts",
      "webhooks/schema.ts",
    ],
    types: ["storage/", "webhooks/", "posts/", "profiles/", "networks/"],
  },
  { files: ["signature/"], values: [] },
  {
    files: ["sandbox/"],
    // How a record is hashed is the network's rule, and checked against a real server; nothing else is shared.
    values: [...ground, "text/", "networks/bluesky/content-id.ts", "networks/bluesky/dag-cbor.ts"],
    types: networkPorts,
  },
  {
    files: ["testing/"],
    values: [...ground, ...networkPorts, "storage/", "outbound/ky.ts"],
    types: ["sandbox/", "scheduler/"],
  },
];

/** What a network's folder takes from files of the ground: the rest of them are ports and the module's door. */
const onlyNames = [
  { files: ["networks/*/"], from: "ports/clock.ts", names: ["isoTime"] },
  { files: ["networks/*/"], from: "wire/parse.ts", names: ["webAddress"] },
];

/** Where a package or a part of Node may be imported; one that is not listed, nowhere. */
const modules: Readonly<Record<string, Places>> = {
  zod: anything,
  ky: ["outbound/ky.ts"],
  "p-retry": ["outbound/http.ts", "networks/session.ts"],
  mitt: ["events.ts"],
  vitest: ["testing/"],
  "node:buffer": ["networks/*/", "sandbox/"],
  "node:crypto": [
    "ports/ids.ts",
    "keys/",
    "signature/hmac-node.ts",
    "profiles/vault.ts",
    "publishing/intent.ts",
    "storage/postgres/prepared.ts",
    "networks/*/",
    "sandbox/",
  ],
  "node:dns/promises": ["outbound/guard/"],
  "node:fs": ["outbound/guard/hosts.ts"],
  "node:http": ["http/node.ts", "outbound/guard/", "sandbox/serve.ts"],
  "node:https": ["outbound/guard/", "sandbox/serve.ts"],
  "node:module": ["storage/sqlite/driver.ts"],
  "node:net": ["outbound/guard/", "sandbox/serve.ts"],
  "node:path": ["storage/sqlite/driver.ts"],
  "node:stream": ["http/node.ts", "outbound/guard/"],
  "node:stream/promises": ["http/node.ts", "outbound/guard/"],
  "node:stream/web": ["http/node.ts"],
  "node:tls": ["outbound/guard/"],
  "node:zlib": ["outbound/guard/"],
};

/** The one home of what a port wraps. */
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
  "process.env": [],
  "process.getBuiltinModule": ["outbound/guard/"],
  "AbortSignal.timeout": [],
  "Math.random": [],
  "crypto.randomUUID": [],
  "crypto.getRandomValues": [],
  console: ["ports/logger.ts"],
  fetch: ["service.ts"],
};
const randomImports = {
  from: "node:crypto",
  names: ["randomBytes", "randomUUID", "randomInt", "webcrypto"],
  home: ["ports/ids.ts"],
};

const badFileName = /(?:^|[/-])(?:utils?|helpers?|types|common|misc)\.ts$/;
const mostLines = 350;

// The checker.

/** Everything in which a file breaks the rules. */
function findings(facts: SourceFacts): string[] {
  return [
    ...facts.imports.flatMap((imported) => importFindings(facts.path, imported)),
    ...facts.globals.flatMap((use) => {
      const home = homes[use] ?? homes[use.split(".")[0] ?? ""];
      return home === undefined || within(facts.path, home) ? [] : [`uses ${use}`];
    }),
    ...facts.syntax.map((syntax) => `has: ${syntax}`),
    ...(badFileName.test(facts.path) ? ["has a name that says nothing"] : []),
    ...(facts.lines > mostLines ? [`has ${facts.lines} lines`] : []),
  ];
}

function importFindings(path: string, { from, own, typeOnly, values }: ImportFact): string[] {
  if (!own) {
    const random = from === randomImports.from && !within(path, randomImports.home);
    const taken = random ? values.filter((name) => name === "*" || randomImports.names.includes(name)) : [];
    return within(path, modules[from] ?? []) && taken.length === 0 ? [] : [`imports ${[from, ...taken].join(" ")}`];
  }
  if (from === "index.ts" || from.endsWith("/index.ts")) return [`imports ${from}`];
  const layer = layers.find(({ files }) => within(path, files));
  if (layer === undefined) return ["is in no layer"];
  const open = [ownFolder(path), ...layer.values, ...(typeOnly ? (layer.types ?? []) : [])];
  if (!within(from, open)) return [`imports ${typeOnly ? "types of " : ""}${from}`];
  const limit = onlyNames.find((rule) => rule.from === from && within(path, rule.files));
  const extra = limit === undefined ? [] : values.filter((name) => !limit.names.includes(name));
  return extra.length === 0 ? [] : [`imports ${from} ${extra.join(" ")}`];
}

/** `networks/bluesky/` and `posts/`; for a file in no such folder, itself. */
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

  it("has each file in a layer", () => {
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !layers.some((layer) => within(path, layer.files)))).toEqual([]);
  });

  it("has a use for every line of the rules", () => {
    const placed = [
      ...layers.flatMap((layer) => layer.files),
      ...Object.values(modules).flat(),
      ...Object.values(homes).flat(),
    ];
    const unmet = placed.filter((place) => !paths.some((path) => within(path, [place])));
    expect(unmet).toEqual([]);
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
    ["networks/session.ts", "imports networks/bluesky/connect.ts", 'import { bluesky } from "./bluesky/connect.ts";'],
    ["storage/memory.ts", "imports types of posts/schema.ts", 'import type { Post } from "../posts/schema.ts";'],
    ["text/count.ts", "imports profiles/rows.ts", 'export { rows } from "../profiles/rows.ts";'],
    ["media/fetch.ts", "imports posts/rows.ts", 'export * from "../posts/rows.ts";'],
    ["outbound/http.ts", "imports publishing/worker.ts", 'import { worker } from "../publishing/worker.ts";'],
    ["profiles/profiles.ts", "imports posts/read.ts", 'import { type Post, readPost } from "../posts/read.ts";'],
    ["profiles/profiles.ts", "imports publishing/worker.ts", 'import "../publishing/worker.ts";'],
    ["publishing/worker.ts", "imports posts/posts.ts", 'import { createPosts } from "../posts/posts.ts";'],
    [
      "posts/posts.ts",
      "imports publishing/worker.ts",
      'const { createWorker } = await import("../publishing/worker.ts");',
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
    ["profiles/vault.ts", "imports node:crypto randomBytes", 'import { createHash, randomBytes } from "node:crypto";'],
    ["profiles/vault.ts", "imports node:crypto *", 'import * as crypto from "node:crypto";'],
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
    ["posts/utils.ts", "has a name that says nothing", ""],
    ["posts/post-types.ts", "has a name that says nothing", ""],
    ["posts/posts.ts", `has ${mostLines + 1} lines`, "\n".repeat(mostLines + 1)],
  ])("sees that %s %s", (path, finding, text) => {
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
    [
      "networks/bluesky/publish.ts",
      "knows a type of outbound",
      'import type { Exchange } from "../../outbound/http.ts";',
    ],
    ["profiles/profiles.ts", "knows a type of posts", 'import { type Post } from "../posts/schema.ts";'],
    ["posts/posts.ts", "has a default case", "switch (kind) { default: break; }"],
  ])("has nothing against %s when it %s", (path, _what, text) => {
    expect(findings(readFacts(path, text))).toEqual([]);
  });
});
