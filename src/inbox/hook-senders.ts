import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import { accountsOfInboxes } from "./hook-accounts.ts";
import { createPublicKeys } from "./hook-public-key.ts";
import type { HookApp, HookSenders } from "./hook-secrets.ts";
import { subscriptionSenders } from "./hook-subscription.ts";
import type { InboxPorts } from "./ports.ts";

/** Null: nothing is known of the address. `place.appId`: its last part. */
export type FindHookSenders = (
  network: { adapter: NetworkAdapter; hooks: Hooks },
  place: HookApp,
) => Promise<HookSenders | null>;

export type SenderPorts = Pick<InboxPorts, "storage" | "vault" | "session" | "clock" | "logger" | "findHookSigners">;

export function createHookSenders(ports: SenderPorts): FindHookSenders {
  const { storage } = ports;
  const publicKeyOf = createPublicKeys(ports);
  return async ({ adapter, hooks }, place) => {
    const { signed } = hooks;
    const inboxes = { network: place.network, app_id: place.appId };
    if (signed.by === "subscription") return subscriptionSenders(ports, place);
    if (signed.by === "app") {
      const signers = await ports.findHookSigners(hooks, place);
      return signers === null ? null : { find: signers.find, inboxes };
    }
    // Whoever names an app that is not known here makes nobody read the key.
    const isKnown = (await accountsOfInboxes(storage, inboxes, { after: "", max: 1 })).length > 0;
    return isKnown ? { find: publicKeyOf(adapter, signed), inboxes } : null;
  };
}
