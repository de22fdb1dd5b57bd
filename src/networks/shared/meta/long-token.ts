import * as z from "zod";
import type { JsonObject } from "../../../wire/json.ts";
import type { BrowserLoginContext, LoginReturn } from "../../contract/browser-login.ts";
import type { Credentials } from "../../contract/profile.ts";
import type { LoginContext } from "../../contract/request.ts";
import { withParameters } from "../address.ts";
import { answersOf } from "../answer.ts";

/** Where a network whose tokens live for 60 days hands them out, and what it calls that. */
export interface LongTokens {
  /** As the network writes itself. */
  name: string;
  /** A token of an hour, and the app's secret, for one of 60 days. */
  exchange: { url: string; grant_type: string };
  /** A token of 60 days for another. */
  renew: { url: string; grant_type: string };
}

/** https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login (2026-03) */
const longSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** Only an unexpired token can be renewed, and none before it is a day old. Same source. */
const youngestSeconds = 25 * 3600;
const renewBeforeEndMs = 30 * 24 * 3_600_000;

/**
 * A login that is good for an hour is none: what the short token is traded for. Its failure is the login's.
 */
export async function longTokenFor(
  table: LongTokens,
  context: Pick<BrowserLoginContext, "request" | "now" | "conceal">,
  { client_secret, access_token: short }: { client_secret: string; access_token: string },
): Promise<{ access_token: string; expires_at: number }> {
  const { url, grant_type } = table.exchange;
  const address = withParameters(url, { grant_type, client_secret, access_token: short });
  const response = await context.request({ method: "GET", url: address, credential: "none" });
  const { access_token, expires_in } = answersOf(table.name).readAnswer(longSchema, response);
  context.conceal(response.body);
  return { access_token, expires_at: context.now() + expires_in * 1000 };
}

/** The answer replaces the token that was used. No app secret is asked for. */
export async function renewLongToken(
  table: LongTokens,
  context: Pick<LoginContext, "request" | "now">,
  secret: JsonObject,
): Promise<Credentials> {
  const { url, grant_type } = table.renew;
  const address = withParameters(url, { grant_type, access_token: String(secret.access_token) });
  const response = await context.request({ method: "GET", url: address, credential: "none" });
  const { access_token, expires_in } = answersOf(table.name).readAnswer(longSchema, response);
  const now = context.now();
  return renewing({ ...secret, access_token }, { now, expires_at: now + expires_in * 1000 });
}

/** A token lives for 60 days, and one that is renewed in its second month for ever. */
export function renewing(
  secret: JsonObject,
  { now, expires_at }: { now: number; expires_at: number | null },
): Credentials {
  const soonest = now + youngestSeconds * 1000;
  const refresh_at = expires_at === null ? soonest : Math.max(soonest, expires_at - renewBeforeEndMs);
  return { secret, expires_at, refresh_at };
}

/** The address that a browser is sent back to ends with `#_`, which is none of the code's. Same source. */
export function withoutTail({ parameters, keep }: LoginReturn): LoginReturn {
  const { code, ...others } = parameters;
  return { keep, parameters: code === undefined ? others : { ...others, code: code.replace(/#_$/, "") } };
}
