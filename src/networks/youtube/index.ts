import * as z from "zod";
import { checkOptions, type OptionSchemas, option } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { appSetting } from "../shared/app.ts";
import type { GoogleAppSetting } from "../shared/google/tokens.ts";
import { oauthAppSchema } from "../shared/oauth2.ts";
import { type Purpose, purposesSetting } from "../shared/scopes.ts";
import { choices } from "./choices.ts";
import { createConnector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { createPublisher } from "./publish.ts";

/** The options of `networks.youtube`, in addition to overriding content. */
export type YoutubeOptions = z.input<typeof options>;
/** Credentials for connecting a channel. */
export type YoutubeCredentials = z.input<typeof credentialsSchema>;
export type { GoogleApp } from "../shared/google/login.ts";
/** The type that `youtube` returns. */
export type YoutubeAdapter = NetworkAdapter<"youtube", typeof options, typeof credentialsSchema>;

/** Options of `youtube`. */
export interface YoutubeSettings {
  /**
   * Your OAuth client, so that channels can be connected by a browser sign-in and their access tokens renewed; or a
   * function that returns it for an account's id, null if there is none. Register
   * `{baseUrl}/connect/youtube/callback` as an authorized redirect URI.
   *
   * @default channels are connected by their tokens, which end within the hour
   */
  app?: GoogleAppSetting | undefined;
  /**
   * Permissions that browser sign-ins request.
   *
   * @default ["publish"]
   */
  scopes?: readonly Purpose[] | undefined;
  /**
   * Bytes of a file per upload request: a multiple of 262,144.
   *
   * @default 8,388,608
   */
  chunkBytes?: number | undefined;
}

/** https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol (2026-09) */
const chunkUnitBytes = 262_144;
const defaultChunkBytes = 32 * chunkUnitBytes;

const settingsSchema = z.strictObject({
  app: appSetting(oauthAppSchema).optional(),
  scopes: purposesSetting.optional(),
  chunkBytes: option("a multiple of 262144", isWholeChunk).optional(),
} satisfies OptionSchemas<YoutubeSettings>);

function isWholeChunk(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value % chunkUnitBytes === 0;
}

/**
 * YouTube: videos and Shorts of a channel.
 *
 * You need a project at console.cloud.google.com with the YouTube Data API
 * v3 enabled, and an OAuth client of the type "Web application". Its scopes are
 * `youtube.upload`, `youtube.readonly` and, for comments and playlists,
 * `youtube.force-ssl`. While the project's status is "Testing", every login
 * ends after 7 days. All channels share the project's 100 uploads a day.
 *
 * @see https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * @see https://developers.google.com/youtube/v3/docs/videos
 * @throws SocialError `invalid_options` naming the invalid option
 * @example
 * createSocialService({ storage, networks: [youtube({ app: { client_id, client_secret } })] });
 */
export function youtube(settings: YoutubeSettings = {}): YoutubeAdapter {
  checkOptions("youtube", settingsSchema, settings);
  const { app, scopes: purposes = ["publish"], chunkBytes = defaultChunkBytes } = settings;
  return {
    spec: limits,
    options,
    errors,
    connect: createConnector({ app, purposes }),
    choices,
    publish: createPublisher({ chunkBytes }),
  };
}
