import { describe, expect, it } from "vitest";
import { createHandler } from "../src/http/handler.ts";
import { toNextJsHandler } from "../src/http/next.ts";
import { toNodeHandler } from "../src/http/node.ts";
import { memoryMediaStore } from "../src/media/memory.ts";
import { sharpTransformer } from "../src/media/sharp/index.ts";
import { bluesky } from "../src/networks/bluesky/index.ts";
import { createSandbox } from "../src/sandbox/sandbox.ts";
import { bullmqScheduler } from "../src/scheduler/bullmq.ts";
import { pgBossScheduler } from "../src/scheduler/pg-boss.ts";
import { timerScheduler } from "../src/scheduler/timer.ts";
import { createSocialService } from "../src/service.ts";
import { memoryStorage } from "../src/storage/memory.ts";
import { postgresMigrationSql, postgresStorage } from "../src/storage/postgres/index.ts";
import { sqliteStorage } from "../src/storage/sqlite/index.ts";
import { manualClock } from "../src/testing/clock.ts";
import { SocialError } from "../src/wire/errors.ts";
import { createTestService, testKey } from "./support/service.ts";

/** The error of a call that is wrong on purpose. */
function refusalOf(call: () => unknown): SocialError {
  try {
    call();
  } catch (error) {
    if (SocialError.is(error)) return error;
    throw error;
  }
  return expect.unreachable();
}

/** The service with one option that no type would allow. */
function serviceWith(options: object): () => unknown {
  return () => createSocialService({ storage: memoryStorage(), encryptionKey: testKey, ...options });
}

class Pool {}

describe("a service in place of a handler is rejected immediately, with the right argument", () => {
  const { social } = createTestService();
  it.each<[string, (given: never) => unknown]>([
    ["toNodeHandler", toNodeHandler],
    ["toNextJsHandler", toNextJsHandler],
  ])("by %s", (name, mount) => {
    const error = refusalOf(() => mount(social as never));
    expect(error.code).toBe("invalid_options");
    expect(error.message).toBe(
      `${name} requires a handler: ${name}(createHandler(social)). Pass the service to createHandler, and its result to this function.`,
    );
    expect(refusalOf(() => mount(undefined as never)).message).toContain(`${name}(createHandler(social)).`);
  });
});

describe("an invalid option of the service is named with its value and the right one", () => {
  it.each<[string, object, string]>([
    ["no storage", { storage: undefined }, "storage: Missing: must be a storage: memoryStorage(), "],
    ["a file's name", { storage: "social.db" }, 'sqliteStorage("social.db") or postgresStorage(pool), not the string'],
    ["a function", { storage: memoryStorage }, "storage: Must be a storage: "],
    ["a promise", { storage: Promise.resolve() }, "not a promise: await it first."],
    ["a pool", { storage: new Pool() }, "not an object of the class Pool."],
    ["half a storage", { storage: { get() {}, find() {} } }, "not an object without migrate, now, write, claim"],
    ["a network's function", { networks: [bluesky] }, "networks[0]: Must be the result of bluesky(), not the function"],
    [
      "a network outside a list",
      { networks: bluesky() },
      "networks: Must be a list of networks, such as [bluesky()], not an object.",
    ],
    [
      "a network's name",
      { networks: ["bluesky"] },
      'networks[0]: Must be a network, such as bluesky(), not the string "bluesky".',
    ],
    ["a typo", { encriptionKey: testKey }, "encriptionKey: Did you mean encryptionKey? There is no such option."],
    ["a name in another case", { allowhosts: [] }, "allowhosts: Did you mean allowedHosts? There is no such option."],
    ["an unknown name", { retries: 3 }, "retries: There is no such option; known are storage, migrate, networks"],
    ["a number as key", { encryptionKey: 5 }, "encryptionKey: Must be 32 bytes in base64 as a string"],
    ["null as key", { encryptionKey: null }, "or a list of strings of this form, not null."],
    [
      "a time with unit",
      { publishWaitMs: "10s" },
      'publishWaitMs: Must be a whole number of milliseconds, 0 to 86,400,000, not the string "10s".',
    ],
    ["a negative time", { publishWaitMs: -1 }, "not the number -1."],
    ["half a millisecond", { maxRetryMs: 0.5 }, "maxRetryMs: Must be a whole number of milliseconds"],
    ["not a number", { maxRetryMs: Number.NaN }, "not the number NaN."],
    ["an infinite time", { maxLatenessMs: Number.POSITIVE_INFINITY }, "not the number Infinity."],
    [
      "a retention of no day",
      { retention: { posts_days: 0 } },
      "retention.posts_days: Must be a whole number of days, 1 to 36,500, not the number 0.",
    ],
    [
      "messages that networks still list",
      { retention: { messages_days: 7 } },
      "retention.messages_days: Must be a whole number of days, 30 to 36,500, not the number 7.",
    ],
    [
      "a retention with a unit",
      { retention: { deliveries_days: "30d" } },
      'retention.deliveries_days: Must be a whole number of days, 1 to 36,500, not the string "30d".',
    ],
    ["a slip in it", { retention: { post_days: 90 } }, "retention.post_days: Did you mean posts_days?"],
    ["a string for a switch", { tenants: "true" }, 'tenants: Must be true or false, not the string "true".'],
    ["a number for a switch", { migrate: 0 }, "migrate: Must be true or false, not the number 0."],
    ["a list for a function", { entitlements: [] }, "entitlements: Must be a function that returns"],
    ["a client for fetch", { http: {} }, "http: Must be a function like fetch, not an object."],
    [
      "a URL for fetch",
      { untrustedHttp: "https://u:p@proxy" },
      "untrustedHttp: Must be a function like fetch, not a URL.",
    ],
    [
      "Date for a clock",
      { clock: Date },
      "clock: Must be a clock with now, monotonic and sleep, not the function Date without monotonic, sleep.",
    ],
    ["a function for a logger", { logger: console.log }, "logger: Must be a logger with debug, info, warn and error"],
    ["a name for a scheduler", { scheduler: "pg-boss" }, "scheduler: Must be a scheduler with start, wake and stop"],
    ["the function of a scheduler", { scheduler: timerScheduler }, "not the function timerScheduler."],
    ["a function for ids", { ids: () => "id" }, "ids: Must be a source of ids with create and bytes"],
    [
      "one host outside a list",
      { allowedHosts: "localhost:3000" },
      'allowedHosts: Must be a list of hosts, such as ["localhost:3000"]',
    ],
    ["a port without a host", { allowedHosts: [3000] }, "allowedHosts[0]: Must be a host with its port"],
    [
      "a folder for a media store",
      { mediaStore: "media" },
      'mediaStore: Must be a media store: filesStore("media") or',
    ],
    [
      "a store without a baseUrl",
      { mediaStore: memoryMediaStore() },
      "baseUrl: Missing: mediaStore needs it, because uploaded files are served below it. Set it to the URL where",
    ],
    [
      "a transformer without a store",
      { mediaTransformers: [sharpTransformer()] },
      "mediaStore: Missing: mediaTransformers needs it, because a converted file is kept there until its post is",
    ],
    ["a path for a URL", { baseUrl: "/social" }, "baseUrl: Must be a URL such as"],
    ["a URL with a query", { baseUrl: "https://a.example/?b" }, "baseUrl: Must be a URL such as"],
    ["zero bytes", { media: { maxFileBytes: 0 } }, "media.maxFileBytes: Must be a whole number of bytes, 1 to"],
    ["a limit's typo", { media: { maxBytes: 1 } }, "media.maxBytes: There is no such option"],
    [
      "hosts for an unknown use",
      { allowedHosts: { webhook: [] } },
      "allowedHosts.webhook: Did you mean webhooks? There is no such option.",
    ],
  ])("%s", (_, options, message) => {
    const error = refusalOf(serviceWith(options));
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/^createSocialService: invalid options\. /);
    expect(error.code).toBe("invalid_options");
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "options: Must be an object, not nothing."],
    ["an empty object", {}, "storage: Missing"],
    ["a storage outside of options", memoryStorage(), "storage: Missing"],
  ])("%s in place of all options", (_, options, message) => {
    expect(refusalOf(() => createSocialService(options as never)).message).toContain(message);
  });

  it("and so is each of several", () => {
    const error = refusalOf(serviceWith({ publishWaitMs: "10s", maxRetryMs: "1h", tenant: true }));
    expect(error.details.map(({ field }) => field)).toEqual(["tenant", "publishWaitMs", "maxRetryMs"]);
    expect(error.message).toMatch(/And 2 more \(publishWaitMs, maxRetryMs\); see details\.$/);
  });

  it("but never with a secret", () => {
    const secret = "canary-that-is-a-password";
    for (const options of [
      { encryptionKey: secret },
      { encryptionKey: [secret, 5] },
      { encryptionKey: { secret } },
      { encriptionKey: secret },
      { media: { signingKey: secret } },
      { storage: `postgres://user:${secret}@db/social` },
      { untrustedHttp: `https://user:${secret}@proxy` },
    ]) {
      const error = refusalOf(serviceWith(options));
      expect(`${error} ${JSON.stringify(error)} ${error.stack}`).not.toContain(secret);
    }
  });

  it.each([
    { encryptionKey: undefined },
    { networks: undefined, allowedHosts: undefined, publishWaitMs: undefined, logger: undefined },
    { allowedHosts: ["localhost:3000"], publishWaitMs: 0, tenants: false, migrate: false },
    { logger: console, http: fetch, scheduler: timerScheduler() },
  ])("and a valid one is accepted: %o", (options) => {
    expect(serviceWith({ logger: console, ...options, encryptionKey: testKey })).not.toThrow();
  });
});

describe("the argument of another function", () => {
  const { social } = createTestService();
  const createWorker = (): never => expect.unreachable();
  const queue = { add: async () => undefined, on: () => undefined };
  const called = async (): Promise<never> => expect.unreachable();
  const boss = { createQueue: called, getQueue: called, send: called, fetch: called, deleteJob: called };

  it.each<[string, () => Promise<unknown>, string]>([
    ["a start's typo", () => social.start({ restoredfrom: new Date() } as never), "Did you mean restoredFrom?"],
    [
      "a start with a number",
      () => social.start({ restoredFrom: 5 } as never),
      "restoredFrom: Must be a Date or a string",
    ],
    [
      "a run's time with unit",
      () => social.runDue({ forMs: "1s" } as never),
      'forMs: Must be a whole number of milliseconds, 0 to 86,400,000, not the string "1s".',
    ],
    [
      "a run of zero",
      () => social.runDue({ atMost: 0 }),
      "atMost: Must be a whole number of posts, profiles, inboxes and endpoints, 1 to",
    ],
    ["a run's typo", () => social.runDue({ atmost: 5 } as never), "Did you mean atMost?"],
    ["a stop with a unit", () => social.stop("10s" as never), "graceMs: Must be a whole number of milliseconds"],
  ])("is checked before anything runs: %s", async (_, call, message) => {
    const error = await call().catch((error: unknown) => error);
    if (!SocialError.is(error)) throw error;
    expect(error.message).toContain(message);
  });

  it.each<[string, () => unknown, string]>([
    [
      "a URL for a pool",
      () => postgresStorage("postgres://user:canary@db/social" as never),
      "client: Must be a pool: const pool = new Pool({ connectionString }) of the package pg, then postgresStorage(pool). A connected Client of pg, and what postgres() of the package postgres returns, work too; not a connection string.",
    ],
    ["nothing for a pool", () => postgresStorage(undefined as never), "client: Missing: must be a pool"],
    [
      "an option for a pool",
      () => postgresStorage({ pool: "postgres://db" } as never),
      "client: Must be a pool: const pool",
    ],
    [
      "a prefix with a dot",
      () => postgresStorage({ query() {} } as never, { tablePrefix: "social." }),
      'tablePrefix: Must be letters, digits and _, at most 32, not the string "social.".',
    ],
    [
      "a prefix that is too long",
      () => postgresMigrationSql("a".repeat(41)),
      "tablePrefix: Must be letters, digits and _, at most 32",
    ],
    [
      "another option",
      () => postgresStorage({ query() {} } as never, { prefix: "a" } as never),
      "prefix: There is no such option; known are clock and tablePrefix.",
    ],
    ["no file", () => sqliteStorage("" as never), 'database: Must be a file name such as "social.db"'],
    ["another database's URL", () => sqliteStorage("postgres://user:canary@db/social"), "not a URL."],
    ["a pool", () => sqliteStorage(new Pool() as never), "not an object of the class Pool."],
    ["an option of SQLite", () => sqliteStorage(":memory:", { clock: 5 } as never), "clock: Must be a clock"],
    ["a clock outside of options", () => memoryStorage({ now() {} } as never), "now: There is no such option"],
    [
      "a scheduler's typo",
      () => timerScheduler({ loger: console } as never),
      "loger: Did you mean logger? There is no such option.",
    ],
    [
      "a server without https",
      () => bluesky({ service: "bsky.social" }),
      'service: Must be the URL of a server, such as "https://pds.example.com", not the string "bsky.social".',
    ],
    ["no queue", () => bullmqScheduler(undefined as never, { createWorker }), "queue: Missing: must be a Queue"],
    [
      "a worker in place of the function that creates it",
      () => bullmqScheduler(queue, { createWorker: {} } as never),
      "createWorker: Must be a function that makes a Worker of the queue, not an object.",
    ],
    ["only a queue", () => bullmqScheduler(queue, undefined as never), "options: Must be an object, not nothing."],
    [
      "a database's URL for a boss",
      () => pgBossScheduler("postgres://user:canary@db/social" as never),
      "boss: Must be a boss of pg-boss, such as new PgBoss(connectionString), not a URL.",
    ],
    [
      "a time with unit",
      () => pgBossScheduler(boss, { pollMs: "1s" } as never),
      'pollMs: Must be a whole number of milliseconds, 10 to 3,600,000, not the string "1s".',
    ],
    [
      "a queue without a name",
      () => pgBossScheduler(boss, { queue: "" }),
      "queue: Must be a name, not an empty string.",
    ],
    [
      "a network's typo",
      () => bluesky({ servise: "https://bsky.social" } as never),
      "servise: Did you mean service? There is no such option.",
    ],
    [
      "a base path with a host",
      () => createHandler(social, { basePath: "https://app.example/social" }),
      'basePath: Must be a path such as "/social", not a URL.',
    ],
    [
      "a typo in the handler's options",
      () => createHandler(social, { basepath: "/social" } as never),
      "basepath: Did you mean basePath? There is no such option.",
    ],
    [
      "a limit of zero",
      () => createHandler(social, { limits: { read: 0 } }),
      "limits.read: Must be a whole number of requests a minute, 1 to 1,000,000, not the number 0.",
    ],
    [
      "a limit's typo",
      () => createHandler(social, { limits: { reads: 9 } } as never),
      "limits.reads: Did you mean read? There is no such option.",
    ],
    [
      "an object that is not a service",
      () => createHandler({} as never),
      "createHandler requires the object that createSocialService returned",
    ],
    [
      "an event that does not exist",
      () => social.on("post.done" as never, () => {}),
      'on: unknown event "post.done"; known are post.published, ',
    ],
    ["an event's typo", () => social.on("post.publised" as never, () => {}), "did you mean post.published?"],
    ["an event of the wrong kind", () => social.on(7 as never, () => {}), "on: unknown event the number 7; known are"],
    [
      "no listener",
      () => social.on("post.failed", undefined as never),
      'on: the listener of "post.failed" must be a function',
    ],
    [
      "no account",
      () => social.forAccount(undefined as never),
      'forAccount: the account must be a non-empty string, such as "acct_42", not nothing.',
    ],
  ])("is named when it is wrong: %s", (_, call, message) => {
    const error = refusalOf(call);
    expect(error.message).toContain(message);
    expect(`${error} ${JSON.stringify(error)}`).not.toContain("canary");
  });
});

describe("a service on a sandbox", () => {
  const clock = manualClock();
  const { http, untrustedHttp } = createSandbox({ clock });
  const storage = memoryStorage({ clock });

  it.each([
    ["untrustedHttp", { http, clock }],
    ["http", { untrustedHttp, clock }],
    ["clock", { http, untrustedHttp }],
  ])("requires %s", (missing, ports) => {
    expect(() => createSocialService({ storage, ...ports })).toThrow(`${missing}: Missing:`);
  });

  it("needs no clock where the sandbox uses the machine's", () => {
    const { http: machineHttp, untrustedHttp: machineUntrusted } = createSandbox();
    expect(() => createSocialService({ storage, http: machineHttp, untrustedHttp: machineUntrusted })).not.toThrow();
  });

  it("may reach real receivers that it allows", () => {
    expect(() => createSocialService({ storage, http, clock, allowedHosts: ["localhost:3000"] })).not.toThrow();
  });
});
