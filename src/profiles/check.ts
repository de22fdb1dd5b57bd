import { isoTime } from "../clock.ts";
import { PublishingError, SocialError } from "../errors.ts";
import { NetworkRefusal, toPublishingError } from "../networks/session.ts";
import { toChange } from "../storage/typed.ts";
import { identityFields } from "./connect.ts";
import { markNeedsAttention, openCredentials } from "./credentials.ts";
import { holdProfile } from "./hold.ts";
import { adapterOf, type ProfilePorts } from "./ports.ts";
import type { ProfileRow } from "./rows.ts";

/** Asks the network about a profile and stores what it says. */
export async function checkProfile(ports: ProfilePorts, profile: ProfileRow): Promise<void> {
  const adapter = adapterOf(ports, profile.network);
  await holdProfile(ports, profile.id, async (held, hold) => {
    const credentials = openCredentials(held, { adapter, hold, ports });
    try {
      const identity = await adapter.connect.inspect(credentials.context);
      const { known, host } = identity;
      const now = isoTime(hold.now());
      const change = { ...identityFields(identity), last_checked_at: now, updated_at: now };
      await ports.storage.write([
        {
          kind: "update",
          collection: "profiles",
          id: held.id,
          change: toChange({ ...change, private: { ...credentials.profile().private, known, host } }),
          where: { epoch: hold.epoch },
        },
      ]);
    } catch (error) {
      const reason = error instanceof NetworkRefusal ? toPublishingError(error) : error;
      if (!PublishingError.is(reason)) throw error;
      if (reason.code === "reauthentication_required" || reason.code === "profile_unavailable") {
        await markNeedsAttention(credentials.profile(), reason.message, { hold, ports });
        return;
      }
      // The network cannot be asked now: that says nothing about the credentials.
      throw new SocialError("publish_failed", `The profile could not be checked. ${reason.message}`, { cause: reason });
    }
  });
}
