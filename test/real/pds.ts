import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A real PDS on loopback. */
export interface RealPds {
  url: string;
  /** `fetch` for the service: reaches the PDS, and the local directory in place of plc.directory. */
  http: typeof fetch;
  /** Makes an account and an app password for it. */
  addAccount(name: string): Promise<RealAccount>;
  takeDown(did: string): Promise<void>;
  /** Everything of one collection in an account's repository, oldest first. */
  records(did: string, collection?: string): Promise<RealRecord[]>;
  stop(): Promise<void>;
}

export interface RealAccount {
  did: string;
  handle: string;
  app_password: string;
}

export interface RealRecord {
  uri: string;
  cid: string;
  value: Record<string, unknown>;
}

export async function startPds(): Promise<RealPds> {
  const script = fileURLToPath(new URL("pds.mjs", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { pds, directory } = await nextAnswer<{ pds: string; directory: string }>(answers);
  const call = createCall(pds);
  return {
    url: pds,
    http: (input, init) => fetch(addressOf(input).replace("https://plc.directory", directory), init),
    async addAccount(name) {
      const handle = `${name}.test`;
      const password = `password of ${name}`;
      const { did, accessJwt } = await call("com.atproto.server.createAccount", {
        handle,
        password,
        email: `${name}@example.com`,
      });
      const made = await call("com.atproto.server.createAppPassword", { name: "postrider" }, String(accessJwt));
      return { did: String(did), handle, app_password: String(made.password) };
    },
    async takeDown(did) {
      child.stdin.write(`${JSON.stringify({ takeDown: did })}\n`);
      const { takenDown } = await nextAnswer<{ takenDown: boolean }>(answers);
      if (!takenDown) throw new Error(`The PDS did not take ${did} down.`);
    },
    records: (did, collection = "app.bsky.feed.post") => listRecords(pds, did, collection),
    stop: () => stop(child),
  };
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : String(input);
}

async function nextAnswer<Answer>(answers: AsyncIterator<string>): Promise<Answer> {
  const { done, value } = await answers.next();
  if (done === true) throw new Error("The PDS ended.");
  return value.startsWith("{") ? (JSON.parse(value) as Answer) : nextAnswer(answers);
}

function createCall(pds: string) {
  return async (method: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${pds}/xrpc/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

async function listRecords(pds: string, did: string, collection: string): Promise<RealRecord[]> {
  const address = `${pds}/xrpc/com.atproto.repo.listRecords?repo=${did}&collection=${collection}&limit=100`;
  const { records } = (await (await fetch(address)).json()) as { records: RealRecord[] };
  return records.reverse();
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await ended;
}
