import type { HookSetup, HookSubscription } from "../networks/contract/hooks.ts";
import type { SealedPlace, Vault } from "../ports/vault.ts";
import { fromRow } from "../storage/typed.ts";
import { type HookApp, type HookSenders, trusted } from "./hook-secrets.ts";
import type { InboxPorts } from "./ports.ts";
import type { HookState, InboxRow } from "./rows.ts";

/** Until the network has answered whether it subscribes, and its secret is stored, or is replaced after a crash, milliseconds. */
const subscribingMs = 600_000;
/** The newest, and the one before: what is under way when a secret is replaced is still signed with the old one. */
const maxSecrets = 2;

type Place = Pick<InboxRow, "account_id" | "id">;

function placeOf({ account_id, id }: Place, field: "hook_secret" | "hook_setup"): SealedPlace {
  return { account: account_id, collection: "inboxes", id, field };
}

/**
 * The newest secret of an inbox's subscription; empty: none is stored, or the key for it is missing. Then the network is
 * asked for another one.
 */
export function newestHookSecret(vault: Vault, inbox: Place, hooks: HookState): string {
  const [newest] = hooks.secrets ?? [];
  return newest === undefined || vault.lackFor(newest) !== null ? "" : openSecret(vault, inbox, newest);
}

/** @throws SocialError `internal_error` if it cannot be decrypted */
function openSecret(vault: Vault, inbox: Place, sealed: string): string {
  return String(vault.open(sealed, placeOf(inbox, "hook_secret")).secret);
}

/** What is to be set by hand at the network; null: nothing. @throws SocialError `internal_error` if it cannot be decrypted */
export function openHookSetup(vault: Vault, inbox: Place, { by_hand }: HookState): HookSetup | null {
  if (by_hand === undefined) return null;
  const { url, verify_token } = vault.open(by_hand, placeOf(inbox, "hook_setup"));
  return { url: String(url), ...(typeof verify_token === "string" && { verify_token }) };
}

/** Before the network is asked: whatever it sends meanwhile may be signed with a secret that is not stored yet. */
export function beforeSubscription(state: HookState, now: number): HookState {
  return { ...state, subscribing_until: now + subscribingMs };
}

/** With what the network has answered, encrypted. */
export function withAnswer(
  vault: Vault,
  inbox: Place,
  { subscribing_until: _, by_hand: __, ...state }: HookState,
  { secret, byHand }: HookSubscription,
): HookState {
  const before = state.secrets ?? [];
  return {
    ...state,
    ...(byHand !== undefined && { by_hand: vault.seal({ ...byHand }, placeOf(inbox, "hook_setup")) }),
    ...(secret !== undefined && {
      secrets: [vault.seal({ secret }, placeOf(inbox, "hook_secret")), ...before].slice(0, maxSecrets),
    }),
  };
}

/** Of an address that ends with an inbox's id; null: there is no such inbox. */
export async function subscriptionSenders(
  { storage, vault }: Pick<InboxPorts, "storage" | "vault">,
  { network, appId: inboxId }: HookApp,
): Promise<HookSenders | null> {
  const stored = await storage.get("inboxes", inboxId);
  if (stored === null || stored.network !== network) return null;
  const inbox = fromRow<InboxRow>(stored);
  const { hooks } = inbox.private;
  return {
    inboxes: { network, id: inboxId },
    async find({ isSignedWith }) {
      const sealed = hooks?.secrets ?? [];
      const readable = sealed.filter((each) => vault.lackFor(each) === null);
      const secret = readable.map((each) => openSecret(vault, inbox, each)).find(isSignedWith);
      if (secret !== undefined) return trusted(secret);
      const isUnknown = readable.length < sealed.length || (await storage.now()) < (hooks?.subscribing_until ?? 0);
      return isUnknown ? "later" : null;
    },
  };
}
