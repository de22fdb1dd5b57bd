import * as z from "zod";
import { type AppSetting, appFinder } from "../shared/app.ts";
import type { OAuthTable } from "../shared/oauth2.ts";

/** https://docs.discord.com/developers/topics/oauth2 (2026-08); the flow with a client secret does not support PKCE. */
export const oauth: OAuthTable = {
  name: "Discord",
  authorize: "https://discord.com/oauth2/authorize",
  token: "https://discord.com/api/oauth2/token",
  clientAuth: "basic",
  pkce: false,
};

/** Same source. `guilds` shows whether the user who adds the bot manages the server. */
export const scopes = { bot: ["bot", "identify", "guilds"], webhook: ["webhook.incoming"] } as const;

/**
 * View Channel, Send Messages, Embed Links, Attach Files, Read Message History, Create Public Threads, Send Messages in
 * Threads. https://docs.discord.com/developers/topics/permissions (2026-08)
 */
export const botPermissions = "309237763072";

export const appSchema = z.strictObject({
  client_id: z.string().min(1).max(100),
  client_secret: z.string().min(1).max(1_000),
  bot_token: z.string().min(1).max(200).optional(),
});

/** An application at discord.com/developers/applications. */
export interface DiscordApp {
  /** OAuth2 → Client ID. */
  client_id: string;
  /** OAuth2 → Client Secret. */
  client_secret: string;
  /** Bot → Reset Token. Absent: a browser sign-in can only create webhooks. */
  bot_token?: string | undefined;
}

/** The setting `app`: one app for all accounts, or a function that finds the app of an account. */
export type DiscordAppSetting = AppSetting<DiscordApp>;

export const findApp = appFinder<DiscordApp>(appSchema, oauth.name);
