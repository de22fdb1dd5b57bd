import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { describeNetwork } from "../src/networks/runtime/registry.ts";
import { publishingCodes, statusOfCode } from "../src/wire/errors.ts";
import { entries } from "../tsup.config.ts";
import { blocksOf, regenerated } from "./support/readme.ts";
import { testNetworks } from "./support/service.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readmeFile = fileURLToPath(new URL("../README.md", import.meta.url));
const readme = readFileSync(readmeFile, "utf8");
const blocks = blocksOf(readme);

describe("the README", () => {
  // examples.test.ts runs the example.
  it("opens with the quickstart example, word for word and under 15 lines", () => {
    const [opening = ""] = blocks;
    expect(opening).toBe(readFileSync(new URL("../examples/quickstart.ts", import.meta.url), "utf8"));
    expect(opening.trimEnd().split("\n").length).toBeLessThan(15);
  });

  // `vitest -u` writes them.
  it("has the tables that the networks' specs and schemas give", async () => {
    const networks = testNetworks().map(describeNetwork);
    await expect(regenerated(readme, networks)).toMatchFileSnapshot(readmeFile);
  });

  it("names no subpath that is not built, and every one that is", () => {
    const named = new Set([...readme.matchAll(/["`](postrider(?:\/[\w/-]+)?)["`]/g)].map(([, name]) => name));
    const built = Object.keys(entries).map((name) => (name === "index" ? "postrider" : `postrider/${name}`));
    expect([...named].sort()).toEqual(built.sort());
  });

  it("lists every request code with its status", () => {
    const listed = [...readme.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(Object.fromEntries(listed)).toEqual(statusOfCode);
    expect(listed).toHaveLength(Object.keys(statusOfCode).length);
  });

  it("lists every publishing code", () => {
    const [, publishing = ""] = readme.split("A network's refusal is no exception.");
    const listed = [...publishing.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    expect(listed).toEqual([...publishingCodes]);
  });

  it("has only blocks that compile", () => {
    expect(findingsIn(blocks)).toEqual([]);
  }, 60_000);
});

/** What the compiler says about the blocks, each a module of its own. */
function findingsIn(sources: readonly string[]): string[] {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = new Map(
    sources.map((source, index) => [`${root}readme-block-${index + 1}.ts`, `${source}\nexport {};\n`]),
  );
  files.set(`${root}readme-surroundings.ts`, surroundings);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = files.get(name);
    if (text === undefined) return getSourceFile(name, languageVersion, ...rest);
    return ts.createSourceFile(name, text, languageVersion);
  };
  const checked = { ...options, noUnusedLocals: false };
  const program = ts.createProgram([...files.keys()], checked, host);
  return [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${name.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  });
}

/** What a block may use although an earlier one made or imported it. */
const surroundings = `
declare global {
  const social: import("postrider").SocialService;
  const profile: import("postrider").Profile;
  const database: { exec(sql: string): void };
  const rawBody: Uint8Array;
  const signatureHeader: string;
  const { createSocialService }: typeof import("postrider");
  const { createSandbox }: typeof import("postrider/sandbox");
  const { bluesky }: typeof import("postrider/networks/bluesky");
  const { memoryStorage }: typeof import("postrider/storage/memory");
}
export {};
`;
