import type { KeepOptions, StageContext } from "../contract/request.ts";

/** Whether this happens for the first time, whatever has died since. When the profile is no longer held, it fails, and ends the run. */
export async function isFirstTime(context: StageContext, name: string, options: KeepOptions): Promise<boolean> {
  let isFirst = false;
  const note = async () => {
    isFirst = true;
    return true;
  };
  await context.once(name, note, options);
  return isFirst;
}
