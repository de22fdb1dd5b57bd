import { systemClock } from "../../src/ports/clock.ts";
import type { SocialService } from "../../src/service.ts";
import type { SkippingClock } from "./skipping-clock.ts";

/** Servers bring what is written from one to another after some seconds each; one that refuses requests does so for five minutes. Milliseconds. */
const patienceMs = 330_000;

/**
 * Reads the inbox, with time passing from look to look, until it is as it should be, or nothing comes any more.
 *
 * @param shown what it is instead, also for whoever reads the failure
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
