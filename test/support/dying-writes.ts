import type { Storage } from "../../src/storage/storage.ts";

/**
 * Does `work` as a process that dies before one of its writes: none of those from there on is carried out.
 *
 * @param at the write's number, from 0
 * @returns whether it was done before
 */
export async function dyingAt(storage: Storage, at: number, work: () => Promise<unknown>): Promise<boolean> {
  const { write } = storage;
  let left = at;
  storage.write = (operations) => {
    if (left === 0) return Promise.reject(new Error("The process died."));
    left -= 1;
    return write(operations);
  };
  const isDone = await work().then(
    () => true,
    () => false,
  );
  storage.write = write;
  return isDone;
}
