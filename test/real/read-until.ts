import { systemClock } from "../../src/ports/clock.ts";
import type { SocialService } from "../../src/service.ts";
import type { SkippingClock } from "./skipping-clock.ts";

/** Servers bring what is written from one to another after some seconds, milliseconds. */
const patienceMs = 60_000;

/**
 * Reads the inbox, with time passing from look to look, until it is as it should be.
 *
 * @param shown what it was instead, for whoever reads the failure
 */
export async function readUntil(
  { social, clock }: { social: SocialService; clock: SkippingClock },
  isDone: () => Promise<boolean>,
  shown: () => Promise<unknown>,
): Promise<void> {
  const until = systemClock.monotonic() + patienceMs;
  for (;;) {
    await clock.run(() => social.runDue());
    if (await isDone()) return;
    if (systemClock.monotonic() > until)
      throw new Error(`Not so within ${patienceMs} ms: ${JSON.stringify(await shown())}`);
    await systemClock.sleep(500);
    clock.skip(6 * 60_000);
  }
}
