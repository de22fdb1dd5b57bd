import type { LoginContext } from "../contract/request.ts";
import { defaultService, isHandle, resolveHandle } from "./server.ts";

/** A connecting account does without the answer, so it is not waited for long. */
const brief = { hardEndSeconds: 5, repeat: false };

/**
 * The handle that an account's server or document claims, where whoever looks it up finds the account; null: it does not
 * lead there. https://atproto.com/specs/handle#handle-resolution (2026-11)
 *
 * @param account.confirmed a handle of its that was confirmed before; undefined: none was
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
    // Not being told anything now is no reason to doubt what was told before.
    return confirmed === handle ? handle : null;
  }
}
