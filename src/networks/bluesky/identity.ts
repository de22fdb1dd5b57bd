import { z } from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { readAnswer, xrpc } from "./api.ts";
import { serverLimits } from "./limits.ts";

const serverSchema = z.object({ blobUploadLimit: z.number().int().positive().nullish() });
const profileSchema = z.object({ displayName: z.string().nullish(), avatar: z.string().nullish() });

/** Whose account is read, and where. */
export interface AccountToRead {
  pds: string;
  account: { did: string; handle: string };
  scopes: string[];
  /** Puts the credential on, where the context does not do it by itself. */
  sign: (request: NetworkRequest) => NetworkRequest;
}

/** Who an account is, and what its server allows. */
export async function readIdentity(
  context: Pick<LoginContext, "request">,
  { pds, account, scopes, sign }: AccountToRead,
): Promise<Identity> {
  const server = await context.request({ method: "GET", url: xrpc(pds, "com.atproto.server.describeServer") });
  const blobUploadLimit = readAnswer(serverSchema, server).blobUploadLimit ?? null;
  const url = xrpc(pds, "app.bsky.actor.getProfile", { actor: account.did });
  const profile = await readProfile(context, sign({ method: "GET", url }));
  return {
    external_id: account.did,
    name: profile.displayName || account.handle,
    handle: account.handle,
    avatar_url: profile.avatar ?? null,
    // Handles change hands; the DID stays.
    url: `https://bsky.app/profile/${account.did}`,
    scopes,
    limits: serverLimits(blobUploadLimit),
    host: new URL(pds).host,
    known: { pds, blob_upload_limit: blobUploadLimit },
  };
}

/** Name and picture come from the view service behind the server; an account is usable without them. */
async function readProfile(
  context: Pick<LoginContext, "request">,
  request: NetworkRequest,
): Promise<z.infer<typeof profileSchema>> {
  const response = await context.request({ ...request, accept: [400, 404, 500, 501, 502, 503, 504] });
  if (response.status !== 200) return {};
  return readAnswer(profileSchema, response);
}
