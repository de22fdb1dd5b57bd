import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { randomIds } from "../ports/ids.ts";
import { checkArgument, option } from "../ports/parse-options.ts";
import { checkKey, checkPut, checkRead } from "./store/check.ts";
import { piecesOf, removedMeanwhile, withBody } from "./store/pieces.ts";
import type { ByteRange, MediaStore, PutOptions, StoredMedia } from "./store/store.ts";

/** Of a file, as it is read, bytes. */
const readBytes = 64 * 1024;

/**
 * The last bytes of each file on the disk: a line that says its type. A file
 * of its own for the type could not be replaced in one step with the other.
 */
const labelBytes = 256;
const labelPattern = /^\npostrider media (\S+) *\n$/;

const handlePattern = /^[0-9a-f]{32}$/;

const folderArgument = option("the path of a folder", (value) => typeof value === "string" && value !== "");

/**
 * Files in a folder, which is created if missing. Several processes can share
 * it, also on several machines if its file system renames atomically and supports fsync, as local file
 * systems and NFS do.
 *
 * A file is written beside its place, synced, and renamed into it. The folder
 * is flat: the key `acct_1/clip.mp4` is the file `acct_1+clip.mp4`, all lower
 * case, which holds the bytes and behind them one line with the type. Symbolic
 * links in the folder are not followed; the folder itself may be one.
 *
 * Unfinished files of a killed process stay as `.<key>.<handle>` until `delete`
 * is called with the handle that `remember` was given.
 *
 * Besides the errors of every store, it throws errors of the file system (`ENOSPC`, `EACCES`).
 *
 * @throws SocialError `invalid_options` when `folder` is no path
 *
 * @example
 * const store = filesStore("/var/lib/app/media");
 */
export function filesStore(folder: string): MediaStore {
  checkArgument("filesStore", "folder", folderArgument, folder);

  const placeOf = (key: string): string => join(folder, nameOf(key));
  const besideOf = (key: string, handle: string): string => join(folder, `.${nameOf(key)}.${handle}`);

  return {
    async put(key, body, options) {
      checkPut(key, options);
      return withBody(body, async () => {
        const handle = newHandle();
        await options.remember(handle);
        await mkdir(folder, { recursive: true });
        const beside = besideOf(key, handle);
        try {
          const size_bytes = await writeFile(beside, body, options);
          await rename(beside, placeOf(key)).catch(rethrowRemoved);
          await syncFolder(folder);
          return { size_bytes };
        } catch (error) {
          await rm(beside, { force: true });
          throw error;
        }
      });
    },
    async head(key) {
      checkKey(key);
      const file = await openIfThere(placeOf(key));
      if (file === null) return null;
      try {
        return await readLabel(file, key);
      } finally {
        await file.close();
      }
    },
    async read(key, range) {
      checkRead(key, range);
      const file = await openIfThere(placeOf(key));
      if (file === null) return null;
      try {
        const { size_bytes } = await readLabel(file, key);
        return streamOf(file, range ?? { from: 0 }, size_bytes);
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async delete(key, { handle } = {}) {
      checkKey(key);
      if (handle !== undefined) {
        checkHandle(handle);
        await unlinkIfThere(besideOf(key, handle));
      }
      if (await unlinkIfThere(placeOf(key))) await syncFolder(folder);
    },
  };
}

/** Keys hold no plus sign, so that each has a name of its own, and `a` may stand beside `a/b`. */
function nameOf(key: string): string {
  return key.replaceAll("/", "+");
}

function newHandle(): string {
  return Array.from(randomIds.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** It becomes part of a path. */
function checkHandle(handle: unknown): void {
  if (typeof handle !== "string" || !handlePattern.test(handle)) {
    throw new TypeError("handle: Must be a handle that remember was called with.");
  }
}

/** @returns how many bytes the body had */
async function writeFile(path: string, body: ReadableStream<Uint8Array>, options: PutOptions): Promise<number> {
  // Fails where something is, a link too.
  const file = await open(path, "wx");
  try {
    let length = 0;
    for await (const piece of piecesOf(body, options)) {
      await file.writeFile(piece);
      length += piece.length;
    }
    await file.writeFile(labelOf(options.contentType));
    await file.sync();
    return length;
  } finally {
    await file.close();
  }
}

function labelOf(contentType: string): Uint8Array {
  return new TextEncoder().encode(`${`\npostrider media ${contentType}`.padEnd(labelBytes - 1)}\n`);
}

/** @throws Error when the file was not written by this store, or was cut since */
async function readLabel(file: FileHandle, key: string): Promise<StoredMedia> {
  const { size } = await file.stat();
  const size_bytes = size - labelBytes;
  const label = new Uint8Array(labelBytes);
  if (size_bytes >= 0) await file.read(label, 0, labelBytes, size_bytes);
  const [, content_type] = labelPattern.exec(new TextDecoder().decode(label)) ?? [];
  if (content_type === undefined) throw new Error(`The file of ${key} was not written by a files store.`);
  return { size_bytes, content_type };
}

/** Closes the file when all is read, or the reader wants no more. */
function streamOf(file: FileHandle, { from, to = Infinity }: ByteRange, sizeBytes: number): ReadableStream<Uint8Array> {
  const end = Math.min(to, sizeBytes);
  let offset = from;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (offset >= end) {
          await file.close();
          controller.close();
          return;
        }
        try {
          const bytes = await readAt(file, offset, Math.min(readBytes, end - offset));
          offset += bytes.length;
          controller.enqueue(bytes);
        } catch (error) {
          await file.close();
          throw error;
        }
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
  if (bytesRead === 0) throw new Error("The file was truncated while it was read.");
  return buffer.subarray(0, bytesRead);
}

function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullIfMissing);
}

async function unlinkIfThere(path: string): Promise<boolean> {
  return (await unlink(path).then(() => true, nullIfMissing)) ?? false;
}

/** Without it a crash of the machine may undo the rename. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/** What was written beside is only gone when somebody has deleted it. */
function rethrowRemoved(error: unknown): never {
  throw isMissing(error) ? removedMeanwhile(error) : error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
