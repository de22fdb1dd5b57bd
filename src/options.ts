import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type { Logger } from "./logger.ts";
import type { NetworkAdapter } from "./networks/adapter.ts";
import type { Entitlements } from "./posts/ports.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Storage } from "./storage/storage.ts";

/** Everything that `createSocialService` can be told. Only `storage` must be. */
export interface SocialServiceOptions {
  /** Where everything is kept: `memoryStorage()`, `sqliteStorage("social.db")`, `postgresStorage(pool)`. */
  storage: Storage;
  /** Create and update the storage's tables before their first use. False: the host does it, with `storage.migrate()` or the exported SQL. @default true */
  migrate?: boolean | undefined;
  /** The networks to publish on: `[bluesky(), mastodon()]`. @default none */
  networks?: readonly NetworkAdapter[] | undefined;
  /**
   * Encrypts credentials at rest: 32 bytes in base64. Several: the first
   * encrypts, all decrypt, so that a key can be replaced.
   * Required unless the storage forgets everything with the process.
   */
  encryptionKey?: string | readonly string[] | undefined;
  /**
   * True: there is no default account; every call goes through
   * `social.forAccount(id)`, so that nobody can forget it.
   * @default false
   */
  tenants?: boolean | undefined;
  /** May this account publish on this profile? A no is `payment_required`. @default always */
  entitlements?: Entitlements | undefined;
  /** How long `posts.create` and `posts.retry` wait for the outcome, milliseconds. @default 25_000 (common proxies cut at 29 s) */
  publishWaitMs?: number | undefined;
  /** How long a target that cannot go out yet is tried, milliseconds. @default 1_800_000 (30 minutes) */
  maxRetryMs?: number | undefined;
  /** A scheduled post found later than this after its time is not published, milliseconds. @default 86_400_000 (24 hours) */
  maxLatenessMs?: number | undefined;
  /** Rings when something is due. @default timers in this process */
  scheduler?: Scheduler | undefined;
  /** @default the machine's clock */
  clock?: Clock | undefined;
  /** `fetch` for the networks' own hosts. @default the global fetch */
  http?: typeof fetch | undefined;
  /**
   * `fetch` for every address that a user or a network's answer gave: media
   * files, instances, personal servers, receivers of webhooks. The default refuses everything that is
   * not public; a replacement must do the same.
   */
  untrustedHttp?: typeof fetch | undefined;
  /**
   * Hosts that the default `untrustedHttp` may reach although they are not
   * public, and without TLS: `["localhost:3000"]`. Webhook endpoints may be
   * registered there, too. @default none
   */
  allowHosts?: readonly string[] | undefined;
  /** @default warnings and errors to the console */
  logger?: Logger | undefined;
  /** Makes ids and random values. @default the machine's random source */
  ids?: Ids | undefined;
}
