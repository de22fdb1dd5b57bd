import * as z from "zod";
import { checkOptions, type OptionSchemas, option } from "../../ports/parse-options.ts";
import type { NetworkAdapter } from "../contract/adapter.ts";
import { type Purpose, purposesSetting, withInbox } from "../shared/scopes.ts";
import type { BlueskyApp } from "./app.ts";
import { createConnector } from "./connect.ts";
import type { credentialsSchema } from "./credentials.ts";
import { errors } from "./errors.ts";
import { inbox } from "./inbox.ts";
import { limits } from "./limits.ts";
import { options } from "./options.ts";
import { publisher } from "./publish.ts";
import { defaultService } from "./server.ts";

export type { BlueskyApp } from "./app.ts";

/** Options of `bluesky`. */
export interface BlueskySettings {
  /**
   * URL of the accounts' server. Set it only if all accounts are on one server
   * of your own; the service then calls it directly, and it can be on this machine.
   *
   * @default "https://bsky.social", which leads to each account's own server
   */
  service?: string | undefined;
  /**
   * Your app's metadata, required for browser sign-ins on the accounts' own servers. It needs the service's `baseUrl`,
   * where the handler serves the metadata, and `npm install oauth4webapi`.
   *
   * @default accounts are connected by app passwords
   */
  app?: BlueskyApp | undefined;
  /** Permissions that a browser sign-in requests, and whether the inbox is read. Adding one later requires reconnecting. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
}

const keyWords = "a private key for ES256 as a JSON Web Key: an object with kty, crv, x, y and d";
const address = option('a URL such as "https://example.com/terms"', isServer).optional();

const appSchema = z.strictObject({
  name: option("a name for your app", (value) => typeof value === "string" && value !== ""),
  private_keys: z.array(option(keyWords, isKey)).optional(),
  logo_uri: address,
  tos_uri: address,
  policy_uri: address,
} satisfies OptionSchemas<BlueskyApp>);

const settingsSchema = z.strictObject({
  service: option('the URL of a server, such as "https://pds.example.com"', isServer).optional(),
  app: appSchema.optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<BlueskySettings>);

function isServer(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** True: an EC key on P-256 whose numbers are 32 bytes in base64url. https://www.rfc-editor.org/rfc/rfc7518#section-6.2 (2026-11) */
function isKey(value: unknown): boolean {
  const { kty, crv, ...numbers } = Object(value) as Record<string, unknown>;
  const areNumbers = ["x", "y", "d"].every((name) => /^[\w-]{43}$/.test(String(numbers[name])));
  return kty === "EC" && crv === "P-256" && areNumbers;
}

/** The options of `networks.bluesky`. */
export type BlueskyOptions = z.input<typeof options>;
/** Credentials for connecting an account. */
export type BlueskyCredentials = z.input<typeof credentialsSchema>;
/** The return type of `bluesky`. */
export type BlueskyAdapter = NetworkAdapter<"bluesky", typeof options, typeof credentialsSchema>;

/**
 * Bluesky, and every other server of the AT Protocol.
 *
 * Bluesky has no app registration. With `app`, accounts are connected by a
 * browser sign-in on their own servers, with the scopes `atproto transition:generic` (and
 * `transition:chat.bsky` for the inbox). Otherwise a user creates an app
 * password in Settings → Privacy and security → App passwords and connects with handle and app
 * password; the account's own password is never used. Messages need an app password that allows access
 * to direct messages.
 *
 * @throws SocialError `invalid_options` naming the invalid option
 * @see https://docs.bsky.app/docs/advanced-guides/posts
 * @see https://atproto.com/specs/xrpc
 * @see https://atproto.com/specs/oauth
 * @example
 * createSocialService({ storage, networks: [bluesky()] });
 */
export function bluesky(settings: BlueskySettings = {}): BlueskyAdapter {
  checkOptions("bluesky", settingsSchema, settings);
  const { app, scopes: purposes = ["publish"] } = settings;
  const service = new URL(settings.service ?? defaultService);
  const adapter = {
    spec: { ...limits, hosts: [...new Set([...limits.hosts, service.host])] },
    options,
    errors,
    connect: createConnector({ service: service.origin, app, purposes }),
    publish: publisher,
    inbox,
  };
  return withInbox(adapter, purposes);
}
