import { execFile } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesStore } from "../../../src/media/files.ts";
import { bodyOf, bytesOf, collect, hangingBody, png, putBytes } from "../../../src/testing/media-store/bodies.ts";
import { mediaStoreContract } from "../../../src/testing/media-store.ts";

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "postrider-files-"));

mediaStoreContract({
  name: "files",
  async create() {
    const folder = await makeFolder();
    return {
      store: filesStore(join(folder, "media/here")),
      another: filesStore(join(folder, "media/here")),
      cleanup: () => rm(folder, { recursive: true }),
    };
  },
});

describe("the folder of a files store", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("holds one file per key, flat, with the type after its bytes", async () => {
    const store = filesStore(folder);
    await putBytes(store, "acct/clip.mp4", new TextEncoder().encode("bytes"));
    expect(await readdir(folder)).toEqual(["acct+clip.mp4"]);
    const text = await readFile(join(folder, "acct+clip.mp4"), "utf8");
    expect(text).toMatch(/^bytes\npostrider media image\/png +\n$/);
    expect(text.length).toBe(5 + 256);
  });

  it("is empty after a failed put", async () => {
    const { stream } = bodyOf(bytesOf(10), (body) => body.error(new Error("hung up")));
    await expect(filesStore(folder).put("a", stream, png)).rejects.toThrow("hung up");
    expect(await readdir(folder)).toEqual([]);
  });

  it("has a killed process's partial file, where its handle finds and removes it", async () => {
    const handle = await killedPut(folder);
    expect(await readdir(folder)).toEqual([`.a.${handle}`]);
    const store = filesStore(folder);
    expect([await store.head("a"), await store.read("a")]).toEqual([null, null]);
    await store.delete("a", { handle });
    expect(await readdir(folder)).toEqual([]);
  });

  it("rejects a handle that leads out of it", async () => {
    await expect(filesStore(folder).delete("a", { handle: "/../../b" })).rejects.toThrow("handle: Must be a handle");
  });

  it("may have symbolic links, which are not read, and replaced or deleted themselves", async () => {
    const outside = await makeFolder();
    const store = filesStore(folder);
    const secret = join(outside, "secret");
    await putBytes(filesStore(outside), "secret", bytesOf(3));
    await symlink(secret, join(folder, "a"));
    await expect(store.head("a")).rejects.toMatchObject({ code: "ELOOP" });
    await expect(store.read("a")).rejects.toMatchObject({ code: "ELOOP" });
    await putBytes(store, "a", bytesOf(5));
    expect((await lstat(join(folder, "a"))).isFile()).toBe(true);
    await symlink(secret, join(folder, "b"));
    await store.delete("b");
    expect(await collect(await filesStore(outside).read("secret"))).toEqual(bytesOf(3));
    await rm(outside, { recursive: true });
  });

  it("has foreign and truncated files, which are never served", async () => {
    const store = filesStore(folder);
    await writeFile(join(folder, "short"), "short");
    await writeFile(join(folder, "long"), bytesOf(1000));
    await putBytes(store, "cut", bytesOf(1000));
    await truncate(join(folder, "cut"), 1000);
    for (const key of ["short", "long", "cut"]) {
      await expect(store.head(key)).rejects.toThrow(`The file of ${key} was not written by a files store.`);
      await expect(store.read(key)).rejects.toThrow("was not written by a files store");
    }
  });

  it("keeps a reader's bytes when the file is replaced and deleted", async () => {
    const store = filesStore(folder);
    await putBytes(store, "a", bytesOf(100_000, 1));
    const reading = await store.read("a");
    await putBytes(store, "a", bytesOf(100_000, 2));
    await store.delete("a");
    expect(await collect(reading)).toEqual(bytesOf(100_000, 1));
  });

  it("stays unchanged until the handle is remembered", async () => {
    const seen: string[][] = [];
    const remember = async (): Promise<void> => void seen.push(await readdir(folder));
    await putBytes(filesStore(folder), "a", bytesOf(10), { remember });
    expect(seen).toEqual([[]]);
  });

  it("has each piece written before the next is requested", async () => {
    const ended = new AbortController();
    const body = hangingBody(bytesOf(1_000_000));
    const put = filesStore(folder).put("a", body.stream, { ...png, signal: ended.signal });
    await body.isReached;
    const [beside = ""] = await readdir(folder);
    expect((await lstat(join(folder, beside))).size).toBe(1_000_000);
    ended.abort("over");
    await expect(put).rejects.toBe("over");
  });
});

it("the store rejects a path that is not a folder", () => {
  expect(() => filesStore("")).toThrow("folder: Must be the path of a folder, not an empty string.");
});

/** A put in a separate process that is killed in the middle. @returns the remembered handle */
async function killedPut(folder: string): Promise<string> {
  const code = `
    import { filesStore } from ${JSON.stringify(new URL("../../../src/media/files.ts", import.meta.url).href)};
    const body = new ReadableStream({
      pull(controller) {
        if (body.begun) process.kill(process.pid, "SIGKILL");
        body.begun = true;
        controller.enqueue(new Uint8Array(100_000));
      },
    }, { highWaterMark: 0 });
    const remember = async (handle) => void process.stdout.write(handle);
    await filesStore(${JSON.stringify(folder)}).put("a", body, { contentType: "image/png", sizeBytes: null, remember });
  `;
  const flags = ["--import", "tsx", "--input-type=module", "--eval", code];
  const { stdout, signal } = await promisify(execFile)(process.execPath, flags).catch((error) => error);
  expect(signal).toBe("SIGKILL");
  return stdout;
}
