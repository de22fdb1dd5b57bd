import * as z from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { readAnswer, xrpc } from "./api.ts";
import { confirmHandle } from "./handle.ts";
import { serverLimits } from "./limits.ts";
import { isOperators } from "./server.ts";

const serverSchema = z.object({ blobUploadLimit: z.number().int().positive().nullish() });
const profileSchema = z.object({ displayName: z.string().nullish(), avatar: z.string().nullish() });

/** The account to read, and its server. */
export interface AccountToRead {
  pds: string;
  /** As stated by its server. */
  account: { did: string; handle: string };
  /** The URL of the accounts' server from the operator. If it is the operator's own server, its handles need no confirmation. */
  service: string;
  /** A handle of the account that was confirmed before. @default none */
  confirmed?: unknown;
  scopes: string[];
  /** Adds the credential, if the context does not do so automatically. */
  sign: (request: NetworkRequest) => NetworkRequest;
}

/** Reads the account and its server's limits. */
export async function readIdentity(
  context: Pick<LoginContext, "request">,
  { pds, account, service, confirmed, scopes, sign }: AccountToRead,
): Promise<Identity> {
  const server = await context.request({ method: "GET", url: xrpc(pds, "com.atproto.server.describeServer") });
  const blobUploadLimit = readAnswer(serverSchema, server).blobUploadLimit ?? null;
  const url = xrpc(pds, "app.bsky.actor.getProfile", { actor: account.did });
  const profile = await readProfile(context, sign({ method: "GET", url }));
  const { did, handle: claimed } = account;
  const handle = isOperators(pds, service) ? claimed : await confirmHandle(context, { did, claimed, confirmed });
  return {
    external_id: did,
    name: profile.displayName || handle || did,
    handle,
    avatar_url: profile.avatar ?? null,
    // A handle can be reassigned; the DID stays.
    url: `https://bsky.app/profile/${did}`,
    scopes,
    limits: serverLimits(blobUploadLimit),
    host: new URL(pds).host,
    account_facts: { pds, blob_upload_limit: blobUploadLimit, confirmed_handle: handle },
  };
}

/** Reads name and avatar from the view service behind the server. An account is usable without them. */
async function readProfile(
  context: Pick<LoginContext, "request">,
  request: NetworkRequest,
): Promise<z.infer<typeof profileSchema>> {
  const response = await context.request({ ...request, accept: [400, 404, 500, 501, 502, 503, 504] });
  if (response.status !== 200) return {};
  return readAnswer(profileSchema, response);
}
