import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign } from "../../src/signature/node.ts";

let folder = "";
/** Bundled like an application, and in a form that a script can run. */
let asModule = "";
let asScript = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postrider-webhook-"));
  asModule = await bundle("esm");
  asScript = await bundle("iife");
}, 60_000);

async function bundle(format: "esm" | "iife"): Promise<string> {
  const entry = { [format]: fileURLToPath(new URL("../../src/signature/index.ts", import.meta.url)) };
  const shape = { format, globalName: "webhook", platform: "browser", target: "es2022", minify: true } as const;
  const outExtension = (): { js: string } => ({ js: ".js" });
  await build({ entry, ...shape, outDir: folder, silent: true, config: false, dts: false, outExtension });
  return readFile(join(folder, `${format}.js`), "utf8");
}

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the verifier, bundled for a browser", () => {
  it("has at most 1.2 kilobytes, compressed", () => {
    expect(gzipSync(asModule).length).toBeLessThanOrEqual(1_200);
  });

  it("imports nothing from Node", () => {
    expect(asModule).not.toMatch(/node:|require\(|process\b|\bBuffer\b/);
  });

  it("works with the APIs of an edge platform only", async () => {
    const body = '{"id":"dlv_1","text":"Grüße 🎉"}';
    const header = await sign(body, { secret: "whsec_1", timestamp: 1_000 });
    const globals = { crypto, TextEncoder, TextDecoder, Uint8Array, body, header };
    const context = createContext(globals);
    runInContext(asScript, context);
    const verify = 'webhook.verify(body, header, { secret: "whsec_1", now: 1_000 })';
    expect(await runInContext(`${verify}.then(JSON.stringify)`, context)).toBe(JSON.stringify(JSON.parse(body)));
  });
});
