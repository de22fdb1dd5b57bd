import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchFromCurl, linesOf } from "../support/curl.ts";
import { pack } from "../support/pack.ts";

const run = promisify(execFile);
const example = fileURLToPath(new URL("../../examples/servers/nest", import.meta.url));
const patience = 600_000;

/** The example in a separate folder, with the package as published. */
describe("the example for Nest", () => {
  let folder = "";
  let server: ChildProcess | undefined;
  let curl: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-nest-"));
    const app = join(folder, "app");
    await cp(example, app, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
    const manifest = JSON.parse(await readFile(join(app, "package.json"), "utf8"));
    manifest.dependencies.postrider = `file:${await pack(folder)}`;
    await writeFile(join(app, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: app });
    const env = { ...process.env, PORT: "0" };
    // Like `npm start`, but without npm, which would keep the signal.
    const flags = ["--import", "tsx", "main.ts"];
    server = spawn(process.execPath, flags, { cwd: app, env, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    for await (const piece of server.stdout ?? []) {
      output += piece;
      if (output.includes("/echo")) break;
    }
    curl = linesOf(output);
  }, patience);

  afterAll(async () => {
    if (server?.exitCode === null) server.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }, patience);

  it("publishes by the command in its guide, and only once", async () => {
    const [create = ""] = curl;
    const first = await fetchFromCurl(create);
    expect(first.status).toBe(201);
    expect(await first.json()).toMatchObject({ data: { status: "published" } });
    const second = await fetchFromCurl(create);
    expect(second.status).toBe(200);
    expect(second.headers.get("idempotent-replay")).toBe("true");
  });

  it("leaves the app's own routes their parser", async () => {
    const answer = await fetchFromCurl(curl[1] ?? "");
    expect(await answer.json()).toEqual({ own: "route" });
  });

  it("ends on SIGTERM", async () => {
    const exit = once(server as ChildProcess, "exit");
    server?.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });
});
