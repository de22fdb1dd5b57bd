import type { LoginContext } from "../contract/request.ts";
import { defaultService, isHandle, resolveHandle } from "./server.ts";

/** A short timeout, because an account can be connected without the result. */
const brief = { hardEndSeconds: 5, repeat: false };

/**
 * Confirms the handle that an account's server or document claims, by looking it up. Null: it does not resolve to the
 * account. https://atproto.com/specs/handle#handle-resolution (2026-11)
 *
 * @param account.confirmed a handle of the account that was confirmed before; undefined: none
 */
export async function confirmHandle(
  context: Pick<LoginContext, "request">,
  { did, claimed, confirmed }: { did: string; claimed: string; confirmed?: unknown },
): Promise<string | null> {
  const handle = claimed.toLowerCase();
  if (!isHandle(handle)) return null;
  try {
    const found = await resolveHandle(context, defaultService, handle, brief);
    return found === did ? handle : null;
  } catch {
    // A failed look-up does not invalidate an earlier confirmation.
    return confirmed === handle ? handle : null;
  }
}
