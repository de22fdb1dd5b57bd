import type { AppSetting } from "../shared/app.ts";
import { type GoogleApp, googleOAuth } from "../shared/google/login.ts";

export const oauth = googleOAuth("YouTube");

/** The setting `app`: one for all accounts, or found for each. */
export type YoutubeAppSetting = AppSetting<GoogleApp>;
