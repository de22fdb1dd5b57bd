import { StorageConflict } from "./storage.ts";

/**
 * Reads, decides and writes again when somebody else has written in between.
 *
 * @param attempt reads what it decides by each time; gets the conflict that ended the attempt before it
 * @param options.max conflicts after which the next one is thrown
 * @param options.unless a conflict that is thrown at once; default: none
 * @throws StorageConflict, and whatever else an attempt throws, at once
 */
export async function retryConflicts<Value>(
  attempt: (last: StorageConflict | null) => Promise<Value>,
  { max, unless = () => false }: { max: number; unless?: (conflict: StorageConflict) => boolean },
): Promise<Value> {
  let last: StorageConflict | null = null;
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await attempt(last);
    } catch (error) {
      if (!(error instanceof StorageConflict) || conflicts >= max || unless(error)) throw error;
      last = error;
    }
  }
}
