import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/ports/clock.ts";
import { freePort } from "../support/free-port.ts";

const program = "snac";
/**
 * Posts to itself must not leave this machine either, and each such post takes two threads: one
 * delivers to the other.
 */
const ownSettings = {
  protocol: "http",
  num_threads: 24,
  // A busy machine may take long to deliver, seconds; a failed delivery must not wait for minutes.
  queue_timeout: 60,
  queue_timeout_2: 60,
  queue_retry_minutes: 0,
};

/** A real, small server with Mastodon's API: Debian's snac2, on loopback, with its own data folder. */
export interface SnacServer {
  port: number;
  /** Creates an account and gets an access token for it, like an app. */
  addAccount(name: string): Promise<SnacAccount>;
  /** Another access token for the same account. */
  newToken(account: SnacAccount): Promise<string>;
  /** Revokes the token, as the account's owner would. */
  revoke(token: string): void;
  /** All posts of the account, in the server's own files: past the API and past this package. */
  notes(name: string): SnacNote[];
  /** The texts of the account's notifications, each once, in the server's own files. */
  told(name: string): string[];
  /** The author deletes a note, on the server's own pages. */
  deleteNote(author: SnacAccount, id: string): Promise<void>;
  /** The bytes that the server serves for an attachment today. */
  attachedBytes(name: string, attachment: SnacAttachment): Buffer | null;
  stop(): Promise<void>;
}

export interface SnacAccount {
  name: string;
  password: string;
  access_token: string;
}

/** The part of a note that is checked. */
export interface SnacNote {
  /** Also its URL. */
  id: string;
  inReplyTo: string | null;
  /** The sent text, before it was rendered. */
  sourceContent: string;
  attachment: SnacAttachment[];
}

export interface SnacAttachment {
  url: string;
  name: string;
}

/** @returns the reason when it cannot run here, which is printed as well */
export async function startSnac(): Promise<SnacServer | string> {
  if (spawnSync(program, []).error !== undefined) {
    const reason = `There is no ${program} on this machine (apt-get install -t bookworm-backports snac2): no small Mastodon server is tested.`;
    console.warn(reason);
    return reason;
  }
  const scratch = mkdtempSync(join(tmpdir(), "postrider-snac-"));
  const folder = join(scratch, "data");
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  // Address, port, host name, no prefix, the admin's address.
  execFileSync(program, ["init", folder], { input: `127.0.0.1\n${port}\n127.0.0.1:${port}\n\nadmin@example.com\n` });
  const settings = join(folder, "server.json");
  const made = JSON.parse(readFileSync(settings, "utf8")) as object;
  writeFileSync(settings, JSON.stringify({ ...made, ...ownSettings }));
  // A mention of a user elsewhere would make it ask that server: nothing listens at this proxy.
  const nowhere = "http://127.0.0.1:9";
  const env = { ...process.env, http_proxy: nowhere, https_proxy: nowhere, ALL_PROXY: nowhere, no_proxy: "127.0.0.1" };
  const server = spawn(program, ["httpd", folder], { stdio: "ignore", env });
  while (!(await accepts(port, server))) await systemClock.sleep(20);

  return {
    port,
    async addAccount(name) {
      const printed = String(execFileSync(program, ["adduser", folder, name], { input: "\n" }));
      const password = /^User password is (\S+)$/m.exec(printed)?.[1] ?? "";
      return { name, password, access_token: await logIn(port, { login: name, passwd: password }) };
    },
    newToken: ({ name, password }) => logIn(port, { login: name, passwd: password }),
    revoke: (token) => rmSync(join(folder, "token", `${token}.json`)),
    notes(name) {
      const own = join(folder, "user", name, "private");
      if (!existsSync(own)) return [];
      const files = readdirSync(own).filter((file) => file.endsWith(".json"));
      const notes = files.map((file) => JSON.parse(readFileSync(join(own, file), "utf8")) as RawNote);
      return notes
        .filter(({ type, attributedTo }) => type === "Note" && attributedTo === `${base}/${name}`)
        .map(toNote);
    },
    told(name) {
      const told = join(folder, "user", name, "notify");
      if (!existsSync(told)) return [];
      const files = readdirSync(told).filter((file) => file.endsWith(".json"));
      const texts = files.map((file) => sourceIn(readFileSync(join(told, file), "utf8")));
      return [...new Set(texts)].filter((text) => text !== null);
    },
    async deleteNote({ name, password }, id) {
      const login = Buffer.from(`${name}:${password}`).toString("base64");
      const headers = { authorization: `Basic ${login}`, "content-type": "application/x-www-form-urlencoded" };
      const fields = new URLSearchParams({ id, actor: `${base}/${name}`, action: "Delete", redir: "" });
      const asked = { method: "POST", path: `/${name}/admin/action`, headers };
      const { status } = await askSnac(port, asked, Buffer.from(String(fields)));
      if (status !== 303) throw new Error(`${id} was not deleted: ${status}`);
    },
    attachedBytes(name, { url }) {
      const file = join(folder, "user", name, "static", url.slice(url.lastIndexOf("/") + 1));
      return existsSync(file) ? readFileSync(file) : null;
    },
    async stop() {
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** The text of a user's post from a file; null: the file is about something else, or is being written. */
function sourceIn(file: string): string | null {
  return /"sourceContent": "([^"]*)"/.exec(file)?.[1] ?? null;
}

interface RawNote {
  type: string;
  id: string;
  attributedTo: string;
  inReplyTo?: string | null;
  sourceContent?: string;
  attachment?: SnacAttachment[];
}

function toNote({ id, inReplyTo, sourceContent, attachment }: RawNote): SnacNote {
  return { id, inReplyTo: inReplyTo ?? null, sourceContent: sourceContent ?? "", attachment: attachment ?? [] };
}

/** The steps of an app: it registers, its user signs in, it exchanges the code. */
async function logIn(port: number, user: { login: string; passwd: string }): Promise<string> {
  const redirect = "http://127.0.0.1:9/callback";
  const registration = { client_name: "postrider", redirect_uris: redirect, scopes: "read write" };
  const { client_id, client_secret } = JSON.parse((await postForm(port, "/api/v1/apps", registration)).text);
  const login = { ...user, redir: redirect, cid: client_id, state: "here" };
  const { location } = await postForm(port, "/oauth/x-snac-login", login);
  const code = new URL(location).searchParams.get("code") ?? "";
  const grant = { grant_type: "authorization_code", code, client_id, client_secret, redirect_uri: redirect };
  return JSON.parse((await postForm(port, "/oauth/token", grant)).text).access_token;
}

async function postForm(
  port: number,
  path: string,
  fields: Record<string, string>,
): Promise<{ location: string; text: string }> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await askSnac(
    port,
    { method: "POST", path, headers },
    Buffer.from(String(new URLSearchParams(fields))),
  );
  return { location: String(answer.headers.location), text: String(answer.body) };
}

export interface SnacAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One request on a separate connection: the server closes each without notice. */
export async function askSnac(
  port: number,
  { method, path, headers }: { method: string; path: string; headers: OutgoingHttpHeaders },
  body: Uint8Array,
): Promise<SnacAnswer> {
  const length = body.length === 0 ? {} : { "content-length": body.length };
  const options = { host: "127.0.0.1", port, method, path, agent: false as const };
  const outgoing = request({ ...options, headers: { ...headers, ...length, connection: "close" } });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await readAll(answer) };
}

export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function accepts(port: number, server: ChildProcess): Promise<boolean> {
  if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}.`);
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
