import { PublishingError } from "../../wire/errors.ts";
import type { Json } from "../../wire/json.ts";
import { NotReady, type StageContext } from "../contract/request.ts";
import { isFirstTime } from "./first-time.ts";

/**
 * Runs work whose result a post can do without. The post goes out without it after a second failure, or after one that
 * blames the file. If this process no longer holds the profile, storing the failure throws too, and that ends the run.
 *
 * @returns null: the post goes out without it
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
