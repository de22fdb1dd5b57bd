import { z } from "zod";
import { checkOptions, type OptionSchemas, option } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { createConnector, type credentialsSchema, defaultService } from "./connect.ts";
import { errors } from "./errors.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";

/** What `bluesky` takes. */
export interface BlueskySettings {
  /**
   * Where accounts log in. Give it only when all accounts live on one server of
   * your own; it is then asked directly and may be on this machine.
   *
   * @default "https://bsky.social", from where each account's own server is found
   */
  service?: string | undefined;
}

const settingsSchema = z.strictObject({
  service: option('the address of a server, such as "https://pds.example.com"', isServer).optional(),
} satisfies OptionSchemas<BlueskySettings>);

function isServer(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** What `networks.bluesky` takes besides content of its own. */
export type BlueskyOptions = z.input<typeof options>;
/** What connecting an account takes. */
export type BlueskyCredentials = z.input<typeof credentialsSchema>;
/** What `bluesky` returns. */
export type BlueskyAdapter = NetworkAdapter<"bluesky", typeof options, typeof credentialsSchema>;

/**
 * Bluesky, and every other server of the AT Protocol.
 *
 * There is no app to register. A user makes an app password in Settings →
 * Privacy and security → App passwords and connects with handle and app
 * password; the password itself is not kept.
 *
 * @throws SocialError `internal_error` naming a setting that is wrong
 * @see https://docs.bsky.app/docs/advanced-guides/posts
 * @see https://atproto.com/specs/xrpc
 * @example
 * createSocialService({ storage, networks: [bluesky()] });
 */
export function bluesky(settings: BlueskySettings = {}): BlueskyAdapter {
  checkOptions("bluesky", settingsSchema, settings);
  const service = new URL(settings.service ?? defaultService);
  return {
    spec: { ...limits, hosts: [...new Set([...limits.hosts, service.host])] },
    options,
    errors,
    connect: createConnector(service.origin),
    publish: publisher,
  };
}
