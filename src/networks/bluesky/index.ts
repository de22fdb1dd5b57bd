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

/** What `bluesky` takes. */
export interface BlueskySettings {
  /**
   * Where accounts log in. Give it only when all accounts live on one server of
   * your own; it is then asked directly and may be on this machine.
   *
   * @default "https://bsky.social", from where each account's own server is found
   */
  service?: string | undefined;
  /**
   * How your app introduces itself, so that accounts can be connected by a login on their own servers. It needs `baseUrl`
   * in the service, whose handler serves what those servers read about the app, and `npm install oauth4webapi`.
   *
   * @default accounts are connected by app passwords
   */
  app?: BlueskyApp | undefined;
  /** What a login in the browser asks for, and whether the inbox is read. More of it later needs a reconnect. @default ["publish"] */
  scopes?: readonly Purpose[] | undefined;
}

const keyWords = "a private key for ES256 as a JSON Web Key: an object with kty, crv, x, y and d";
const address = option('an address such as "https://example.com/terms"', isServer).optional();

const appSchema = z.strictObject({
  name: option("a name for your app", (value) => typeof value === "string" && value !== ""),
  private_keys: z.array(option(keyWords, isKey)).optional(),
  logo_uri: address,
  tos_uri: address,
  policy_uri: address,
} satisfies OptionSchemas<BlueskyApp>);

const settingsSchema = z.strictObject({
  service: option('the address of a server, such as "https://pds.example.com"', isServer).optional(),
  app: appSchema.optional(),
  scopes: purposesSetting.optional(),
} satisfies OptionSchemas<BlueskySettings>);

function isServer(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Its numbers are 32 bytes in base64url. https://www.rfc-editor.org/rfc/rfc7518#section-6.2 (2026-11) */
function isKey(value: unknown): boolean {
  const { kty, crv, ...numbers } = Object(value) as Record<string, unknown>;
  const areNumbers = ["x", "y", "d"].every((name) => /^[\w-]{43}$/.test(String(numbers[name])));
  return kty === "EC" && crv === "P-256" && areNumbers;
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
 * There is no app to register. With `app` accounts are connected by a login on
 * their own servers, with the scopes `atproto transition:generic` (and
 * `transition:chat.bsky` for the inbox). Else a user makes an app password in
 * Settings → Privacy and security → App passwords and connects with handle and
 * app password; the password itself is not kept. Messages are read and answered
 * by app passwords that allow access to direct messages.
 *
 * @throws SocialError `invalid_options` naming a setting that is wrong
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
