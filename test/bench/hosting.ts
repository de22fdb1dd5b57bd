/** Uploads and downloads of a video through the handler, against a bare pipeline to the disk and from it, and the memory that a gigabyte takes. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { fixture } from "../media/fixtures.ts";
import { ftyp, join as joined, text, uint } from "../media/samples.ts";
import type { BenchOptions } from "./arguments.ts";
import { builtUrl } from "./built.ts";
import { type BenchResult, ratioOf } from "./result.ts";

const goal = 0.7;
const videoBytes = 200_000_000;
const longVideoBytes = 1_000_000_000;
/** Enough that all code has run once. */
const smallVideoBytes = 1_000_000;
const maxMoreBytes = 64_000_000;
const pieceBytes = 256 * 1024;

interface Servers {
  child: ChildProcess;
  ours: number;
  floor: number;
  key: string;
}

export async function benchHosting({ pairs }: BenchOptions): Promise<BenchResult[]> {
  const speeds = await withServers((servers) => speedsOf(servers, pairs));
  return [...speeds, await withServers(memoryOf)];
}

/** In a process of their own, which has done nothing yet. */
async function withServers<Value>(work: (servers: Servers) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-"));
  const servers = await startServers(folder);
  try {
    return await work(servers);
  } finally {
    servers.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function speedsOf(servers: Servers, pairs: number): Promise<BenchResult[]> {
  const upload = await ratioOf(
    "upload of 200 MB through the handler, against a pipeline to the disk",
    {
      ours: async () => deleteFile(servers, await uploadTo(servers, videoBytes)),
      floor: async () => void (await send(servers.floor, { method: "POST" }, videoBytes)),
      calls: 1,
      warmUp: 2,
    },
    { goal, pairs },
  );
  const path = await uploadTo(servers, videoBytes);
  const download = await ratioOf(
    "download of 200 MB through the handler, against http and createReadStream",
    {
      ours: async () => void (await receive(servers.ours, path)),
      floor: async () => void (await receive(servers.floor, "/")),
      calls: 2,
      warmUp: 2,
    },
    { goal, pairs },
  );
  return [upload, download];
}

async function startServers(folder: string): Promise<Servers> {
  const path = fileURLToPath(new URL("hosting-process.ts", import.meta.url));
  const modules = ["index", "http", "http/node", "storage/memory", "media/files"].map(builtUrl);
  const child = fork(path, [folder, ...modules], { execArgv: [...process.execArgv, "--expose-gc"] });
  const [told] = (await once(child, "message")) as [Omit<Servers, "child">];
  return { child, ...told };
}

/** A gigabyte in and out: how much more memory the server has at any moment than before. */
async function memoryOf(servers: Servers): Promise<BenchResult> {
  await deleteFile(servers, await uploadTo(servers, smallVideoBytes));
  const before = await askMemory(servers);
  const path = await uploadTo(servers, longVideoBytes);
  const received = await receive(servers.ours, path);
  if (received !== longVideoBytes) throw new Error(`${received} bytes came back.`);
  const after = await askMemory(servers);
  const more = after.most - before.now;
  return {
    name: "memory (RSS) while 1 GB goes in and out, over before",
    ours: megabytes(after.most),
    floor: megabytes(before.now),
    reached: megabytes(more),
    goal: `≤${megabytes(maxMoreBytes)}`,
    isMet: more <= maxMoreBytes,
    raw: { before, after },
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function askMemory({ child }: Servers): Promise<{ most: number; now: number }> {
  child.send("memory");
  const [told] = (await once(child, "message")) as [{ most: number; now: number }];
  return told;
}

/** A video whose index an encoder made, and whose pictures are nothing. */
function video(bytes: number): Readable {
  const small = fixture("index-last.mp4");
  const moov = small.subarray(Buffer.from(small).lastIndexOf("moov") - 4);
  const dataBytes = bytes - moov.length - ftyp("isom", "isom").length;
  const head = joined(ftyp("isom", "isom"), moov, uint(dataBytes, 4), text("mdat"));
  const piece = Buffer.alloc(pieceBytes);
  return Readable.from(
    (function* () {
      yield Buffer.from(head);
      for (let left = bytes - head.length; left > 0; left -= pieceBytes) yield piece.subarray(0, left);
    })(),
  );
}

/** @returns the path of the file */
async function uploadTo({ ours, key }: Servers, bytes: number): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "video/mp4" };
  const answer = await send(ours, { method: "POST", path: "/v1/media", headers }, bytes);
  return new URL((JSON.parse(answer) as { data: { url: string } }).data.url).pathname;
}

async function deleteFile({ ours, key }: Servers, path: string): Promise<void> {
  const url = encodeURIComponent(`http://localhost${path}`);
  const headers = { authorization: `Bearer ${key}` };
  await send(ours, { method: "DELETE", path: `/v1/media?url=${url}`, headers }, 0);
}

async function send(port: number, { headers = {}, ...options }: RequestOptions, bytes: number): Promise<string> {
  const sent = request({ host: "127.0.0.1", port, ...options, headers: { ...headers, "content-length": bytes } });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  if (bytes > 0) await pipeline(video(bytes), sent);
  else sent.end();
  const [answer] = await answered;
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  const answerText = Buffer.concat(pieces).toString();
  if ((answer.statusCode ?? 500) >= 300) throw new Error(answerText);
  return answerText;
}

/** @returns how many bytes came */
async function receive(port: number, path: string): Promise<number> {
  const sent = request({ host: "127.0.0.1", port, path });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  let bytes = 0;
  await pipeline(
    answer,
    new Writable({
      write(piece: Buffer, _encoding, done) {
        bytes += piece.length;
        done();
      },
    }),
  );
  return bytes;
}
