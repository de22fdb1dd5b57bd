import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHandler } from "../src/http/handler.ts";
import { describeNetwork } from "../src/networks/runtime/registry.ts";
import { twitch } from "../src/networks/twitch/index.ts";
import { publishingCodes, statusOfCode } from "../src/wire/errors.ts";
import { entries } from "../tsup.config.ts";
import { requestFromCurl } from "./support/curl.ts";
import { generatedTables } from "./support/document-tables.ts";
import {
  anchorsOf,
  blocksOf,
  commandsOf,
  type Document,
  fileShownIn,
  isCode,
  linksOf,
  readDocuments,
  regenerated,
  root,
  shownFiles,
  tablesIn,
} from "./support/documents.ts";
import { outputOf } from "./support/example.ts";
import { hasFields, withFieldComments } from "./support/field-comments.ts";
import { type Installed, installExamples } from "./support/installed.ts";
import { loginTables, withLogin } from "./support/login-tables.ts";
import { wordsToReplace } from "./support/plain-words.ts";
import { createTestService, testNetworks } from "./support/service.ts";
import { sourceTexts } from "./support/source-texts.ts";

const documents = readDocuments();
/** The documents about use. The changelog is about history. */
const guides = documents.filter(({ path }) => path !== "CHANGELOG.md");
const readme = documentAt("README.md");
const manifest: { files: string[] } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const inboxOnly = [twitch({ app: { client_id: "app", client_secret: "secret" } })];
const described = [...testNetworks(), ...inboxOnly].map(describeNetwork).map(withLogin);
const tables = { ...generatedTables(described), ...(await loginTables()) };

/** Files that do not run alone: the test that runs each, and its name there. */
const runElsewhere: Readonly<Record<string, readonly [test: string, name: string]>> = {
  "examples/connect/app.ts": ["examples/connect/server.ts", "./app.ts"],
  "examples/connect/server.ts": ["test/examples.test.ts", "connect/server.ts"],
  "examples/express/server.ts": ["test/examples.test.ts", "express/server.ts"],
  "examples/jest/announce.js": ["test/real/jest.real.ts", "examples/jest"],
  "examples/jest/announce.test.js": ["test/real/jest.real.ts", "examples/jest"],
  "examples/next/app/social/[...path]/route.ts": ["test/real/next.real.ts", "examples/next"],
  "examples/next/instrumentation.ts": ["test/real/next.real.ts", "examples/next"],
  "examples/next/lib/social.ts": ["test/real/next.real.ts", "examples/next"],
  "examples/operating/cron.ts": ["test/examples.test.ts", "operating/cron.ts"],
  "examples/operating/worker.ts": ["test/examples.test.ts", "operating/worker.ts"],
  "examples/own-network/notes.contract.ts": ["test/examples.test.ts", "own-network/notes.contract.ts"],
  "examples/postgres/worker.ts": ["test/examples.test.ts", "postgres/worker.ts"],
  "examples/production/sandbox.ts": ["test/examples.test.ts", "production/sandbox.ts"],
  "examples/production/social.ts": ["examples/production/web.ts", "./social.ts"],
  "examples/production/web.ts": ["test/examples.test.ts", "production/web.ts"],
  "examples/production/worker.ts": ["test/examples.test.ts", "production/worker.ts"],
  "examples/restore/restore.ts": ["test/examples.test.ts", "restore/restore.ts"],
  "examples/servers/nest/main.ts": ["test/real/nest.real.ts", "examples/servers/nest"],
  "examples/testing/announce.ts": ["examples/testing/announce.test.ts", "./announce.ts"],
  "examples/testing/storage.contract.ts": ["test/examples.test.ts", "testing/storage.contract.ts"],
};

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".ts"))
  .sort();

/** Every file with schemas of a host's input and output. */
const schemaFiles = sources.filter((path) => hasFields(readFileSync(join(root, path), "utf8")));

describe("the comments of fields", () => {
  // `vitest -u` writes them.
  it.each(schemaFiles)("equal the field's description: %s", async (path) => {
    const file = join(root, path);
    await expect(withFieldComments(path, readFileSync(file, "utf8"))).toMatchFileSnapshot(file);
  });
});

describe("the messages and docstrings of the sources", () => {
  it("are in plain words", () => {
    const unclear = sources.flatMap((path) =>
      sourceTexts(path, readFileSync(join(root, path), "utf8")).flatMap(({ line, text }) =>
        wordsToReplace(text).map((advice) => `${path}:${line} ${advice}`),
      ),
    );
    expect(unclear).toEqual([]);
  });
});

describe("the documents", () => {
  it("exist", () => {
    expect(documents.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        ".github/CONTRIBUTING.md",
        ".github/SECURITY.md",
        "CHANGELOG.md",
        "README.md",
        "src/README.md",
        "test/README.md",
        ...foldersIn("examples").map((folder) => `examples/${folder}/README.md`),
      ]),
    );
  });

  // `vitest -u` writes them.
  it.each(guides)("have the tables and files of the code: $path", async (document) => {
    await expect(regenerated(document, tables)).toMatchFileSnapshot(join(root, document.path));
  });

  it.each(guides)("name the file before each block of code: $path", (document) => {
    const unnamed = blocksOf(document).filter((block) => isCode(block) && fileShownIn(document, block) === null);
    expect(unnamed.map(({ content }) => content)).toEqual([]);
  });

  it("have every generated table, somewhere", () => {
    expect([...new Set(guides.flatMap(tablesIn))].sort()).toEqual(Object.keys(tables).sort());
  });

  it.each(documents)("have no dangling link: $path", (document) => {
    const broken = linksOf(document).filter(({ path, anchor }) => {
      if (path === null) return false;
      if (!existsSync(join(root, path))) return true;
      return anchor !== null && !anchorsOf(documentAt(path)).has(anchor);
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });

  it.each(guides)("name only scripts and files that exist: $path", (document) => {
    expect(unknownIn(document)).toEqual([]);
  });

  it.each(documents)("are in plain words: $path", ({ text }) => {
    expect(wordsToReplace(text)).toEqual([]);
  });

  it("name every subpath that is built, and no other", () => {
    const named = new Set(
      // With the generated tables, because a new network is named there.
      guides
        .map((document) => regenerated(document, tables))
        .flatMap((text) => [...text.matchAll(/["`](postrider(?:\/[\w/-]+)?)["`]/g)].map(([, name]) => name)),
    );
    const built = Object.keys(entries).map((name) => (name === "index" ? "postrider" : `postrider/${name}`));
    expect([...named].sort()).toEqual(built.sort());
  });
});

/** The files that npm packs by the manifest's `files`: a folder means all its files, and `!` excludes files again. */
function isPacked(path: string): boolean {
  if (["README.md", "LICENSE", "package.json"].includes(path)) return true;
  const isNamed = (name: string): boolean =>
    new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(?:/|$)`).test(path);
  const isLeftOut = manifest.files.some((name) => name.startsWith("!") && isNamed(name.slice(1)));
  return !isLeftOut && manifest.files.some(isNamed);
}

describe("the packed documents", () => {
  const packed = documents.filter(({ path }) => isPacked(path));

  it("are README, changelog, security and every guide", () => {
    const guidePaths = documents.map(({ path }) => path).filter((path) => path.startsWith("examples/"));
    const others = [".github/SECURITY.md", "CHANGELOG.md", "README.md"];
    expect(packed.map(({ path }) => path).sort()).toEqual([...others, ...guidePaths].sort());
  });

  // npm's page has no repository to resolve a link against.
  it.each(packed)("link to nothing that exists only in a clone: $path", (document) => {
    const outside = linksOf(document).filter(({ path }) => path !== null && !isPacked(path));
    expect(outside.map(({ target }) => target)).toEqual([]);
  });
});

describe("the README", () => {
  it("is one page, and its first code is short", () => {
    expect(readme.text.length).toBeLessThanOrEqual(9_000);
    const [opening] = blocksOf(readme).filter(isCode);
    expect(opening?.content.trimEnd().split("\n").length).toBeLessThan(20);
  });

  it("leads to every guide, and a guide to its further pages", () => {
    // Files that only a clone has are named without a link, because the README is on npm's page, too.
    const named = [...readme.text.matchAll(/`([^`\n]+\.md)`/g)].map(([, path = ""]) => path);
    const reached = new Set([...linksOf(readme).map(({ path }) => path), ...named]);
    const others = documents.map(({ path }) => path).filter((path) => path !== "README.md");
    const fromItsGuide = (path: string): boolean =>
      reached.has(join(dirname(path), "README.md")) &&
      linksOf(documentAt(join(dirname(path), "README.md"))).some((link) => link.path === path);
    expect(others.filter((path) => !reached.has(path) && !fromItsGuide(path))).toEqual([]);
  });
});

describe("the guide to publishing", () => {
  const { text } = documentAt("examples/publishing/README.md");

  it("lists every request code with its status", () => {
    const listed = [...text.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]);
    expect(Object.fromEntries(listed)).toEqual(statusOfCode);
    expect(listed).toHaveLength(Object.keys(statusOfCode).length);
  });

  it("lists every publishing code", () => {
    const [, publishing = ""] = text.split("A refusal by a network does not throw.");
    const listed = [...publishing.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    expect(listed).toEqual([...publishingCodes]);
  });
});

describe("the guide to REST", () => {
  it("shows a curl that publishes unchanged, except for key and profile", async () => {
    const { social, sandbox, clock } = createTestService();
    const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const credentials = { identifier: handle, app_password: password };
    const profile = await clock.run(() => social.profiles.connect({ network: "bluesky", credentials }));
    const { key } = await social.keys.create();
    const shell = blocksOf(documentAt("examples/rest/README.md")).filter(({ language }) => language === "sh");
    expect(shell).toHaveLength(1);
    const line = shell[0]?.content.replaceAll("\\\n", "").replace("$KEY", key).replace("prof_…", profile.id) ?? "";
    const handler = createHandler(social, { basePath: "/social" });
    const response = await clock.run(() => handler(requestFromCurl(line)));
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ data: { status: "published", text: "Hello" } });
  });
});

describe("the map of the sources", () => {
  it("has every folder, and no other", () => {
    const { text } = documentAt("src/README.md");
    const mapped = [...text.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, folder]) => folder);
    expect(mapped.sort()).toEqual(foldersIn("src").sort());
  });
});

describe("a shown file", () => {
  const shown = guides.flatMap(shownFiles);
  const alone = [...new Set(shown.map(({ file }) => file))].filter((file) => runElsewhere[file] === undefined);

  it("that another file runs is named there", () => {
    const elsewhere = shown.map(({ file }) => file).filter((file) => runElsewhere[file] !== undefined);
    expect([...new Set(elsewhere)].sort()).toEqual(Object.keys(runElsewhere).sort());
    for (const [test, name] of Object.values(runElsewhere)) {
      expect(readFileSync(join(root, test), "utf8"), test).toContain(name);
    }
  });

  let installed: Installed | undefined;
  beforeAll(async () => {
    installed = await installExamples(alone.map((file) => relative("examples", file)));
  });
  afterAll(() => installed?.remove());

  it.concurrent.each(alone)("runs as it stands, without a warning: %s", async (file) => {
    if (installed === undefined) expect.unreachable();
    const { code, output, complaints } = await outputOf(installed.start(relative("examples", file)));
    expect(complaints).toBe("");
    expect(code, output).toBe(0);
    for (const { prints } of shown.filter((each) => each.file === file)) {
      if (prints !== null) expect(output).toMatch(asPrinted(prints));
    }
  });
});

/** `…` stands for the parts that differ each time. */
function asPrinted(words: string): RegExp {
  const pieces = words.trim().split("…");
  const literal = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}\\s*$`);
}

function documentAt(path: string): Document {
  const document = documents.find((candidate) => candidate.path === path);
  if (document === undefined) throw new Error(`There is no ${path}.`);
  return document;
}

function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The scripts of a folder's own manifest; none where it has none. */
function scriptsIn(folder: string): Record<string, string> {
  const manifest = join(root, folder, "package.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).scripts : {};
}

/** The unknown names in the commands of a document. */
function unknownIn(document: Document): string[] {
  const scripts = { ...scriptsIn(""), ...scriptsIn(dirname(document.path)) };
  return commandsOf(document).flatMap((command) => {
    const [, script = "test"] = /^npm (?:run ([\w:-]+)|test)\b/.exec(command) ?? [];
    const [, file = "package.json"] = /^(?:\w+=\S+ )*npx tsx (?:--test )?(\S+)/.exec(command) ?? [];
    return [...(scripts[script] === undefined ? [script] : []), ...(existsSync(join(root, file)) ? [] : [file])];
  });
}
