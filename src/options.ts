import type { Clock } from "./clock.ts";
import type { Ids } from "./ids.ts";
import type { Logger } from "./logger.ts";
import type { NetworkAdapter } from "./networks/adapter.ts";
import type { AllowHosts } from "./outbound/allow-hosts.ts";
import type { Entitlements } from "./posts/ports.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Storage } from "./storage/storage.ts";

/** Everything that `createSocialService` can be told. Only `storage` must be. */
export interface SocialServiceOptions {
  /** Where everything is kept: `memoryStorage()`, `sqliteStorage("social.db")`, `postgresStorage(pool)`. */
  storage: Storage;
  /** Create and update the storage's tables before their first use. False: the host does it, with `storage.migrate()` or the exported SQL. @default true */
  migrate?: boolean;
  /** The networks to publish on: `[bluesky(), mastodon()]`. @default none */
  networks?: readonly NetworkAdapter[];
  /**
   * Encrypts credentials at rest: 32 bytes in base64. Several: the first
   * encrypts, all decrypt, so that a key can be replaced.
   * Required unless the storage forgets everything with the process.
   */
  encryptionKey?: string | readonly string[];
  /**
   * True: there is no default account; every call goes through
   * `social.forAccount(id)`, so that nobody can forget it.
   * @default false
   */
  tenants?: boolean;
  /** May this account publish on this profile? A no is `payment_required`. @default always */
  entitlements?: Entitlements;
  /** How long `posts.create` and `posts.retry` wait for the outcome, milliseconds. @default 25_000 (common proxies cut at 29 s) */
  publishWaitMs?: number;
  /** How long a target that cannot go out yet is tried, milliseconds. @default 1_800_000 (30 minutes) */
  maxRetryMs?: number;
  /** A scheduled post found later than this after its time is not published, milliseconds. @default 86_400_000 (24 hours) */
  maxLatenessMs?: number;
  /** Rings when something is due. @default timers in this process */
  scheduler?: Scheduler;
  /** @default the machine's clock */
  clock?: Clock;
  /** `fetch` for the networks' own hosts. @default the global fetch */
  http?: typeof fetch;
  /**
   * `fetch` for every address that a user or a network's answer gave: media
   * files, instances, personal servers, receivers of webhooks. The default refuses everything that is
   * not public; a replacement must do the same.
   */
  untrustedHttp?: typeof fetch;
  /**
   * Hosts that the default `untrustedHttp` may reach although they are not
   * public, and without TLS: `["localhost:3000"]`; a list opens them for
   * everything, `{ webhooks, media, instances }` for each use its own. Each
   * entry is a host with its port; webhook endpoints may be registered there,
   * too. These names are looked up as the machine does it; all others by its
   * hosts file and DNS servers alone, without search domains. @default none
   */
  allowHosts?: AllowHosts;
  /** @default warnings and errors to the console */
  logger?: Logger;
  /** Makes ids and random values. @default the machine's random source */
  ids?: Ids;
}
