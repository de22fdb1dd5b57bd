import { systemClock } from "../../src/ports/clock.ts";
import type { SocialService } from "../../src/service.ts";
import type { SkippingClock } from "./skipping-clock.ts";

/**
 * Servers pass a post to each other after some seconds; one that refuses requests does so for five
 * minutes. Milliseconds.
 */
const patienceMs = 330_000;

/**
 * Reads the inbox, and lets time pass in between, until it is as expected, or nothing more comes.
 *
 * @param shown the inbox's current content, also for the failure message
 */
export async function readUntil(
  { social, clock }: { social: SocialService; clock: SkippingClock },
  isDone: () => Promise<boolean>,
  shown: () => Promise<unknown>,
): Promise<void> {
  let until = systemClock.monotonic() + patienceMs;
  for (let before = ""; ; ) {
    await clock.run(() => social.runDue());
    if (await isDone()) return;
    const now = JSON.stringify(await shown());
    if (now !== before) until = systemClock.monotonic() + patienceMs;
    else if (systemClock.monotonic() > until) throw new Error(`Nothing has come for ${patienceMs} ms: ${now}`);
    before = now;
    await systemClock.sleep(500);
    clock.skip(6 * 60_000);
  }
}
