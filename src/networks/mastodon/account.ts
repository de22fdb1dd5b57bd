import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";

/** https://docs.joinmastodon.org/entities/Account/#CredentialAccount (2026-07) */
const accountSchema = z.object({
  id: z.string().min(1),
  username: z.string().min(1),
  display_name: z.string().nullish(),
  avatar: z.string().nullish(),
  url: z.string().nullish(),
  /** Its address for other servers, which small ones do not tell. */
  uri: z.string().nullish().catch(null),
});

export type Account = z.infer<typeof accountSchema>;

/** Where and with what an account is read. */
export interface AccountAccess {
  host: string;
  /** Puts the token on, where the context does not do it by itself. */
  sign: (request: NetworkRequest) => NetworkRequest;
}

/** @throws PublishingError `reauthentication_required` when the token is not taken */
export async function readAccount(
  context: Pick<LoginContext, "request">,
  { host, sign }: AccountAccess,
): Promise<Account> {
  const url = `https://${host}/api/v1/accounts/verify_credentials`;
  const response = await context.request(sign({ method: "GET", url, accept: [422] }));
  // One small server says so of a wrong token (2026-11).
  if (response.status === 422)
    throw new PublishingError("reauthentication_required", `${host} rejects this access token: reconnect the account.`);
  const parsed = accountSchema.safeParse(response.body);
  if (!parsed.success) throw new PublishingError("network_error", `The account on ${host} could not be read.`);
  return parsed.data;
}
