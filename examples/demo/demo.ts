/**
 * `npm run demo`: what postrider promises, on your own machine. Needs no
 * account; with credentials in the environment it publishes for real
 * (real.ts says which).
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SocialError } from "postrider";
import { createSandbox, serveSandbox } from "postrider/sandbox";
import { connectSandboxAccounts } from "./accounts.ts";
import { demoClock, type DemoTime } from "./clock.ts";
import { firstAct } from "./first-act.ts";
import { publishForReal } from "./real.ts";
import { headline, say } from "./screen.ts";
import { secondAct } from "./second-act.ts";
import { openService } from "./service.ts";
import { tapWire } from "./wire.ts";

async function demo(folder: string): Promise<boolean> {
  const time: DemoTime = { fastFrom: null, speed: Number(process.env.POSTRIDER_DEMO_SPEED ?? 20) };
  const clock = demoClock(time);
  const sandbox = createSandbox({ clock });
  const wire = tapWire(sandbox);
  const served = await serveSandbox(wire.http);
  const world = {
    database: join(folder, "social.db"),
    sandboxUrl: served.url,
    encryptionKey: randomBytes(32).toString("base64"),
  };
  const social = openService(world, clock);
  say(`The networks are simulated, strictly and with a memory, on ${served.url}. Nothing leaves this machine.`);
  const profileIds = await connectSandboxAccounts(social, sandbox);

  const stage = { world, time, social, sandbox, wire, profileIds };
  const isEverywhere = await firstAct(stage);
  const isExactlyOnce = await secondAct(stage);
  await served.close();
  return isEverywhere && isExactlyOnce;
}

/** Runs `work` with a folder that is gone afterwards, however this process ends. */
async function inTemporaryFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-demo-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return work(folder);
}

async function main(): Promise<void> {
  headline("postrider: no post twice, no post lost");
  const startedAt = performance.now();
  const isGood = await inTemporaryFolder(async (folder) => (await publishForReal(folder)) ?? (await demo(folder)));
  headline(isGood ? "No post twice, no post lost." : "This is not as promised. Please report it, with the output above.");
  say(`(${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  process.exitCode = isGood ? 0 : 1;
}

await main().catch((error: unknown) => {
  if (!SocialError.is(error)) throw error;
  console.error([error.message, ...error.details.map(({ message }) => `  ${message}`)].join("\n"));
  process.exitCode = 1;
});
