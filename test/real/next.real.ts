import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchFromCurl, linesOf } from "../support/curl.ts";
import { pack } from "./pack.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const patience = 300_000;
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

/** The example in a folder of its own, with the package as it would be published. */
describe("the example for Next.js", () => {
  let folder = "";
  let server: ChildProcess | undefined;
  let url = "";
  let curl: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-next-"));
    const app = join(folder, "app");
    const isOurs = (path: string): boolean => !["node_modules", ".next"].includes(basename(path));
    await cp(join(root, "examples/next"), app, { recursive: true, filter: isOurs });
    const manifest = JSON.parse(await readFile(join(app, "package.json"), "utf8"));
    manifest.dependencies.postrider = `file:${await pack(folder)}`;
    await writeFile(join(app, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: app, env });
    const next = join(app, "node_modules/next/dist/bin/next");
    await run(process.execPath, [next, "build"], { cwd: app, env });
    server = spawn(process.execPath, [next, "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd: app, env });
    url = await addressOf(server);
    curl = linesOf(unescaped(await (await fetch(url)).text()));
  }, patience);

  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill();
      await once(server, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  }, patience);

  it("publishes what its page says to type, and only once", async () => {
    const [create = "", list = ""] = curl;
    const first = await fetchFromCurl(create);
    expect(first.status).toBe(201);
    const second = await fetchFromCurl(create);
    expect(second.status).toBe(200);
    expect(second.headers.get("idempotent-replay")).toBe("true");
    const created = (await first.json()) as { data: { status: string } };
    const replayed = await second.json();
    expect(created.data.status).toBe("published");
    expect(replayed).toEqual(created);
    expect(await (await fetchFromCurl(list)).json()).toMatchObject({ data: [created.data] });
  });

  it.each([
    { method: "PUT", status: 405, allow: "GET, HEAD, POST" },
    { method: "OPTIONS", status: 405, allow: "GET, HEAD, POST" },
    { method: "HEAD", status: 401, allow: null },
    { method: "POST", status: 401, allow: null },
  ])("answers $method with $status, as the handler does", async ({ method, status, allow }) => {
    const answer = await fetch(`${url}/social/v1/posts`, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("allow")).toBe(allow);
    expect(await answer.text()).toMatch(method === "HEAD" ? /^$/ : /^\{"error":\{"code":/);
  });

  it("serves the OpenAPI document with its own address", async () => {
    const answer = await fetch(`${url}/social/v1/openapi.json`);
    expect(await answer.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/social" }] });
  });
});

async function addressOf(server: ChildProcess): Promise<string> {
  let output = "";
  for await (const piece of server.stdout ?? []) {
    output += piece;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    if (address !== undefined && output.includes("Ready")) return address;
  }
  throw new Error(`Next.js did not start: ${output}`);
}

/** A page's text as a reader sees it. */
function unescaped(html: string): string {
  return html.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
