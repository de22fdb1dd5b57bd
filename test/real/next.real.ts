import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchFromCurl, linesOf } from "../support/curl.ts";
import { pack } from "../support/pack.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const patience = 600_000;
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

/** The example in a separate folder, with the package as published. */
describe("the example for Next.js", () => {
  let folder = "";
  let app = "";
  let next = "";
  /** The output of the build. */
  let built = "";
  let server: RunningServer | undefined;
  let url = "";
  let curl: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "postrider-next-"));
    app = join(folder, "app");
    const isOurs = (path: string): boolean => !["node_modules", ".next"].includes(basename(path));
    await cp(join(root, "examples/next"), app, { recursive: true, filter: isOurs });
    const manifest = JSON.parse(await readFile(join(app, "package.json"), "utf8"));
    manifest.dependencies.postrider = `file:${await pack(folder)}`;
    await writeFile(join(app, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: app, env });
    next = join(app, "node_modules/next/dist/bin/next");
    built = (await run(process.execPath, [next, "build"], { cwd: app, env })).stdout;
    server = serve("start");
    url = await server.said(/http:\/\/127\.0\.0\.1:\d+/);
    // No request has come yet.
    await server.said(/The service has started/);
    curl = linesOf(unescaped(await (await fetch(url)).text()));
  }, patience);

  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }, patience);

  const serve = (command: "start" | "dev"): RunningServer =>
    watchServer(
      spawn(process.execPath, [next, command, "--port", "0", "--hostname", "127.0.0.1"], {
        cwd: app,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );

  it("starts no worker while it is built", () => {
    expect(built).toContain("Compiled");
    expect(built).not.toContain("The service has started");
  });

  it("starts once when a server starts, before the first request, and not again with any", async () => {
    await fetch(url);
    await fetch(`${url}/social/v1/posts`);
    expect(server?.output().match(/The service has started/g)).toHaveLength(1);
  });

  it(
    "starts once under development, whatever is changed and reloaded",
    async () => {
      const developed = serve("dev");
      try {
        const address = await developed.said(/http:\/\/127\.0\.0\.1:\d+/);
        await developed.said(/The service has started/);
        const page = async () => (await (await fetch(address)).text()).includes("prof_");
        expect(await page()).toBe(true);
        for (const file of ["lib/social.ts", "app/page.tsx", "instrumentation.ts"]) {
          await appendFile(join(app, file), "\n// Changed.\n");
          expect(await page()).toBe(true);
        }
        expect((await fetch(`${address}/social/v1/posts`)).status).toBe(401);
        expect(developed.output().match(/The service has started/g)).toHaveLength(1);
      } finally {
        await developed.stop();
      }
    },
    patience,
  );

  it("publishes by the command on its page, and only once", async () => {
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
  ])("answers $method with $status, like the handler", async ({ method, status, allow }) => {
    const answer = await fetch(`${url}/social/v1/posts`, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("allow")).toBe(allow);
    expect(await answer.text()).toMatch(method === "HEAD" ? /^$/ : /^\{"error":\{"code":/);
  });

  it("serves the OpenAPI document with its own URL", async () => {
    const answer = await fetch(`${url}/social/v1/openapi.json`);
    expect(await answer.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/social" }] });
  });
});

interface RunningServer {
  /** Resolves with the output as soon as it contains the words. */
  said(words: RegExp): Promise<string>;
  output(): string;
  stop(): Promise<void>;
}

function watchServer(child: ChildProcess): RunningServer {
  let output = "";
  child.stdout?.on("data", (piece: Buffer) => {
    output += piece;
  });
  return {
    async said(words) {
      for (;;) {
        const [found] = words.exec(output) ?? [];
        if (found !== undefined) return found;
        if (child.exitCode !== null) throw new Error(`Next.js ended: ${output}`);
        await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit")]);
      }
    },
    output: () => output,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}

/** A page's text as a reader sees it. */
function unescaped(html: string): string {
  return html.replaceAll("&#x27;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
