/**
 * `npm run demo`: what postrider promises, on your own machine. Needs no
 * account; with credentials in the environment it publishes for real
 * (real.ts says which).
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SocialError } from "postrider";
import { filesStore } from "postrider/media/files";
import { createSandbox, serveSandbox } from "postrider/sandbox";
import { connectSandboxAccounts } from "./accounts.ts";
import { createHurry, type DemoTime, demoClock } from "./clock.ts";
import { fifthAct } from "./fifth-act.ts";
import { firstAct } from "./first-act.ts";
import { fourthAct } from "./fourth-act.ts";
import { hostedFiles } from "./networks.ts";
import { publishForReal } from "./real.ts";
import { blank, headline, marked, say } from "./screen.ts";
import { secondAct } from "./second-act.ts";
import { demoBaseUrl, openService } from "./service.ts";
import { sixthAct } from "./sixth-act.ts";
import { thirdAct } from "./third-act.ts";
import { tapWire } from "./wire.ts";

async function demo(folder: string): Promise<boolean> {
  const startedAt = performance.now();
  const time: DemoTime = [];
  const clock = demoClock(time, 50);
  const hurry = createHurry(time);
  const mediaFolder = join(folder, "media");
  const sandbox = createSandbox({ clock, hosts: [hostedFiles(filesStore(mediaFolder), demoBaseUrl)] });
  const wire = tapWire(sandbox);
  const served = await serveSandbox(wire.http);
  try {
    say(`The networks are simulated, strictly and with a memory, on ${served.url}. Nothing leaves this machine.`);
    const encryptionKey = randomBytes(32).toString("base64");
    const world = {
      database: join(folder, "social.db"),
      mediaFolder,
      sandboxUrl: served.url,
      encryptionKey,
      receiver: `127.0.0.1:${await freePort()}`,
    };
    const social = openService(world, clock, hurry.send);
    const profileIds = await connectSandboxAccounts(social, sandbox);
    const stage = { world, time, clock, hurry, social, sandbox, wire, profileIds };
    const isKept =
      (await firstAct(stage)) &&
      (await secondAct(stage)) &&
      (await thirdAct(stage)) &&
      (await fourthAct(stage)) &&
      (await fifthAct(stage)) &&
      (await sixthAct(stage));
    const words = isKept
      ? "No post twice, no post lost."
      : "That is not what was promised. Please report it, with all of this.";
    headline(marked(isKept, words));
    say(`(${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    return isKept;
  } finally {
    await served.close();
  }
}

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A folder that is gone afterwards, however this process ends. */
function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postrider-demo-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return folder;
}

blank();
headline("postrider");
const folder = makeTemporaryFolder();
try {
  const isGood = (await publishForReal(folder)) ?? (await demo(folder));
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  if (!SocialError.is(error)) throw error;
  console.error([...new Set([error.message, ...error.details.map(({ message }) => message)])].join("\n"));
  process.exitCode = 1;
}
