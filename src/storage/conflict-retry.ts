import { StorageConflict } from "./storage.ts";

/**
 * Repeats an attempt to read, decide and write if another writer came between.
 *
 * @param attempt must read again each time; receives the conflict that ended the previous attempt
 * @param options.max maximum number of repetitions; the next conflict is thrown
 * @param options.unless conflicts that are thrown immediately; default: none
 * @throws StorageConflict · immediately, any other error of an attempt
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
