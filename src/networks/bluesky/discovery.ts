import type { AuthorizationServer } from "oauth4webapi";
import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginContext } from "../contract/request.ts";
import { readStrictly } from "./oauth-answer.ts";
import type { OAuthLibrary } from "./oauth-library.ts";

/** What asks: a login's context or a profile's. */
export type Asking = Pick<LoginContext, "request" | "now">;

/**
 * The authorization server of an account's own server: `https://bsky.social`. Null: the server names none, so that it may
 * itself be one.
 *
 * @see https://atproto.com/specs/oauth#server-metadata
 */
export async function findIssuer(library: OAuthLibrary, context: Asking, server: string): Promise<string | null> {
  const url = new URL("/.well-known/oauth-protected-resource", server).href;
  const response = await context.request({ method: "GET", url, accept: [404], credential: "none" });
  if (response.status === 404) return null;
  const metadata = await readStrictly(library, server, response, (answer) =>
    library.processResourceDiscoveryResponse(new URL(server), answer),
  );
  const issuer = issuerSchema.safeParse(metadata.authorization_servers?.[0]);
  if (issuer.success) return issuer.data;
  throw new PublishingError("invalid_request", `handle: ${new URL(server).host} reports no authorization server.`);
}

/** An origin and nothing else. https://atproto.com/specs/oauth#server-metadata (2026-11) */
const issuerSchema = z
  .string()
  .regex(/^https?:\/\//)
  .transform((address) => address.replace(/\/$/, ""))
  .refine((address) => URL.canParse(address) && new URL(address).origin === address);

/** Where an authorization server takes what; it must say that it is the one which was asked. */
export async function readServer(library: OAuthLibrary, context: Asking, issuer: string): Promise<AuthorizationServer> {
  const url = new URL("/.well-known/oauth-authorization-server", issuer).href;
  const response = await context.request({ method: "GET", url, accept: [404], credential: "none" });
  return readStrictly(library, issuer, response, (answer) => library.processDiscoveryResponse(new URL(issuer), answer));
}
