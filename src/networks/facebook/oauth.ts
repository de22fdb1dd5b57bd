import { type AppSetting, appFinder } from "../shared/app.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";

/** The host's app at developers.facebook.com: App settings → Basic. */
export interface FacebookApp {
  /** The app id. */
  client_id: string;
  /** The app secret. */
  client_secret: string;
}

/** One app for all accounts, or a function that returns one for each. */
export type FacebookAppSetting = AppSetting<FacebookApp>;

export const findApp = appFinder<FacebookApp>(oauthAppSchema, "Facebook");
