import type { z } from "zod";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { connector, type credentialsSchema } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/** What `networks.mastodon` takes besides content of its own. */
export type MastodonOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type MastodonCredentials = z.input<typeof credentialsSchema>;
/** What `mastodon` returns. */
export type MastodonAdapter = NetworkAdapter<"mastodon", typeof options, typeof credentialsSchema>;

/**
 * Mastodon, and servers that speak its API.
 *
 * An account is connected with an access token of its own. On its instance the
 * user makes an application in Preferences → Development with the scopes
 * `read:accounts read:statuses write:statuses write:media` (or `read write`)
 * and copies "Your access token". Such a token neither runs out nor can be
 * renewed.
 *
 * @see https://docs.joinmastodon.org/methods/statuses/
 * @see https://docs.joinmastodon.org/methods/media/
 * @example
 * createSocialService({ storage, networks: [mastodon()] });
 */
export function mastodon(): MastodonAdapter {
  return { spec: limits, options, errors, connect: connector, publish: publisher };
}
