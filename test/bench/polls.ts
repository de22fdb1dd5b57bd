/**
 * What it costs to look at inboxes in which nothing is new: each claimed, read over HTTP and given back, against the
 * bare requests. In CPU time of this process; the network is another process on this machine.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { InboxRow } from "../../src/inbox/rows.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { fromRow, toChange } from "../../src/storage/typed.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { BenchOptions } from "./arguments.ts";
import { importBuilt } from "./built.ts";
import { cpuMs } from "./measure.ts";
import { type BenchResult, ratioOf } from "./result.ts";

const goal = 0.4;
const profiles = 100;
/** Of Bluesky: what people write, what the owner wrote elsewhere, and messages. */
const paths = ["app.bsky.notification.listNotifications", "app.bsky.feed.getAuthorFeed", "chat.bsky.convo.getLog"];

export async function benchPolls({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const built = await importBuilt();
  const server = fork(fileURLToPath(new URL("polls-server.ts", import.meta.url)));
  const [port] = (await once(server, "message")) as [number];
  const sandbox = built.createSandbox({ clock: systemClock });
  const storage = built.memoryStorage();
  let requests = 0;
  let isLocal = false;
  /** The simulated network, until all are connected. */
  const http = (async (input: Request | URL | string, init?: RequestInit) => {
    if (!isLocal) return sandbox.http(input, init);
    requests += 1;
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = input instanceof Request ? input.headers : init?.headers;
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { ...(headers && { headers }) });
  }) as typeof fetch;
  const social = built.createSocialService({
    storage,
    http,
    untrustedHttp: http,
    encryptionKey: testKey,
    logger: silentLogger,
    networks: [built.bluesky({ scopes: ["publish", "inbox"] })],
  });
  try {
    for (let number = 0; number < profiles; number++) {
      const scope = "com.atproto.appPassPrivileged";
      const { handle, password } = sandbox.bluesky.addAccount({ handle: `a${number}.sandbox.example`, scope });
      await social.profiles.connect({
        network: "bluesky",
        credentials: { identifier: handle, app_password: password },
      });
    }
    await social.runDue();
    isLocal = true;
    const inboxes = (await storage.find("inboxes", { where: {} })).rows.map((row) => fromRow<InboxRow>(row));
    const first = inboxes[0];
    if (first === undefined) throw new Error("No inbox was made.");
    const headers = { authorization: "Bearer a-token", accept: "application/json" };
    const one = async (path: string): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}/xrpc/${path}?limit=25`, { headers });
      JSON.parse(await response.text());
    };
    const makeDue = async (): Promise<void> => {
      const found = await storage.find("inboxes", { where: {} });
      requests = 0;
      await storage.write(found.rows.map((row) => ({ ...dueNow(fromRow(row)), where: {} })));
    };
    const pair = {
      async ours() {
        await social.runDue();
        if (requests !== profiles * paths.length) throw new Error(`There were ${requests} requests.`);
      },
      async floor() {
        for (let number = 0; number < profiles; number++) for (const path of paths) await one(path);
      },
      calls: 10,
      warmUp: 3,
      prepare: [makeDue, async () => {}] as const,
    };
    return [await ratioOf(`${profiles} inboxes with nothing new, looked at`, pair, { goal, pairs, now: cpuMs })];
  } finally {
    server.kill();
  }
}

function dueNow({ id, private: state }: InboxRow) {
  const sources = Object.entries(state.sources).map(([name, source]) => [name, { ...source, due_at: 0 }]);
  const change = toChange({ due_at: 0, private: { ...state, sources: Object.fromEntries(sources) } });
  return { kind: "update", collection: "inboxes", id, change } as const;
}
