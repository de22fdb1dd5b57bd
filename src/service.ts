import { type Accounts, createAccounts } from "./accounts/accounts.ts";
import { createDeletions, type Deletions } from "./accounts/deletions.ts";
import { createTurns } from "./async/in-turn.ts";
import { once, onceDone } from "./async/once.ts";
import { createOpenWork } from "./async/open-work.ts";
import { createPace, type Pace } from "./async/pace.ts";
import { createFairTurns } from "./async/shares.ts";
import { createLoginCallback } from "./connections/callback.ts";
import { type Connections, createConnections } from "./connections/connections.ts";
import { createReadDocument } from "./connections/documents.ts";
import type { ConnectionPorts } from "./connections/ports.ts";
import { sweepConnections } from "./connections/sweep.ts";
import { createProfileWorker } from "./dispatch/worker.ts";
import { encryptionKeysFor } from "./encryption-keys.ts";
import { createHosting } from "./hosting/hosting.ts";
import type { Media } from "./hosting/media.ts";
import { hostingPorts } from "./hosting/options.ts";
import { addMissingInboxes, withInboxes } from "./inbox/connected.ts";
import { createReceiveHook } from "./inbox/hook-intake.ts";
import { createHookSigners } from "./inbox/hook-secrets.ts";
import { createHookUrl } from "./inbox/hook-target.ts";
import { type AccountInbox, createInbox } from "./inbox/inbox.ts";
import { replySubjects } from "./inbox/message-run.ts";
import { createNoInboxWarning } from "./inbox/no-inbox.ts";
import type { AnswerPorts, InboxPorts } from "./inbox/ports.ts";
import { pruneInboxes } from "./inbox/retention.ts";
import type { InboxEvents } from "./inbox/schema.ts";
import { createInboxWorker } from "./inbox/worker.ts";
import { createKeys, type Keys } from "./keys/keys.ts";
import { inspectMedia } from "./media/fetch.ts";
import { mediaOpening, mediaReading, openSource } from "./media/open.ts";
import { mediaChanging } from "./media/transform/choose.ts";
import { createRegistry } from "./networks/runtime/registry.ts";
import type { NetworkDescription } from "./networks/runtime/schema.ts";
import { watchApiVersions } from "./networks/runtime/version-end.ts";
import { checkServiceOptions, checkStartOptions, type SocialServiceOptions, type StartOptions } from "./options.ts";
import type { OpenMedia } from "./outbound/body.ts";
import { allowedFirst } from "./outbound/guard/allowed-first.ts";
import { readAllowedHosts } from "./outbound/guard/allowed-hosts.ts";
import { createUntrustedHttp } from "./outbound/guard/guard.ts";
import { createRefusalOf } from "./outbound/guard/refusal.ts";
import { createResolve } from "./outbound/guard/resolve.ts";
import { namesIn } from "./outbound/guard/target.ts";
import { createOutbound } from "./outbound/http.ts";
import { type Clock, systemClock } from "./ports/clock.ts";
import { createEvents, type ServiceEvents } from "./ports/events.ts";
import { randomIds } from "./ports/ids.ts";
import { quietLogger } from "./ports/logger.ts";
import { createVault } from "./ports/vault.ts";
import type { PostPorts } from "./posts/ports.ts";
import { createPosts, type Posts } from "./posts/posts.ts";
import { prunePosts } from "./posts/retention.ts";
import type { CreatePost, UpdatePost } from "./posts/schema.ts";
import { checkHeld, checkProfile } from "./profiles/check.ts";
import { createKeyCheck } from "./profiles/key-check.ts";
import type { ProfilePorts } from "./profiles/ports.ts";
import { createProfiles, type Profiles } from "./profiles/profiles.ts";
import type { ConnectProfile, ProfileEvents } from "./profiles/schema.ts";
import type { PublishingPorts } from "./publishing/ports.ts";
import { markRestored } from "./publishing/restored.ts";
import type { PostEvents } from "./publishing/schema.ts";
import { createStarter } from "./publishing/starter.ts";
import { targetSubjects } from "./publishing/target-run.ts";
import { timerScheduler } from "./scheduler/timer.ts";
import { createStoredAppLimits } from "./sending/app-limits.ts";
import { pruneIntents } from "./sending/retention.ts";
import { createSentHere } from "./sending/sent-here.ts";
import { keepPorts } from "./service-ports.ts";
import { migratedStorage } from "./storage/migrated.ts";
import { wipeHourly } from "./storage/wipe-deleted.ts";
import type { ConnectProfileFor, CreatePostFor, Networks, UpdatePostFor } from "./typed-networks.ts";
import { createOutbox } from "./webhooks/outbox.ts";
import type { WebhookPorts } from "./webhooks/ports.ts";
import { pruneDeliveries } from "./webhooks/retention.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";
import { createDeliveryWorker } from "./webhooks/worker.ts";
import { describeValue } from "./wire/describe-value.ts";
import { SocialError } from "./wire/errors.ts";
import { createRunner, type Runner } from "./work/runner.ts";
import { isWorkerSeen, noteWorker } from "./work/workers-seen.ts";

/** The payload of each event. It is emitted after the change is stored. */
export interface EventPayloads extends PostEvents, ProfileEvents, InboxEvents {}

/** The modules of one account. */
export interface AccountModules<Create = CreatePost, Update = UpdatePost, Connect = ConnectProfile> {
  /** Its posts. */
  posts: Posts<Create, Update>;
  /** Its connections to the networks. */
  profiles: Profiles<Connect>;
  /** Browser sign-ins, which connect profiles. */
  connections: Connections;
  /** Its webhook endpoints and their deliveries. */
  webhooks: Webhooks;
  /** Its hosted files. */
  media: Media;
  /** Messages, comments and mentions from users. */
  inbox: AccountInbox;
}

/** The modules that belong to no account. */
export interface SharedModules<Create = CreatePost, Update = UpdatePost, Connect = ConnectProfile>
  extends Pick<Runner, "stop" | "runDue"> {
  /**
   * Starts processing due work, until `stop`. Calling it twice is harmless. If the scheduler does not start, that is
   * logged and retried.
   *
   * @throws SocialError `invalid_options` for an unknown option; `invalid_request` for a `restoredFrom` that is not a
   * time or lies in the future
   */
  start(options?: StartOptions): Promise<void>;
  /** What each network accepts. */
  networks: {
    /** One description for each network, in the order of the `networks` option. */
    list(): NetworkDescription[];
  };
  /** The API keys that `postrider/http` accepts. */
  keys: Keys;
  /** The accounts themselves. */
  accounts: Accounts;
  /** Subscribes to an event; see `EventPayloads`. Returns a function that unsubscribes. */
  on: ServiceEvents<EventPayloads>["on"];
  /** The same modules, bound to one account. Other accounts' resources are `not_found`. */
  forAccount(accountId: string): AccountModules<Create, Update, Connect>;
}

/** A service without tenants: its modules are those of the account `default`. */
export type SocialService<Given extends Networks = Networks> = TenantService<Given> &
  AccountModules<CreatePostFor<Given>, UpdatePostFor<Given>, ConnectProfileFor<Given>>;

/** A service with tenants, typed for its networks. */
export type TenantService<Given extends Networks = Networks> = SharedModules<
  CreatePostFor<Given>,
  UpdatePostFor<Given>,
  ConnectProfileFor<Given>
>;

/** Files inspected concurrently. One account gets half of them at most. */
const mediaLooks = 32;

/** The account of a service without tenants. */
const defaultAccountId = "default";

/**
 * Creates the service.
 *
 * @throws SocialError `invalid_options` if an option is missing or wrong; the message names it and the remedy
 */
export function createSocialService<const Given extends Networks = Networks>(
  options: SocialServiceOptions<Given> & { tenants: true },
): TenantService<Given>;
export function createSocialService<const Given extends Networks = Networks>(
  options: SocialServiceOptions<Given> & { tenants?: false | undefined },
): SocialService<Given>;
export function createSocialService(options: SocialServiceOptions): SharedModules | SocialService {
  checkServiceOptions(options);
  const base = createBase(options, { isRunning: () => runner.isRunning() });
  const { hosting, openWork } = base;
  const { storage, clock, ids, logger } = base.shared;
  const outgoing = createOutgoing(options, base);
  const { webhooks, inbox, inboxWorker, answers } = createIncoming(options, base, outgoing);
  const connections: ConnectionPorts = {
    ...outgoing.profiles,
    baseUrl: options.baseUrl ?? null,
    trustedOrigins: options.trustedOrigins ?? [],
  };
  const profilesOf = (accountId: string): Profiles => createProfiles(outgoing.profiles, accountId);
  const deletions = createDeletions({ ...base.shared, profiles: profilesOf });
  const runner: Runner = createRunner({
    clock,
    logger,
    scheduler: base.scheduler,
    workers: { profiles: outgoing.worker, inboxes: inboxWorker, endpoints: createDeliveryWorker(webhooks) },
    startDuePosts: createStarter(outgoing.posts),
    hourly: createHourly(base, { deletions, pace: outgoing.pace, kinds: outgoing.kinds, ...keptTimes(options) }),
    untilIdle: openWork.untilIdle,
    async untilNextDue(withinMs) {
      const now = await storage.now();
      const dueAt = await storage.nextDueAt(now + withinMs);
      return dueAt === null ? withinMs : Math.min(withinMs, dueAt - now);
    },
  });
  const forAccount = (accountId: string): AccountModules => {
    checkAccountId(accountId);
    return {
      posts: createPosts(outgoing.posts, accountId),
      profiles: profilesOf(accountId),
      connections: createConnections(connections, accountId),
      webhooks: createWebhooks(webhooks, accountId),
      media: hosting.forAccount(accountId),
      inbox: createInbox(answers, accountId),
    };
  };
  const keys = createKeys({ storage, ids, defaultAccountId: options.tenants === true ? null : defaultAccountId });
  const accounts = createAccounts({
    storage,
    hosting,
    profiles: profilesOf,
    webhooks: (id) => createWebhooks(webhooks, id),
  });
  const networks = { list: base.registry.list };
  const { start, runDue } = createRuns(base, runner);
  const common = { start, stop: runner.stop, runDue, on: base.events.on, networks, keys, accounts, forAccount };
  const service = options.tenants === true ? common : { ...common, ...forAccount(defaultAccountId) };
  const received = { receiveHook: createReceiveHook(inbox), workInbox: inboxWorker.work };
  const logins = { loginCallback: createLoginCallback(connections), readDocument: createReadDocument(connections) };
  keepPorts(service, {
    storage,
    clock,
    logger,
    hosting,
    deletions,
    forAccount,
    networks,
    ...received,
    ...logins,
    baseUrl: options.baseUrl ?? null,
    trustedOrigins: options.trustedOrigins ?? [],
    track: openWork.add,
    untilIdle: openWork.untilIdle,
  });
  return service;
}

type Base = ReturnType<typeof createBase>;
type Outgoing = ReturnType<typeof createOutgoing>;

/** The ports that all parts of the service share. */
function createBase(options: SocialServiceOptions, { isRunning }: Pick<Runner, "isRunning">) {
  const { clock = systemClock, ids = randomIds, logger = quietLogger } = options;
  const storage = options.migrate === false ? options.storage : migratedStorage(options.storage);
  const reach = createReach(options, clock);
  const scheduler = options.scheduler ?? timerScheduler({ clock, logger });
  const adapters = options.networks ?? [];
  const registry = createRegistry(adapters);
  const watchVersions = watchApiVersions({ specs: adapters.map(({ spec }) => spec), clock, logger });
  const noInbox = createNoInboxWarning(adapters, logger);
  const events = createEvents<EventPayloads>(logger, noInbox.onListen);
  const encryptionKeys = encryptionKeysFor({ ...options, ids, logger });
  const media = { http: reach.mediaHttp, clock };
  const kept = { storage, clock, ids, logger, untrustedHttp: media.http };
  const hosting = createHosting(hostingPorts(options, { ...kept, encryptionKeys }));
  const location = { isKept: options.media?.keepLocation === true, isPulledAsGiven: options.mediaStore === undefined };
  const files = mediaOpening({ ...media, store: options.mediaStore ?? null, keyOf: hosting.keyOf }, location.isKept);
  const warnOnce = once(async (what: string) => {
    // A store that cannot be read shows no worker: then the warning is right, too.
    if (await isWorkerSeen(storage).catch(() => false)) return;
    logger.warn(
      `${what}, but no worker is running: call start() in this or another process, or runDue() from a cron job`,
    );
  });
  const wakeFor = (what: string) => (at: number, id: string) => {
    scheduler.wake(at, id);
    // A custom scheduler also wakes workers in other processes.
    if (options.scheduler === undefined && !isRunning()) warnOnce(what);
  };
  const shared = {
    storage,
    clock,
    ids,
    logger,
    outbox: createOutbox({ storage, ids, events, wake: wakeFor("a webhook delivery is due") }),
    vault: createVault(encryptionKeys, ids),
    hookUrl: createHookUrl(options.baseUrl ?? null),
    findHookSigners: createHookSigners(storage),
    adapter: registry.get,
    networkRefusal: registry.refusalOf,
  };
  const session = {
    outbound: reach.outbound,
    clock,
    ids,
    openMedia: (...given: Parameters<OpenMedia>) => openSource(...given, files),
    appLimits: createStoredAppLimits(storage),
  };
  return {
    shared,
    session,
    reach,
    registry,
    watchVersions,
    events,
    noInbox,
    scheduler,
    wakeFor,
    hosting,
    location,
    files,
    media,
    networkIds: adapters.map(({ spec }) => spec.network),
    /** For work that needs no warning if this process runs no worker. */
    wake: (at: number, id: string) => scheduler.wake(at, id),
    openWork: createOpenWork(),
    inspectInTurn: createFairTurns(mediaLooks),
  };
}

/** The HTTP clients: for networks, for hosts of files, and for webhook receivers. */
function createReach(options: SocialServiceOptions, clock: Clock) {
  const { http = (input, init) => globalThis.fetch(input, init) } = options;
  const allow = readAllowedHosts(options.allowedHosts);
  const ownNames = namesIn(new Set(Object.values(allow).flat()));
  // A custom `untrustedHttp` may resolve names differently.
  const resolve = options.untrustedHttp === undefined ? createResolve({ clock, ownNames }) : async () => [];
  const guard = (given: { allow: string[]; keepConnections?: boolean }): typeof fetch => {
    if (options.untrustedHttp === undefined) return createUntrustedHttp({ clock, resolve, ...given });
    return allowedFirst(options.untrustedHttp, given.allow, () => createUntrustedHttp({ clock, ...given }));
  };
  return {
    outbound: createOutbound({ http, untrustedHttp: guard({ allow: allow.instances }), clock }),
    mediaHttp: guard({ allow: allow.media }),
    // Connections can be kept: receivers may get an event twice anyway.
    webhookHttp: guard({ allow: allow.webhooks, keepConnections: true }),
    webhookRefusalOf: createRefusalOf({ clock, resolve, allow: allow.webhooks }),
  };
}

/** The host's time limits for posts, milliseconds. */
function postTimes({
  publishWaitMs = 25_000,
  maxRetryMs = 30 * 60_000,
  maxLatenessMs = 24 * 3_600_000,
}: SocialServiceOptions) {
  return { publishWaitMs, maxRetryMs, maxLatenessMs };
}

const dayMs = 86_400_000;

/** How long records are kept, milliseconds; null: for ever. */
function keptTimes({ retention = {} }: SocialServiceOptions) {
  const { posts_days, messages_days = 365, deliveries_days = 30 } = retention;
  return {
    postsKeptMs: posts_days === undefined ? null : posts_days * dayMs,
    messagesKeptMs: messages_days * dayMs,
    deliveriesKeptMs: deliveries_days * dayMs,
  };
}

/** Profiles, and what is sent on them. */
function createOutgoing(options: SocialServiceOptions, base: Base) {
  const { shared, session, hosting, openWork, media, wake } = base;
  const { publishWaitMs, maxRetryMs, maxLatenessMs } = postTimes(options);
  const publishing: PublishingPorts = {
    ...shared,
    outbound: session.outbound,
    session,
    inTurn: createTurns(),
    sentHere: createSentHere(shared.clock),
    pace: createPace(shared.clock),
    maxRetryMs,
    maxLatenessMs,
    postsKeptMs: keptTimes(options).postsKeptMs,
    ...mediaReading(base.files),
    freeze: hosting.freeze,
    signedUrl: hosting.signedUrl,
  };
  const kinds = [targetSubjects(publishing), replySubjects({ storage: shared.storage, events: base.events })];
  const worker = createProfileWorker({
    ...shared,
    ...publishing,
    kinds,
    checkHeld: (profile, lease) => checkHeld(profiles, profile, lease),
    wake,
  });
  const posts: PostPorts = {
    ...shared,
    worker,
    hosting,
    inspectMedia: (url, accountId) =>
      hosting.keyOf(url) === null
        ? base.inspectInTurn(accountId, () => inspectMedia(url, media))
        : hosting.inspect(url, accountId),
    ...mediaChanging(options.mediaTransformers, shared.logger),
    pullProblem: hosting.pullProblem,
    location: base.location,
    pace: publishing.pace,
    entitlements: options.entitlements ?? (() => true),
    publishWaitMs,
    maxRetryMs,
    maxLatenessMs,
    track: openWork.add,
    wake: base.wakeFor("a post is scheduled"),
  };
  const profiles: ProfilePorts = {
    ...shared,
    session,
    pullProblem: hosting.pullProblem,
    ...withInboxes({ ...shared, wake }),
    workProfile: worker.work,
  };
  return { worker, posts, profiles, kinds, pace: publishing.pace };
}

/** The inbox with its replies, and the webhooks to the host's receivers. */
function createIncoming(options: SocialServiceOptions, base: Base, { worker, profiles }: Outgoing) {
  const { shared, session, reach, events, openWork, wake } = base;
  const webhooks: WebhookPorts = {
    ...shared,
    untrustedHttp: reach.webhookHttp,
    refusalOf: reach.webhookRefusalOf,
    wake,
  };
  const inbox: InboxPorts = {
    ...shared,
    events,
    session,
    checkProfile: (profile) => checkProfile(profiles, profile),
    wake,
  };
  const { publishWaitMs } = postTimes(options);
  const { onEmptyList } = base.noInbox;
  const work = { workProfile: worker.work, track: openWork.add };
  const answers: AnswerPorts = { ...shared, events, publishWaitMs, onEmptyList, ...work };
  return { webhooks, inbox, inboxWorker: createInboxWorker(inbox), answers };
}

/** The work of about once an hour, independent of due rows. */
function createHourly(
  base: Base,
  {
    deletions,
    ...retention
  }: { deletions: Deletions; pace: Pace } & Pick<Outgoing, "kinds"> & ReturnType<typeof keptTimes>,
): () => Promise<void> {
  const { shared, hosting, watchVersions, networkIds } = base;
  const kept = { ...retention, storage: shared.storage };
  const addInboxes = onceDone(() => addMissingInboxes(shared, networkIds));
  return async () => {
    watchVersions();
    await noteWorker(shared.storage);
    await addInboxes();
    await pruneInboxes(kept);
    await deletions.work();
    await pruneDeliveries(kept);
    await prunePosts(kept);
    await pruneIntents(kept);
    await sweepConnections(shared.storage);
    await hosting.sweep();
    await wipeHourly(shared);
  };
}

/** `start` and `runDue`, which check the encryption key. */
function createRuns({ shared }: Base, runner: Runner): Pick<SharedModules, "start" | "runDue"> {
  const checkKey = createKeyCheck(shared);
  return {
    async start(options = {}) {
      checkStartOptions(options);
      await checkKey();
      if (options.restoredFrom !== undefined) await markRestored(shared, options.restoredFrom);
      await runner.start();
    },
    async runDue(...given) {
      // Due work comes first: a row that no key decrypts then fails with that reason.
      const report = await runner.runDue(...given);
      await checkKey();
      return report;
    },
  };
}

function checkAccountId(accountId: string): void {
  if (typeof accountId === "string" && accountId !== "") return;
  const message = `forAccount: the account must be a non-empty string, such as "acct_42", not ${describeValue(accountId)}.`;
  throw new SocialError("invalid_request", message);
}
