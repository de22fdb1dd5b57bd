import * as z from "zod";
import type { JsonObject } from "../../../wire/json.ts";
import type { BrowserLoginContext, LoginReturn } from "../../contract/browser-login.ts";
import type { Credentials } from "../../contract/profile.ts";
import type { LoginContext } from "../../contract/request.ts";
import { withParameters } from "../address.ts";
import { answersOf } from "../answer.ts";

/** Endpoints and grant types of a network whose tokens are valid for 60 days. */
export interface LongTokens {
  /** The network's own spelling of its name. */
  name: string;
  /** Exchanges a token that is valid for an hour, with the app's secret, for one of 60 days. */
  exchange: { url: string; grant_type: string };
  /** Exchanges a token of 60 days for a new one. */
  renew: { url: string; grant_type: string };
}

/** https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login (2026-03) */
const longSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** A token can be renewed only while it is unexpired and at least a day old. Same source. */
const youngestSeconds = 25 * 3600;
const renewBeforeEndMs = 30 * 24 * 3_600_000;

/** Exchanges the sign-in's token, which is valid for only an hour, for a long one. If that fails, the sign-in fails. */
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

/** Renews a token. The new token replaces the old one. Needs no app secret. */
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

/** A token is valid for 60 days. Renewed in its second month, it stays valid for ever. */
export function renewing(
  secret: JsonObject,
  { now, expires_at }: { now: number; expires_at: number | null },
): Credentials {
  const soonest = now + youngestSeconds * 1000;
  const refresh_at = expires_at === null ? soonest : Math.max(soonest, expires_at - renewBeforeEndMs);
  return { secret, expires_at, refresh_at };
}

/** The redirect URL ends with `#_`, which is not part of the code. Same source. */
export function withoutTail({ parameters, keep }: LoginReturn): LoginReturn {
  const { code, ...others } = parameters;
  return { keep, parameters: code === undefined ? others : { ...others, code: code.replace(/#_$/, "") } };
}
