import * as z from "zod";
import { type MediaOptions, mediaSchema, mediaStoreOption, transformersOption } from "./hosting/options.ts";
import type { MediaStore } from "./media/store/store.ts";
import type { MediaTransformer } from "./media/transform/transformer.ts";
import type { NetworkAdapter } from "./networks/contract/adapter.ts";
import type { AllowedHosts } from "./outbound/guard/allowed-hosts.ts";
import type { Entitlements } from "./planning/ports.ts";
import { type Clock, systemClock } from "./ports/clock.ts";
import type { Ids } from "./ports/ids.ts";
import type { Logger } from "./ports/logger.ts";
import {
  aFunction,
  checkArgument,
  checkOptions,
  clockOption,
  loggerOption,
  type OptionSchemas,
  option,
  originsOption,
  port,
  trueOrFalse,
  wholeNumber,
  wrongOptions,
} from "./ports/parse-options.ts";
import { clockOfSimulated } from "./ports/simulated.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Storage } from "./storage/storage.ts";
import type { Networks } from "./typed-networks.ts";
import { describeKind, describeValue } from "./wire/describe-value.ts";
import type { SocialError } from "./wire/errors.ts";

/**
 * How long records are kept, days. A worker deletes older ones about once an hour, in small batches. The posts on the
 * networks stay.
 */
export interface RetentionOptions {
  /**
   * Posts, from their last change. A post is deleted together with its targets and the records of its sending. After
   * that, a request with its idempotency key publishes again. Drafts, scheduled and publishing posts are kept, and also
   * posts that may be live (`publish_failed` with `timeout`). 1 to 36,500.
   * @default none: posts are kept for ever
   */
  posts_days?: number | undefined;
  /**
   * Messages, from when they were sent. A conversation is deleted with its last message. 30 to 36,500, because networks
   * list newer messages again. Failed replies are deleted after 30 days.
   * @default 365
   */
  messages_days?: number | undefined;
  /** Finished webhook deliveries, from when they were created. 1 to 36,500. @default 30 */
  deliveries_days?: number | undefined;
}

/** Every option of `createSocialService`. Only `storage` is required. */
export interface SocialServiceOptions<Given extends Networks = Networks> {
  /** The database: `memoryStorage()`, `sqliteStorage("social.db")` or `postgresStorage(pool)`. */
  storage: Storage;
  /**
   * True: the service creates and updates the storage's tables before their first use. False: the host does, with
   * `storage.migrate()` or the exported SQL.
   * @default true
   */
  migrate?: boolean | undefined;
  /** The networks to publish on: `[bluesky(), mastodon()]`. @default none */
  networks?: Given | undefined;
  /**
   * Encrypts credentials at rest: 32 bytes in base64. Of several keys, the first encrypts and all decrypt, so that a
   * key can be replaced. Required unless the storage is lost when the process exits.
   */
  encryptionKey?: string | readonly string[] | undefined;
  /**
   * True: there is no default account. Every call goes through `social.forAccount(id)`, so that no call can omit the
   * account.
   * @default false
   */
  tenants?: boolean | undefined;
  /** Decides whether an account may publish on a profile. False: `payment_required`. @default always true */
  entitlements?: Entitlements | undefined;
  /** How long `posts.create` and `posts.retry` wait for the outcome, milliseconds. @default 25_000 (common proxies cut at 29 s) */
  publishWaitMs?: number | undefined;
  /** How long a target that cannot be published yet is retried, milliseconds. @default 1_800_000 (30 minutes) */
  maxRetryMs?: number | undefined;
  /** A scheduled post that is more than this late is not published, milliseconds. @default 86_400_000 (24 hours) */
  maxLatenessMs?: number | undefined;
  /** How long records are kept. */
  retention?: RetentionOptions | undefined;
  /** Wakes the service when work is due. @default timers in this process */
  scheduler?: Scheduler | undefined;
  /** The time, and how the service waits. @default the machine's clock */
  clock?: Clock | undefined;
  /** `fetch` for the networks' own hosts. @default the global fetch */
  http?: typeof fetch | undefined;
  /**
   * `fetch` for every URL from a user or from a network's response: media files, instances, personal servers, webhook
   * receivers. The default refuses every host that is not public; a replacement must do the same.
   */
  untrustedHttp?: typeof fetch | undefined;
  /**
   * Hosts that may be reached although they are not public, and without TLS: `["localhost:3000"]`. Each entry is a
   * host with its port. A list applies to every use; `{ webhooks, media, instances }` has one list for each. They are
   * also allowed with a custom `untrustedHttp`, and as hosts of webhook endpoints. The machine's resolver resolves
   * these names; all others are resolved only with its hosts file and DNS servers, without search domains.
   * @default none
   */
  allowedHosts?: AllowedHosts | undefined;
  /** Receives failures. @default warnings and errors to the console */
  logger?: Logger | undefined;
  /** Creates ids and random values. @default the machine's random source */
  ids?: Ids | undefined;
  /**
   * Where uploaded files are stored: `filesStore("media")`, `s3Store({ … })`. Needs `baseUrl`.
   * @default none: posts can only use files that are already on the web
   */
  mediaStore?: MediaStore | undefined;
  /** The handler's public URL, including its `basePath`: `"https://app.example.com/social"`. */
  baseUrl?: string | undefined;
  /**
   * Origins of the host's own pages: `["https://app.example.com"]`. Browsers may be redirected there after a profile
   * is connected. These pages may also send requests that change data with a credential that browsers attach
   * (`authenticate`).
   * @default none: profiles are connected by credentials, and only pages of the handler's own host may change data
   */
  trustedOrigins?: readonly string[] | undefined;
  /** What accounts may upload, and who may read it. */
  media?: MediaOptions | undefined;
  /**
   * Convert files that a network rejects: `[sharpTransformer(), ffmpegTransformer()]`. They need `mediaStore`, which
   * keeps the converted file until the post is published.
   * @default none; the error for a rejected file says what to change
   */
  mediaTransformers?: readonly MediaTransformer[] | undefined;
}

const storageOption = port<Storage>('a storage: memoryStorage(), sqliteStorage("social.db") or postgresStorage(pool)', [
  "migrate",
  "now",
  "get",
  "find",
  "write",
  "claim",
  "nextDueAt",
  "increment",
  "close",
]);

const adapter = z.custom(
  (value) => {
    const { spec, connect } = (value ?? {}) as Partial<NetworkAdapter>;
    return typeof spec?.network === "string" && typeof connect?.login === "function";
  },
  {
    error: ({ input }) =>
      typeof input === "function"
        ? `Must be the result of ${input.name || "the function"}(), not ${describeValue(input)} itself: call it.`
        : `Must be a network, such as bluesky(), not ${describeValue(input)}.`,
  },
);

const networksOption = z.array(adapter, {
  error: ({ input }) => `Must be a list of networks, such as [bluesky()], not ${describeValue(input)}.`,
});

/** The message does not repeat the value, which is a secret. */
const keyOption = z.custom(
  (value) => typeof value === "string" || (Array.isArray(value) && value.every((key) => typeof key === "string")),
  {
    error: ({ input }) => {
      const came = Array.isArray(input) ? "a list with another value in it" : describeKind(input);
      return `Must be 32 bytes in base64 as a string, or a list of strings of this form, not ${came}.`;
    },
  },
);

const hostsMessage = ({ input }: { input: unknown }): string =>
  `Must be a list of hosts, such as ["localhost:3000"], not ${describeValue(input)}.`;

const hostsOption = z.array(
  option('a host with its port, such as "localhost:3000"', (value) => typeof value === "string" && value !== ""),
  { error: hostsMessage },
);

const dayMs = 24 * 3_600_000;

/** A hundred years. */
const longestDays = 36_500;

const retentionSchema = z.strictObject({
  posts_days: wholeNumber("days", { from: 1, to: longestDays }).optional(),
  messages_days: wholeNumber("days", { from: 30, to: longestDays }).optional(),
  deliveries_days: wholeNumber("days", { from: 1, to: longestDays }).optional(),
} satisfies OptionSchemas<RetentionOptions>);

const baseUrlOption = option('a URL such as "https://app.example.com/social"', isBaseUrl);

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, search, hash, username } = new URL(value);
  return /^https?:$/.test(protocol) && search === "" && hash === "" && username === "";
}

const schemas: OptionSchemas<SocialServiceOptions> = {
  storage: storageOption,
  migrate: trueOrFalse.optional(),
  networks: networksOption.optional(),
  encryptionKey: keyOption.optional(),
  tenants: trueOrFalse.optional(),
  entitlements: aFunction("a function that returns whether an account may publish on a profile").optional(),
  publishWaitMs: wholeNumber("milliseconds", { from: 0, to: dayMs }).optional(),
  maxRetryMs: wholeNumber("milliseconds", { from: 0, to: 30 * dayMs }).optional(),
  maxLatenessMs: wholeNumber("milliseconds", { from: 0, to: 3_650 * dayMs }).optional(),
  retention: retentionSchema.optional(),
  scheduler: port<Scheduler>("a scheduler with start, wake and stop", ["start", "wake", "stop"]).optional(),
  clock: clockOption.optional(),
  http: aFunction("a function like fetch").optional(),
  untrustedHttp: aFunction("a function like fetch").optional(),
  allowedHosts: z
    .union(
      [
        hostsOption,
        z.strictObject({
          webhooks: hostsOption.optional(),
          media: hostsOption.optional(),
          instances: hostsOption.optional(),
        }),
      ],
      { error: hostsMessage },
    )
    .optional(),
  logger: loggerOption.optional(),
  ids: port<Ids>("a source of ids with create and bytes", ["create", "bytes"]).optional(),
  mediaStore: mediaStoreOption.optional(),
  baseUrl: baseUrlOption.optional(),
  trustedOrigins: originsOption.optional(),
  media: mediaSchema.optional(),
  mediaTransformers: transformersOption.optional(),
};

const optionsSchema = z.strictObject(schemas);

/** The schema of an option that another option requires. */
function neededBy(other: string, why: string, right: string): z.ZodType {
  return z.custom((value) => value !== undefined, `Missing: ${other} needs it, because ${why}. Set it to ${right}.`);
}

const mountAddress = 'the URL where the handler is mounted, such as "https://app.example.com/social"';
const storeForTransformers = neededBy(
  "mediaTransformers",
  "a converted file is kept there until its post is published",
  'a media store: filesStore("media") or s3Store({ … })',
);
const baseUrlForFiles = neededBy("mediaStore", "uploaded files are served below it", mountAddress);
/** @throws SocialError `invalid_options` that names each wrong option, the value and what it must be */
export function checkServiceOptions(options: unknown): void {
  const call = "createSocialService";
  checkOptions(call, optionsSchema, options);
  const { mediaStore, baseUrl, mediaTransformers = [] } = options as SocialServiceOptions;
  checkSimulated(options as SocialServiceOptions);
  // The converted file is stored so that a retry sends the same bytes.
  if (mediaTransformers.length > 0) checkArgument(call, "mediaStore", storeForTransformers, mediaStore);
  if (mediaStore !== undefined) checkArgument(call, "baseUrl", baseUrlForFiles, baseUrl);
}

/**
 * Rejects a sandbox for only one of `http` and `untrustedHttp`, since the other one would reach the internet. Allowed
 * with `allowedHosts`: tests with their own receivers reach them through the default `untrustedHttp`.
 */
function checkSimulated({ http, untrustedHttp, allowedHosts, clock }: SocialServiceOptions): void {
  const simulated = [http, untrustedHttp].map((given) => given && clockOfSimulated(given));
  const [ofHttp, ofUntrusted] = simulated;
  if (ofUntrusted !== undefined && http === undefined) throw missingPort("http", "untrustedHttp");
  if (ofHttp !== undefined && untrustedHttp === undefined && allowedHosts === undefined)
    throw missingPort("untrustedHttp", "http");
  const theirs = ofHttp ?? ofUntrusted ?? null;
  if (theirs !== null && theirs !== systemClock && clock === undefined) throw missingPort("clock", "http");
}

function missingPort(missing: string, given: string): SocialError {
  const is = missing === "clock" ? "the clock that the sandbox was created with" : `the sandbox's ${missing}`;
  const message = `Missing: ${given} is a sandbox's, so pass ${is}, too.`;
  return wrongOptions("createSocialService", [{ field: missing, code: "invalid_options", message }]);
}

/** The options of `start`. */
export interface StartOptions {
  /**
   * When the backup was made that the store was restored from. Work that is due or running in it may have been
   * published since, so the service checks before it sends. Only for the first start after the restore, while no
   * other process is running.
   */
  restoredFrom?: Date | string | undefined;
}

const startSchema = z.strictObject({
  restoredFrom: option(
    'a Date or a string such as "2026-11-21T04:00:00Z"',
    (value) => value instanceof Date || typeof value === "string",
  ).optional(),
} satisfies OptionSchemas<StartOptions>);

/** @throws SocialError `invalid_options` that names each wrong option. A mistyped `restoredFrom` must not be ignored */
export function checkStartOptions(options: unknown): void {
  checkOptions("start", startSchema, options);
}
