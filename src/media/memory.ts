import { checkKey, checkPut, checkRead } from "./store/check.ts";
import { piecesOf, removedMeanwhile, withBody } from "./store/pieces.ts";
import type { MediaStore } from "./store/store.ts";

/** Stores files in this process's memory: a simple reference implementation, for tests. */
export function memoryMediaStore(): MediaStore {
  const files = new Map<string, { file: Blob; content_type: string }>();
  /** Handles of unfinished uploads. */
  const unfinished = new Set<string>();
  let begun = 0;

  return {
    async put(key, body, options) {
      checkPut(key, options);
      return withBody(body, async () => {
        begun += 1;
        const handle = `upload_${begun}`;
        await options.remember(handle);
        unfinished.add(handle);
        try {
          const pieces: Uint8Array<ArrayBuffer>[] = [];
          // Copied, because the sender may reuse its buffer.
          for await (const piece of piecesOf(body, options)) pieces.push(piece.slice());
          if (!unfinished.has(handle)) throw removedMeanwhile();
          const file = new Blob(pieces);
          files.set(key, { file, content_type: options.contentType });
          return { size_bytes: file.size };
        } finally {
          unfinished.delete(handle);
        }
      });
    },
    async head(key) {
      checkKey(key);
      const kept = files.get(key);
      return kept === undefined ? null : { size_bytes: kept.file.size, content_type: kept.content_type };
    },
    async read(key, range) {
      checkRead(key, range);
      return files.get(key)?.file.slice(range?.from, range?.to).stream() ?? null;
    },
    async delete(key, { handle } = {}) {
      checkKey(key);
      if (handle !== undefined) unfinished.delete(handle);
      files.delete(key);
    },
  };
}
