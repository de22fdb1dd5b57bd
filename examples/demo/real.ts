import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { type ConnectProfile, createSocialService } from "postrider";
import { sqliteStorage } from "postrider/storage/sqlite";
import { scenes } from "./networks.ts";
import { drawPicture, pictureAlt } from "./picture.ts";
import { showOutcome } from "./report.ts";
import { headline, say } from "./screen.ts";

const text = "A test post from postrider: if all is well, it is here exactly once.";

/**
 * Publishes one post on the networks whose credentials are in the environment,
 * after asking. True: it is everywhere. Null: there are no credentials, nobody
 * can be asked, or the answer was no.
 */
export async function publishForReal(folder: string): Promise<boolean | null> {
  const accounts = accountsIn(process.env);
  if (accounts.length === 0) return null;
  const names = accounts.map(({ network }) => network).join(", ");
  if (!process.stdin.isTTY) {
    say(
      `There are credentials for ${names}, but nobody to ask (the input is no terminal): nothing is published there.`,
    );
    return null;
  }
  if (!(await isConfirmed(`Publish for real on ${names}: "${text}", with a picture?`))) return null;
  headline(`One post on ${names}, for real`);

  const { host, close } = await servePicture();
  const social = createSocialService({
    storage: sqliteStorage(join(folder, "real.db")),
    networks: scenes.map(({ adapter }) => adapter()),
    encryptionKey: randomBytes(32).toString("base64"),
    allowedHosts: [host],
    // This process has nothing else to do, and nobody goes on with its work.
    publishWaitMs: 10 * 60_000,
  });
  try {
    const profiles = await Promise.all(accounts.map((account) => social.profiles.connect(account)));
    const post = await social.posts.create({
      profile_ids: profiles.map(({ id }) => id),
      text,
      media: [{ url: `http://${host}/hills.png`, alt: pictureAlt }],
      idempotency_key: randomUUID(),
    });
    showOutcome(post);
    return post.status === "published";
  } finally {
    close();
  }
}

/** What `profiles.connect` takes, for each network whose variables are set. */
function accountsIn(environment: NodeJS.ProcessEnv): ConnectProfile[] {
  return scenes.flatMap(({ realAccount }) => realAccount?.(environment) ?? []);
}

async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once("SIGINT", () => process.exit(130));
  // Ctrl-D is no answer.
  const answer = await terminal.question(`  ${question} [y/N] `).catch(() => "no");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** The picture needs an address. One on this machine will do, where `allowedHosts` names it. */
async function servePicture(): Promise<{ host: string; close(): void }> {
  const picture = drawPicture();
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": picture.length }).end(picture);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
