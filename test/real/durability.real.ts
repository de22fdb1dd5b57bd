import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { type ServedSandbox, serveSandbox } from "../../src/sandbox/serve.ts";
import { testKey } from "../support/service.ts";
import { type SystemCall, traceProgram, whyNoTrace } from "./trace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const errandRunner = fileURLToPath(new URL("./publish-once.ts", import.meta.url));
const text = "what nobody may send before it is on the disk";
const obstacle = whyNoTrace();

let folder: string;
let sandbox: Sandbox;
let served: ServedSandbox;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "postrider-durability-")));
  sandbox = createSandbox();
  served = await serveSandbox(sandbox.http);
});

afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(obstacle !== null)(`a power loss${obstacle === null ? "" : ` (skipped: ${obstacle})`}`, () => {
  it("leaves the intent on the disk, whenever the first byte of the post has left", async () => {
    const { calls, intent, request } = await publishTraced("FULL");
    expect(isOnDisk(calls, intent, request)).toBe(true);
    expect(logWrites(calls, request).filter((write) => !isOnDisk(calls, write, request))).toEqual([]);
    expect(sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("leaves the files of a new database in their folder, too", async () => {
    const { calls, request } = await publishTraced("FULL");
    const [firstWrite] = logWrites(calls, request);
    expect(isSynced(calls, { file: folder, after: firstWrite, before: request })).toBe(true);
  });

  it("would lose the intent with synchronous = NORMAL: the check detects it", async () => {
    const { calls, intent, request } = await publishTraced("NORMAL");
    expect(isOnDisk(calls, intent, request)).toBe(false);
    expect(sandbox.bluesky.posts()).toHaveLength(1);
  });
});

interface Observed {
  calls: SystemCall[];
  /** The write of the intent's page to SQLite's log. */
  intent: SystemCall;
  /** The send of the first bytes of the request that makes the post public. */
  request: SystemCall;
}

async function publishTraced(synchronous: "FULL" | "NORMAL"): Promise<Observed> {
  const account = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
  const errand = {
    database: join(folder, "social.db"),
    sandboxUrl: served.url,
    encryptionKey: testKey,
    identifier: account.handle,
    app_password: account.password,
    text,
    synchronous,
  };
  const program = ["--import", "tsx", errandRunner, JSON.stringify(errand)];
  const calls = await traceProgram(program, { cwd: root, file: join(folder, "trace") });
  const request = calls.find((call) => call.file.startsWith("TCP:") && call.text.includes("applyWrites"));
  if (request === undefined) throw new Error("No request for the post was seen.");
  const intent = logWrites(calls, request).find((call) => call.text.includes(text) && call.text.includes("send_by"));
  if (intent === undefined) throw new Error("No intent was written before the request.");
  return { calls, intent, request };
}

function logWrites(calls: readonly SystemCall[], before: SystemCall): SystemCall[] {
  return calls.filter(
    (call) => call.file.endsWith("-wal") && call.name.startsWith("pwrite") && call.began < before.began,
  );
}

function isOnDisk(calls: readonly SystemCall[], write: SystemCall, before: SystemCall): boolean {
  return isSynced(calls, { file: write.file, after: write, before });
}

/** A sync that began after the one call had returned, and itself returned, without error, before the other began. */
function isSynced(
  calls: readonly SystemCall[],
  { file, after, before }: { file: string; after: SystemCall | undefined; before: SystemCall },
): boolean {
  const returned = after?.returned ?? Number.POSITIVE_INFINITY;
  return calls.some(
    (call) =>
      (call.name === "fsync" || call.name === "fdatasync") &&
      call.file === file &&
      call.began > returned &&
      call.returned < before.began &&
      !call.failed,
  );
}
