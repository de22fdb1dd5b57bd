import * as z from "zod";
import type { AppSetting } from "../shared/app.ts";

export const appSchema = z.strictObject({
  client_id: z.string().min(1).max(100),
  client_secret: z.string().min(1).max(500),
});

/** The host's app at developers.facebook.com: App settings → Basic. */
export interface FacebookApp {
  /** The app id. */
  client_id: string;
  /** The app secret. */
  client_secret: string;
}

/** One app for all accounts, or one found for each. */
export type FacebookAppSetting = AppSetting<FacebookApp>;
