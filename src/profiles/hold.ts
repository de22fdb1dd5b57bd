import type { Clock } from "../ports/clock.ts";
import type { Storage } from "../storage/storage.ts";
import { SocialError } from "../wire/errors.ts";
import { claimRow, type Lease, LeaseLost } from "../work/lease.ts";
import { storeMoment } from "../work/store-time.ts";
import type { ProfileRow } from "./rows.ts";

/** How long a change waits for a process that holds the profile, milliseconds. */
export const busyPatienceMs = 45_000;
export const busyPollMs = 250;

/**
 * Runs `work` while holding the profile.
 *
 * @throws SocialError `conflict` if it stays busy
 */
export async function holdProfile<Value>(
  ports: { storage: Storage; clock: Clock },
  id: string,
  work: (profile: ProfileRow, lease: Lease) => Promise<Value>,
): Promise<Value> {
  const until = ports.clock.monotonic() + busyPatienceMs;
  for (;;) {
    const claimed = await claimRow<ProfileRow>(ports, {
      collection: "profiles",
      id,
      due: false,
      moment: await storeMoment(ports),
    });
    if (claimed !== null) {
      try {
        return await work(claimed.row, claimed.lease);
      } catch (error) {
        throw error instanceof LeaseLost ? busy(error) : error;
      } finally {
        await giveBack(claimed.lease);
      }
    }
    if (ports.clock.monotonic() >= until) {
      throw busy();
    }
    await ports.clock.sleep(busyPollMs);
  }
}

function busy(cause?: unknown): SocialError {
  return new SocialError("conflict", "The profile is busy publishing. Try again in a minute.", { cause });
}

async function giveBack(lease: Lease): Promise<void> {
  try {
    await lease.giveBack();
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
}
