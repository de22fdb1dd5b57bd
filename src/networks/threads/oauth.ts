import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import type { LongTokens } from "../shared/meta/long-token.ts";
import { type OAuthTable, oauthAppSchema } from "../shared/oauth2.ts";
import type { ScopesByPurpose } from "../shared/scopes.ts";
import { host } from "./api.ts";

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });
const flatRefusalSchema = z.object({ error_message: z.string() });

/**
 * The app has an id and a secret of its own at Threads, which differ from the Meta app's.
 * https://github.com/fbsamples/threads_api (2026-01)
 */
export const oauth: OAuthTable = {
  name: "Threads",
  authorize: "https://threads.net/oauth/authorize",
  token: `https://${host}/oauth/access_token`,
  clientAuth: "form",
  pkce: false,
  scopeSeparator: ",",
  refusesApp(body) {
    const words =
      refusalSchema.safeParse(body).data?.error.message ?? flatRefusalSchema.safeParse(body).data?.error_message;
    return /client.?secret|validating application|app id/i.test(words ?? "");
  },
};

/** https://github.com/fbsamples/threads_api (2025-12) */
export const longTokens: LongTokens = {
  name: "Threads",
  exchange: { url: `https://${host}/access_token`, grant_type: "th_exchange_token" },
  renew: { url: `https://${host}/refresh_access_token`, grant_type: "th_refresh_token" },
};

/**
 * Replies in the account's own thread need `threads_manage_replies`.
 * https://developers.facebook.com/documentation/threads/retrieve-and-manage-replies (2025-12)
 */
export const scopes: ScopesByPurpose = {
  publish: ["threads_basic", "threads_content_publish", "threads_manage_replies"],
  inbox: ["threads_basic", "threads_manage_replies", "threads_read_replies", "threads_manage_mentions"],
};

/** Additional scopes of single options. https://docs.rs/threads-rs/0.1.1/threads_rs/constants (2026-03) */
export const scopesOfOptions = {
  location_id: "threads_location_tagging",
  crossreshare_to_ig: "threads_share_to_instagram",
  crossreshare_to_ig_dark_mode: "threads_share_to_instagram",
} as const;

/** The host's app at developers.facebook.com, use case Threads: the Threads app's id and secret, not the Meta app's. */
export type ThreadsApp = z.infer<typeof oauthAppSchema>;
/** One app for all accounts, or a function that returns one for each. */
export type ThreadsAppSetting = AppSetting<ThreadsApp>;

/** An additional scope, for single options. */
export type FurtherScope = (typeof scopesOfOptions)[keyof typeof scopesOfOptions];

export const furtherScopesSetting = z.array(z.enum(["threads_location_tagging", "threads_share_to_instagram"]));

export const findApp = appFinder(oauthAppSchema, oauth.name);
