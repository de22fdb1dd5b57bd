import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../src/ports/clock.ts";

/** A real PDS on loopback. */
export interface RealPds {
  url: string;
  /** `fetch` for the service: reaches the PDS, and the local directory in place of plc.directory. */
  http: typeof fetch;
  /** Creates an account and an app password for it; a privileged one may use messages. */
  addAccount(name: string, options?: { privileged: boolean }): Promise<RealAccount>;
  /** Posts in another app; a reply waits until its parent is shown there. */
  post(account: RealAccount, post: object): Promise<{ uri: string; cid: string }>;
  /** Posts many times concurrently, in an app that gives several the same time. */
  postAll(account: RealAccount, posts: readonly object[]): Promise<void>;
  /** Deletes a post in another app. */
  removePost(account: RealAccount, uri: string): Promise<void>;
  takeDown(did: string): Promise<void>;
  /** Reverses a takedown. */
  restore(did: string): Promise<void>;
  /** Moves the server's time ahead. */
  advance(ms: number): Promise<void>;
  /** Writes a record unchanged. Returns the server's reason for a refusal; null: accepted. */
  refusalOf(account: RealAccount, post: object): Promise<string | null>;
  /** Uses up an account's hourly write limit, by requests that write nothing. */
  useUpWrites(account: RealAccount): Promise<void>;
  /** All records of one collection in an account's repository, by their own time, then by key. */
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

/** The user's input on the server's own pages. */
export function passwordOf(name: string): string {
  return `password of ${name}`;
}

/** The settings that dev-env passes to the PDS. */
export interface PdsConfiguration {
  rateLimitsEnabled?: boolean;
  /** Bytes. @default 5 MiB */
  blobUploadLimit?: number;
}

/** The stores for the views of the rest of Bluesky's network. */
export interface ViewStores {
  postgres: string;
  redis: string;
}

/** @param stores for a whole network, not just the server of accounts */
export async function startPds(configuration: PdsConfiguration = {}, stores?: ViewStores): Promise<RealPds> {
  const script = fileURLToPath(new URL("pds.mjs", import.meta.url));
  const words = [script, JSON.stringify(configuration), ...(stores === undefined ? [] : ["network"])];
  const views = stores === undefined ? {} : { DB_POSTGRES_URL: stores.postgres, REDIS_HOST: stores.redis };
  const child = spawn(process.execPath, words, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...views },
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { pds, directory } = await nextAnswer<{ pds: string; directory: string }>(answers);
  const call = createCall(pds);

  async function command(words: object): Promise<void> {
    child.stdin.write(`${JSON.stringify(words)}\n`);
    await nextAnswer(answers);
  }

  async function login({ handle, app_password }: RealAccount): Promise<string> {
    const session = await call("com.atproto.server.createSession", { identifier: handle, password: app_password });
    return String(session.accessJwt);
  }

  async function isShown(uri: string, token: string): Promise<boolean> {
    const address = `${pds}/xrpc/app.bsky.feed.getPosts?uris=${encodeURIComponent(uri)}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    return ((await answer.json()) as { posts: unknown[] }).posts.length > 0;
  }

  return {
    url: pds,
    http: (input, init) => fetch(addressOf(input).replace("https://plc.directory", directory), init),
    async addAccount(name, { privileged } = { privileged: false }) {
      const handle = `${name}.test`;
      const password = passwordOf(name);
      const { did, accessJwt } = await call("com.atproto.server.createAccount", {
        handle,
        password,
        email: `${name}@example.com`,
      });
      const made = await call(
        "com.atproto.server.createAppPassword",
        { name: "postrider", privileged },
        String(accessJwt),
      );
      return { did: String(did), handle, app_password: String(made.password) };
    },
    async post(account, post) {
      const token = await login(account);
      const answered = (post as { reply?: { parent?: { uri?: string } } }).reply?.parent?.uri;
      // A post that is not shown yet cannot get a reply.
      while (answered !== undefined && !(await isShown(answered, token))) await systemClock.sleep(100);
      const record = { $type: postCollection, createdAt: new Date().toISOString(), ...post };
      const body = { repo: account.did, collection: postCollection, record };
      const { uri, cid } = await call("com.atproto.repo.createRecord", body, token);
      return { uri: String(uri), cid: String(cid) };
    },
    async postAll(account, posts) {
      const startedAt = Date.now();
      const token = await login(account);
      for (let from = 0; from < posts.length; from += writesAtOnce) {
        const momentOf = (index: number) => new Date(startedAt + Math.floor(index / ofOneMoment)).toISOString();
        const writes = posts.slice(from, from + writesAtOnce).map((post, index) => ({
          $type: "com.atproto.repo.applyWrites#create",
          collection: postCollection,
          value: { $type: postCollection, createdAt: momentOf(from + index), ...post },
        }));
        await call("com.atproto.repo.applyWrites", { repo: account.did, writes }, token);
      }
    },
    async removePost(account, uri) {
      const rkey = uri.slice(uri.lastIndexOf("/") + 1);
      const body = { repo: account.did, collection: postCollection, rkey };
      await call("com.atproto.repo.deleteRecord", body, await login(account));
    },
    takeDown: (did) => command({ takeDown: did }),
    restore: (did) => command({ restore: did }),
    advance: (ms) => command({ advanceMs: ms }),
    async refusalOf(account, post) {
      const token = await login(account);
      const record = { $type: "app.bsky.feed.post", createdAt: "2026-11-21T12:00:00Z", ...post };
      const body = { repo: account.did, collection: "app.bsky.feed.post", record };
      return call("com.atproto.repo.createRecord", body, token).then(() => null, String);
    },
    async useUpWrites(account) {
      const token = await login(account);
      const write = { $type: "com.atproto.repo.applyWrites#create", collection: "app.bsky.feed.post", value: {} };
      const body = {
        repo: account.did,
        writes: Array.from({ length: Math.ceil(pointsInHour / pointsOfCreate / 2) + 1 }, () => write),
      };
      // Points are counted before the server sees that these are more writes than it accepts in one request.
      for (const refusal of ["Too many writes", "429"]) {
        const error = await call("com.atproto.repo.applyWrites", body, token).catch(String);
        if (!String(error).includes(refusal)) throw new Error(`Not ${refusal}, but ${JSON.stringify(error)}`);
      }
    },
    records: (did, collection = "app.bsky.feed.post") => listRecords(pds, did, collection),
    stop: () => stop(child),
  };
}

const postCollection = "app.bsky.feed.post";
/** https://github.com/bluesky-social/atproto/blob/main/lexicons/com/atproto/repo/applyWrites.json (2026-08) */
const writesAtOnce = 200;
/** More than a page of a list that a service reads. */
const ofOneMoment = 30;

/**
 * `repo-write-hour` and the points of a create:
 * https://github.com/bluesky-social/atproto/blob/main/packages/pds/src/index.ts (2026-11)
 */
const pointsInHour = 5000;
const pointsOfCreate = 3;

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
  return records.reverse().sort((a, b) => createdMs(a) - createdMs(b));
}

// The keys of two posts of one second have no order: a part of each is chosen by its target's id.
function createdMs({ value }: RealRecord): number {
  return Date.parse(String(value.createdAt));
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await ended;
}
