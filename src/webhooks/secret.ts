import type { Ids } from "../ports/ids.ts";
import type { SealedPlace, Vault } from "../ports/vault.ts";
import { SocialError } from "../wire/errors.ts";
import type { EndpointRow } from "./rows.ts";

type Owner = Pick<EndpointRow, "account_id" | "id">;

/** `whsec_` and 32 random bytes. */
export function createSecret(ids: Ids): string {
  return `whsec_${Buffer.from(ids.bytes(32)).toString("base64url")}`;
}

export function sealSecret(vault: Vault, owner: Owner, secret: string): string {
  return vault.seal({ secret }, placeOf(owner));
}

/** The secrets that sign deliveries at `now`: the current one, and the previous one during the overlap. */
function openSecrets(vault: Vault, endpoint: EndpointRow, now: number): string[] {
  const { secret, previous } = endpoint.private;
  const sealed = previous !== null && now < previous.until ? [secret, previous.secret] : [secret];
  return sealed.map((each) => String(vault.open(each, placeOf(endpoint)).secret));
}

/** As `openSecrets`, but returns the reason if no key decrypts them. */
export function trySecrets(vault: Vault, endpoint: EndpointRow, now: number): string[] | { error: string } {
  try {
    return openSecrets(vault, endpoint, now);
  } catch (error) {
    if (!SocialError.is(error)) throw error;
    return { error: `Not sent, because it cannot be signed. ${error.message}` };
  }
}

function placeOf({ account_id, id }: Owner): SealedPlace {
  return { account: account_id, collection: "endpoints", id, field: "secret" };
}
