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

/** Every option of `createSocialService`. Only `storage` is required. */
export interface SocialServiceOptions<Given extends Networks = Networks> {
  /** Where everything is kept: `memoryStorage()`, `sqliteStorage("social.db")`, `postgresStorage(pool)`. */
  storage: Storage;
  /** Create and update the storage's tables before their first use. False: the host does it, with `storage.migrate()` or the exported SQL. @default true */
  migrate?: boolean | undefined;
  /** The networks to publish on: `[bluesky(), mastodon()]`. @default none */
  networks?: Given | undefined;
  /**
   * Encrypts credentials at rest: 32 bytes in base64. Several: the first
   * encrypts, all decrypt, so that a key can be replaced.
   * Required unless the storage forgets everything with the process.
   */
  encryptionKey?: string | readonly string[] | undefined;
  /**
   * True: there is no default account; every call goes through
   * `social.forAccount(id)`, so that it cannot be forgotten.
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
  /** What the time is, and how it is waited for. @default the machine's clock */
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
   * Hosts that may be reached although they are not public, and without TLS,
   * beside an `untrustedHttp` of your own, too: `["localhost:3000"]`; a list opens them for
   * everything, `{ webhooks, media, instances }` for each use its own. Each
   * entry is a host with its port; webhook endpoints may be registered there,
   * too. These names are looked up as the machine does it; all others by its
   * hosts file and DNS servers alone, without search domains. @default none
   */
  allowedHosts?: AllowedHosts | undefined;
  /** Receives failures. @default warnings and errors to the console */
  logger?: Logger | undefined;
  /** Makes ids and random values. @default the machine's random source */
  ids?: Ids | undefined;
  /**
   * Where uploaded files are kept: `filesStore("media")`, `s3Store({ … })`. Needs `baseUrl`.
   * @default none: posts name files that are on the web already
   */
  mediaStore?: MediaStore | undefined;
  /** Where the handler is reachable from outside, its `basePath` included: `"https://app.example.com/social"`. */
  baseUrl?: string | undefined;
  /**
   * Origins of your own pages: `["https://app.example.com"]`. Browsers may be redirected there once a profile is
   * connected, and these pages may change things with a credential that browsers attach (`authenticate`).
   * @default none: profiles are connected by credentials, and only pages of the handler's own host change things
   */
  trustedOrigins?: readonly string[] | undefined;
  /** What accounts may do with uploaded files, and who may read them. */
  media?: MediaOptions | undefined;
  /**
   * Make files that a network does not take into ones that it does: `[sharpTransformer(), ffmpegTransformer()]`.
   * Need `mediaStore`, where what they make is kept until the post is out.
   * @default none: such a file is refused, with what to do
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

/** What came is not repeated. */
const keyOption = z.custom(
  (value) => typeof value === "string" || (Array.isArray(value) && value.every((key) => typeof key === "string")),
  {
    error: ({ input }) => {
      const came = Array.isArray(input) ? "a list with another value in it" : describeKind(input);
      return `Must be 32 bytes in base64 as a string, or a list of such strings, not ${came}.`;
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
  entitlements: aFunction("a function that says whether an account may publish on a profile").optional(),
  publishWaitMs: wholeNumber("milliseconds", { from: 0, to: dayMs }).optional(),
  maxRetryMs: wholeNumber("milliseconds", { from: 0, to: 30 * dayMs }).optional(),
  maxLatenessMs: wholeNumber("milliseconds", { from: 0, to: 3_650 * dayMs }).optional(),
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

/** An option that another one needs. */
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
/** @throws SocialError `invalid_options` naming each option that is wrong, what came and what is right */
export function checkServiceOptions(options: unknown): void {
  const call = "createSocialService";
  checkOptions(call, optionsSchema, options);
  const { mediaStore, baseUrl, mediaTransformers = [] } = options as SocialServiceOptions;
  checkSimulated(options as SocialServiceOptions);
  // It is kept so that a repetition sends the same bytes.
  if (mediaTransformers.length > 0) checkArgument(call, "mediaStore", storeForTransformers, mediaStore);
  if (mediaStore !== undefined) checkArgument(call, "baseUrl", baseUrlForFiles, baseUrl);
}

/**
 * Half a sandbox would reach the internet with the other half. `allowedHosts` is for tests with receivers of their own,
 * which the default `untrustedHttp` reaches.
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

/** What `start` takes. */
export interface StartOptions {
  /**
   * The store was restored from a backup made then: what is due or under way
   * may have gone out since, so it is looked for before it is sent. Only for
   * the first start after the restoring, with nothing else running.
   */
  restoredFrom?: Date | string | undefined;
}

const startSchema = z.strictObject({
  restoredFrom: option(
    'a Date or a string such as "2026-11-21T04:00:00Z"',
    (value) => value instanceof Date || typeof value === "string",
  ).optional(),
} satisfies OptionSchemas<StartOptions>);

/** @throws SocialError `invalid_options` naming each option that is wrong: an option that was mistyped would be ignored, and with it what was restored */
export function checkStartOptions(options: unknown): void {
  checkOptions("start", startSchema, options);
}
