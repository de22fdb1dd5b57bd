import * as z from "zod";
import { checkOptions, type OptionSchemas } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, purposesSetting, scopesFor } from "../shared/scopes.ts";
import { browserLogin } from "./browser.ts";
import { choices } from "./choices.ts";
import { connector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { type FurtherScope, furtherScopesSetting, scopes as scopeTable, type ThreadsAppSetting } from "./oauth.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

export type { FurtherScope, ThreadsApp, ThreadsAppSetting } from "./oauth.ts";

/** Options of `threads`. */
export interface ThreadsSettings {
  /**
   * Your app from developers.facebook.com: the id and secret of its Threads app, which differ from the Meta app's, or
   * a function that returns them for an account of the service.
   *
   * @default none: accounts are connected by tokens that you obtain
   */
  app?: ThreadsAppSetting | undefined;
  /** Permissions that browser sign-ins request. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
  /** Additional scopes that browser sign-ins request, for the options `location_id` and `crossreshare_to_ig`. @default none */
  furtherScopes?: readonly FurtherScope[] | undefined;
}

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
  furtherScopes: furtherScopesSetting.optional(),
} satisfies OptionSchemas<ThreadsSettings>);

/** The options of `networks.threads`, in addition to overriding content. */
export type ThreadsOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type ThreadsCredentials = z.input<typeof credentialsSchema>;
/** The type that `threads` returns. */
export type ThreadsAdapter = NetworkAdapter<"threads", typeof options, typeof credentialsSchema>;

/**
 * Threads: posts and threads, with images, videos and carousels.
 *
 * Create the app at developers.facebook.com with the use case Threads, and the callback
 * `{baseUrl}/connect/threads/callback`. Browser sign-ins request `threads_basic`, `threads_content_publish` and
 * `threads_manage_replies`. Threads fetches files by URL: the service needs a public `baseUrl` or public files.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://developers.facebook.com/docs/threads/overview
 * @see https://developers.facebook.com/documentation/threads/posts
 * @example
 * createSocialService({ storage, mediaStore, baseUrl, networks: [threads({ app: { client_id, client_secret } })] });
 */
export function threads(settings: ThreadsSettings = {}): ThreadsAdapter {
  checkOptions("threads", settingsSchema, settings);
  const { app, scopes = ["publish"], furtherScopes = [] } = settings;
  const wanted = [...scopesFor(scopeTable, scopes), ...furtherScopes];
  const browser = app === undefined ? {} : { browser: browserLogin(app, wanted) };
  return { spec: limits, options, errors, connect: { ...connector, ...browser }, choices, publish: publisher };
}
