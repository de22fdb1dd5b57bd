import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { demoClock } from "../../examples/demo/clock.ts";
import type { MessageRow } from "../../src/inbox/rows.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { serveSandbox } from "../../src/sandbox/serve.ts";
import { sandboxApp } from "../../src/sandbox/twitch/logins.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { seededRandom } from "../prove/random.ts";
import { freePort } from "../support/free-port.ts";
import type { HookHost } from "./hook-host.ts";

const kills = 8;
/** Twitch repeats events after minutes; the test runs so many times faster. */
const speed = 20;
const seed = Number(process.env.POSTRIDER_SEED ?? Date.now() % 100_000);

/** How long the test waits for a request during which the process is killed, milliseconds. */
const ambushMaxMs = 2_000;
/** While no process listens, users write this much more slowly: on a busy machine a start takes long. */
const slowerWhileDown = 10;

let host: ChildProcess | null = null;
let isListening = false;
let folder = "";

afterEach(() => {
  host?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function start(given: HookHost): Promise<void> {
  const script = fileURLToPath(new URL("hook-host.ts", import.meta.url));
  const env = { ...process.env, POSTRIDER_HOST: JSON.stringify(given) };
  const child = fork(script, { env, execArgv: ["--import", "tsx"] });
  host = child;
  const [word] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (word !== "ready") throw new Error(`The host ended with ${word} (seed ${seed}).`);
  isListening = true;
}

async function kill(): Promise<void> {
  isListening = false;
  if (host === null || host.exitCode !== null || host.signalCode !== null) return;
  const ended = once(host, "exit");
  host.kill("SIGKILL");
  await ended;
}

it("an event answered with 200 is stored once, whenever the process is killed", { timeout: 300_000 }, async () => {
  const random = seededRandom(seed);
  folder = mkdtempSync(join(tmpdir(), "postrider-hooks-"));
  const time = [{ from: Date.now(), speed }];
  const clock = demoClock(time);
  const sandbox = createSandbox({ clock, seed });
  const served = await serveSandbox(sandbox.http);
  const { external_id: fox, ...credentials } = sandbox.twitch.addChannel("fox");
  const ann = sandbox.twitch.addViewer("ann");
  const { client_id, client_secret } = sandboxApp;
  const port = await freePort();
  const database = join(folder, "inbox.db");
  const given = { port, database, time, sandbox: served.url, app: { client_id, client_secret }, credentials };

  /** The texts of lines whose event was answered with 200. */
  const taken = new Set<string>();
  let ambushMs: number | null = null;
  sandbox.twitch.sendHooksTo(async (request) => {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    if (ambushMs !== null) void wait(ambushMs).then(() => host?.kill("SIGKILL"));
    ambushMs = null;
    const { method, headers } = request;
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}`, { method, headers, body });
    const text = /line \d+ /.exec(body)?.[0];
    if (answer.status === 200 && text !== undefined) taken.add(text);
    return answer;
  });
  await start(given);
  while (sandbox.twitch.sentOf(fox).length === 0) await wait(50);
  sandbox.twitch.changeHooks({ times: 2, repeatsUnderNewIds: true });

  let written = 0;
  let isOver = false;
  const people = (async () => {
    for (; !isOver; written++) {
      sandbox.twitch.lineAs(ann, fox, { text: `@fox line ${written} ` });
      await wait(random.between(1, 120) * (isListening ? 1 : slowerWhileDown));
    }
  })();
  for (let count = 0; count < kills; count++) {
    await wait(random.between(20, 500));
    // While a request is being handled, or at any moment.
    if (random.next() < 0.7) ambushMs = random.between(0, 12);
    const until = performance.now() + ambushMaxMs;
    while (ambushMs !== null && performance.now() < until) await wait(5);
    ambushMs = null;
    await wait(20);
    await kill();
    await start(given);
  }
  isOver = true;
  await people;
  // Until lost events were repeated, or abandoned.
  await wait((400 * 1_000) / speed);
  await kill();
  await served.close();

  const { rows } = await sqliteStorage(database, { clock }).find("messages", { where: {}, isCounted: false });
  const texts = rows.map((row) => /line \d+ ?/.exec(fromRow<MessageRow>(row).text ?? "")?.[0].trim());
  const counts = new Map<string | undefined, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  expect([...taken].filter((text) => !counts.has(text.trim()))).toEqual([]);
  expect({ isMuch: taken.size > written / 4, seed }).toEqual({ isMuch: true, seed });
});
