import * as z from "zod";
import { PublishingError } from "../../wire/errors.ts";
import type { LoginReturn } from "../contract/browser-login.ts";
import type { LoginContext } from "../contract/request.ts";
import { assertIssuer } from "../shared/issuer.ts";

/** https://www.rfc-editor.org/rfc/rfc9207#section-3 (2026-11) */
const metadataSchema = z.object({
  issuer: z.string(),
  authorization_response_iss_parameter_supported: z.literal(true),
});

/** A short timeout, because a sign-in works without the issuer. */
const hardEndSeconds = 5;

/**
 * The issuer (`iss`) that a server announces to send with redirects. Null: it announces none. Mastodon itself does not
 * (4.7, 2026-11).
 */
export async function readIssuer(context: Pick<LoginContext, "request">, host: string): Promise<string | null> {
  const url = `https://${host}/.well-known/oauth-authorization-server`;
  try {
    const { body } = await context.request({ method: "GET", url, repeat: false, hardEndSeconds });
    const { issuer } = metadataSchema.parse(body);
    // An issuer of another server does not count. https://www.rfc-editor.org/rfc/rfc8414#section-3.3 (2026-11)
    return isServers(issuer, host) ? issuer : null;
  } catch (error) {
    if (PublishingError.is(error) || error instanceof z.ZodError) return null;
    throw error;
  }
}

/**
 * @param server.issuer as read when the sign-in began
 * @throws LoginFailed if another server sent the browser back
 */
export function assertOwnIssuer(back: LoginReturn, { host, issuer }: { host: string; issuer: string | null }): void {
  const { iss } = back.parameters;
  if (issuer === null && (iss === undefined || isServers(iss, host))) return;
  assertIssuer(back, issuer ?? `https://${host}`);
}

/** True: the issuer is the server's URL, with or without a trailing slash. */
function isServers(issuer: string, host: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).href === new URL(`https://${host}`).href;
}
