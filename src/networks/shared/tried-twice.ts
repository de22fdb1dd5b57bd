import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { isFirstTime } from "./first-time.ts";

/**
 * What a post can do without: it goes out without it after a second failure,
 * or after one that says that the file is to blame. When the profile is no
 * longer held, keeping that it failed fails as well, and ends the run.
 *
 * @returns null: the post goes without it
 */
export async function triedTwice<Value extends Json>(
  context: StageContext,
  { name, keepSeconds }: { name: string; keepSeconds: number },
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work();
  } catch (error) {
    if (PublishingError.is(error) && !error.isPassing) {
      if (error.code === "media_error") return null;
      throw error;
    }
    if (!(await isFirstTime(context, `${name}_failed`, { keepSeconds }))) return null;
    throw new NotReady(error instanceof Error ? error.message : "Something that the post needs is unavailable now.");
  }
}
