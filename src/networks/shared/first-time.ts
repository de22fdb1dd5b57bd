import type { KeepOptions, StageContext } from "../contract/request.ts";

/** True: this happens for the first time, across crashes. If this process no longer holds the profile, it throws, and that ends the run. */
export async function isFirstTime(context: StageContext, name: string, options: KeepOptions): Promise<boolean> {
  let isFirst = false;
  const note = async () => {
    isFirst = true;
    return true;
  };
  await context.once(name, note, options);
  return isFirst;
}
