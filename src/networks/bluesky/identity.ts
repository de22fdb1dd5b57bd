import { z } from "zod";
import type { Identity } from "../contract/profile.ts";
import type { LoginContext, NetworkRequest } from "../contract/request.ts";
import { readAnswer, withBearer, xrpc } from "./api.ts";
import { serverLimits } from "./limits.ts";
import { readClaims } from "./token.ts";

const serverSchema = z.object({ blobUploadLimit: z.number().int().positive().nullish() });
const profileSchema = z.object({ displayName: z.string().nullish(), avatar: z.string().nullish() });

/** Who a session belongs to, and what the account's server allows. */
export async function readIdentity(
  context: Pick<LoginContext, "request">,
  account: { pds: string; session: { did: string; handle: string; accessJwt: string } },
): Promise<Identity> {
  const { pds, session } = account;
  const server = await context.request({ method: "GET", url: xrpc(pds, "com.atproto.server.describeServer") });
  const blobUploadLimit = readAnswer(serverSchema, server).blobUploadLimit ?? null;
  const profile = await readProfile(
    context,
    withBearer(
      { method: "GET", url: xrpc(pds, "app.bsky.actor.getProfile", { actor: session.did }) },
      session.accessJwt,
    ),
  );
  const { scope } = readClaims(session.accessJwt);
  return {
    external_id: session.did,
    name: profile.displayName || session.handle,
    handle: session.handle,
    avatar_url: profile.avatar ?? null,
    // Handles change hands; the DID stays.
    url: `https://bsky.app/profile/${session.did}`,
    scopes: scope === null ? [] : [scope],
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
