import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { root } from "../support/documents.ts";
import { silentLogger } from "../support/logger.ts";
import { installPacked, unpackPacked } from "../support/packed-host.ts";

const run = promisify(execFile);
const tsc = join(root, "node_modules/typescript/bin/tsc");
const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
/** Node 20 does not, and its types do not have it. */
const readsTypescript = "typescript" in process.features && process.features.typescript === "strip";
const published = /^published https:\/\/bsky\.app\/profile\/did:plc:\S+\n$/;

describe("a new user, in a folder from npm init", () => {
  let folder = "";
  let host = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-newcomer-"));
    await unpackPacked(folder);
    host = await installPacked(folder, "host", ["@types/node"]);
    await run("npm", ["init", "-y"], { cwd: host });
    // As npm 11 writes it; others omit it, with the same meaning.
    await setType("commonjs");
  }, 600_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ["node quickstart.mjs", "commonjs", "quickstart.mjs", []],
    ["tsx quickstart.mts", "commonjs", "quickstart.mts", [tsx]],
    ["tsx quickstart.ts", "module", "quickstart.ts", [tsx]],
  ])("publishes by the README's first block, %s, in a package of type %s", async (_, type, file, runner) => {
    await setType(type);
    await writeFile(join(host, file), await firstBlock());
    const { stdout, stderr } = await run(process.execPath, [...runner, file], { cwd: host });
    expect(stdout).toMatch(published);
    expect(stderr).toBe("");
    await setType("commonjs");
  });

  it.skipIf(!readsTypescript)("publishes by it where Node itself reads TypeScript", async () => {
    await writeFile(join(host, "quickstart.mts"), await firstBlock());
    const { stdout } = await run(process.execPath, ["quickstart.mts"], { cwd: host });
    expect(stdout).toMatch(published);
  });

  it("runs a guide's file from the package's folder", async () => {
    const example = "node_modules/postrider/examples/publishing/quickstart.ts";
    const { stdout } = await run(process.execPath, [tsx, example], { cwd: host });
    expect(stdout).toMatch(published);
  });

  it("compiles functions over a service with the options of tsc --init, and declares them", async () => {
    // A separate folder: the configuration includes every file of its folder.
    const project = await installPacked(folder, "project", ["@types/node"]);
    await run("npm", ["init", "-y"], { cwd: project });
    await run(process.execPath, [tsc, "--init"], { cwd: project });
    await writeFile(join(project, "host.mts"), ownFunctions);
    const flags = ["--project", ".", "--declaration", "--outDir", "out", "--types", "node"];
    expect(await compile(flags, project)).toBe("");
  }, 300_000);

  it("compiles the README's first block with the options of the guide, each of which is needed", async () => {
    const project = await installPacked(folder, "guided", ["@types/node"]);
    const guide = await readFile(join(project, "node_modules/postrider/examples/publishing/README.md"), "utf8");
    const config = JSON.parse(/^```json\n(.*?)^```$/ms.exec(guide)?.[1] ?? "{}");
    await writeFile(join(project, "quickstart.mts"), await firstBlock());
    const withOptions = async (compilerOptions: object): Promise<string> => {
      await writeFile(join(project, "tsconfig.json"), JSON.stringify({ ...config, compilerOptions }));
      return compile(["--project", ".", "--noEmit"], project);
    };
    const { module, types, ...others } = config.compilerOptions;
    expect(others).toEqual({});
    expect(await withOptions({ module, types })).toBe("");
    expect(await withOptions({ module })).toContain("node:crypto");
    expect(await withOptions({ types, module: "es2015" })).toContain("quickstart.mts");
  }, 300_000);

  it("can name the type of every part of a service in declarations", async () => {
    const social = createSocialService({ storage: memoryStorage(), logger: silentLogger });
    const parts = Object.entries(social).flatMap(([name, part]) => partsBelow(`social.${name}`, part));
    expect(parts).toEqual(
      expect.arrayContaining(["social.start", "social.posts.create", "social.webhooks.deliveries"]),
    );
    const constants = parts.map((part) => `export const ${part.replaceAll(".", "_")} = ${part};`);
    await writeFile(join(host, "parts.mts"), [service, ...constants].join("\n"));
    expect(await compile(["--declaration", "--outDir", "out", ...strict, "--module", "nodenext", "parts.mts"])).toBe(
      "",
    );
  }, 300_000);

  it("can name the type of every part of a sandbox in declarations", async () => {
    const parts = partsBelow("sandbox", createSandbox());
    expect(parts).toEqual(expect.arrayContaining(["sandbox.http", "sandbox.facebook.postAs", "sandbox.x.addAccount"]));
    // The networks' members; entries of lists have no name.
    const named = parts.filter((part) => /^sandbox\.\w+(?:\.[a-z]\w*)?$/i.test(part));
    const constants = named.map((part) => `export const ${part.replaceAll(".", "_")} = ${part};`);
    await writeFile(join(host, "simulated.mts"), [simulated, ...constants].join("\n"));
    expect(
      await compile(["--declaration", "--outDir", "out", ...strict, "--module", "nodenext", "simulated.mts"]),
    ).toBe("");
    expect(await readFile(join(host, "out/simulated.d.mts"), "utf8")).not.toContain("postrider/dist");
  }, 300_000);

  it.each([
    ["nodenext", "works"],
    ["node20", "works"],
    ["commonjs", "works"],
    // TypeScript resolves for Node versions that cannot require ES modules.
    ["node18", "TS1479"],
    ["node16", "TS1479"],
  ])(
    "compiles a CommonJS file with module %s: %s",
    async (module, outcome) => {
      await writeFile(join(host, "host.cts"), service);
      const findings = await compile([...strict, "--noEmit", "--module", module, "host.cts"]);
      if (outcome === "works") expect(findings).toBe("");
      else expect(findings).toContain(outcome);
    },
    300_000,
  );

  it.each(["nodenext", "node20", "node18", "node16"])(
    "compiles an ES module with module %s",
    async (module) => {
      await writeFile(join(host, "host.mts"), service);
      expect(await compile([...strict, "--noEmit", "--module", module, "host.mts"])).toBe("");
    },
    300_000,
  );

  async function firstBlock(): Promise<string> {
    const readme = await readFile(join(host, "node_modules/postrider/README.md"), "utf8");
    return /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? "";
  }

  async function setType(type: string): Promise<void> {
    await run("npm", ["pkg", "set", `type=${type}`], { cwd: host });
  }

  /** The compiler's messages. */
  async function compile(flags: readonly string[], cwd = host): Promise<string> {
    const compiling = run(process.execPath, [tsc, "--pretty", "false", ...flags], { cwd });
    return compiling.then(
      () => "",
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
    );
  }
});

const strict = ["--strict", "--exactOptionalPropertyTypes", "--types", "node", "--target", "es2023"];

const service = `
import { createSocialService, type SocialService } from "postrider";
import { createHandler } from "postrider/http";
import { bluesky } from "postrider/networks/bluesky";
import { discord } from "postrider/networks/discord";
import { mastodon } from "postrider/networks/mastodon";
import { memoryStorage } from "postrider/storage/memory";
export const social = createSocialService({ storage: memoryStorage(), networks: [bluesky(), mastodon(), discord()] });
export const asAny: SocialService = social;
export const handler = createHandler(social);
`;

const simulated = `
import { type BlueskyPostByHand, createSandbox, type NewFacebookPage, type StoredXPost } from "postrider/sandbox";
const sandbox = createSandbox();
export const written: BlueskyPostByHand = { text: "Hello" };
export const page: NewFacebookPage = { name: "The Observatory" };
export const addPage = () => sandbox.facebook.addPage(page);
export const textOf = ({ text }: StoredXPost) => text;
export const addAccount = () => sandbox.tiktok.addAccount();
`;

/** Code that a host writes around a service. */
const ownFunctions = `${service}
import type { NetworkId, Post, TenantService } from "postrider";
import { toNodeHandler } from "postrider/http/node";
import { createSandbox } from "postrider/sandbox";
export function announce(service: SocialService, text: string) {
  return service.posts.create({ profile_ids: ["prof_1"], text });
}
export const announced = (): Promise<Post> => announce(social, "Hello");
export const tenants = createSocialService({ storage: memoryStorage(), networks: [bluesky()], tenants: true });
export function postsOf(service: TenantService, accountId: string) {
  return service.forAccount(accountId).posts;
}
export const ofTenant = () => postsOf(tenants, "acct_42").list();
export const connect = (network: NetworkId) =>
  asAny.profiles.connect({ network, credentials: { access_token: "token", client_id: undefined } });
export class Publisher {
  social = social;
  profiles = () => this.social.profiles.list();
}
export const listener = toNodeHandler(handler);
export const sandbox = createSandbox();
`;

/** The paths of an object and its members: `social.posts`, `social.posts.create`. */
function partsBelow(path: string, part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [path];
  return [path, ...Object.entries(part).flatMap(([name, inner]) => partsBelow(`${path}.${name}`, inner))];
}
