import type { MediaStore } from "../../src/media/store/store.ts";
import type { SocialServiceOptions } from "../../src/options.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { createSocialService, type SocialService } from "../../src/service.ts";
import type { Storage } from "../../src/storage/storage.ts";
import type { CommitWatch } from "./commit-watch.ts";
import { silentLogger } from "./logger.ts";
import { testKey, testNetworks } from "./service.ts";

/** A process of the simulation: a service that can die at any call it makes to the world outside. */
export interface SimulatedProcess {
  social: SocialService;
  /** Resolves when it dies. */
  died: Promise<void>;
  isDead(): boolean;
  /** How many moments it could have died at so far: two for each call, before and after. */
  moments(): number;
  kill(): void;
}

export interface ProcessOptions {
  storage: Storage;
  sandbox: Sandbox;
  clock: Clock;
  /** Dies at this moment, from 0: even numbers before a call, odd ones after it. @default never */
  dieAt?: number | undefined;
  /** The call that is made at this moment, counted like `dieAt`, takes `ms` longer. @default never */
  stall?: { at: number; ms: number } | undefined;
  watch?: CommitWatch;
  /** It can die at reads of the store, too; that is like dying at the write before, so it is not always worth the time. @default false */
  mortalReads?: boolean | undefined;
  /** The machine's wall clock is off by this much, milliseconds. @default 0 */
  skewMs?: number;
  /** The store's time is the machine's, as with SQLite; else it is its own and right, as with a server. @default false */
  storeOnMachine?: boolean;
  /** The store's clock is put back by `ms` at this monotonic time, milliseconds. @default never */
  storePutBack?: { at: number; ms: number } | undefined;
  service?: Partial<SocialServiceOptions> & { tenants?: false };
}

function storeAheadMs({ clock, skewMs = 0, storeOnMachine = false, storePutBack }: ProcessOptions): number {
  const putBackMs = storePutBack !== undefined && clock.monotonic() >= storePutBack.at ? storePutBack.ms : 0;
  return (storeOnMachine ? skewMs : 0) - putBackMs;
}

export function createProcess(options: ProcessOptions): SimulatedProcess {
  const { storage, sandbox, clock, skewMs = 0 } = options;
  let moment = 0;
  let dead = false;
  let announceDeath = (): void => {};
  // A dead process hears nothing any more, and nobody hears it. One for all of them would hold all of them.
  const never = new Promise<never>(() => {});
  const died = new Promise<void>((resolve) => {
    announceDeath = resolve;
  });

  function kill(): void {
    dead = true;
    announceDeath();
  }

  /** False when the process is dead by then. */
  async function passes(): Promise<boolean> {
    const reached = moment;
    moment += 1;
    if (reached === options.dieAt) kill();
    if (reached === options.stall?.at) await clock.sleep(options.stall.ms);
    return !dead;
  }

  async function through<Value>(call: () => Promise<Value>): Promise<Value> {
    if (!(await passes())) return never;
    let outcome: Value | undefined;
    let failure: { error: unknown } | undefined;
    try {
      outcome = await call();
    } catch (error) {
      failure = { error };
    }
    if (!(await passes())) return never;
    if (failure !== undefined) throw failure.error;
    return outcome as Value;
  }

  const read = <Value>(call: () => Promise<Value>): Promise<Value> => {
    if (options.mortalReads === true) return through(call);
    return dead ? never : call();
  };

  const { claimPosts } = storage;
  const mortalStorage: Storage = {
    ...storage,
    migrate: () => storage.migrate(),
    now: () => read(async () => (await storage.now()) + storeAheadMs(options)),
    get: (...question) => read(() => storage.get(...question)),
    find: (...question) => read(() => storage.find(...question)),
    nextDueAt: (until) => read(() => storage.nextDueAt(until)),
    write: (operations) => through(() => storage.write(operations)),
    claim: (...question) => through(() => storage.claim(...question)),
    ...(claimPosts && { claimPosts: (options) => through(() => claimPosts(options)) }),
  };
  const mortalLine: typeof fetch = (...request) => through(() => sandbox.http(...request));
  const mortalHttp = options.watch?.between(mortalLine, { isDead: () => dead }) ?? mortalLine;
  const mortalClock: Clock = {
    now: () => clock.now() + skewMs,
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal).then(() => (dead ? never : undefined)),
  };
  const { mediaStore: store } = options.service ?? {};
  const mortalStore: MediaStore | undefined = store && {
    put: (...file) => through(() => store.put(...file)),
    head: (key) => read(() => store.head(key)),
    read: (...question) => read(() => store.read(...question)),
    delete: (...file) => through(() => store.delete(...file)),
  };
  const social = createSocialService({
    networks: testNetworks(),
    encryptionKey: testKey,
    storage: mortalStorage,
    clock: mortalClock,
    http: mortalHttp,
    untrustedHttp: mortalHttp,
    logger: silentLogger,
    ...options.service,
    mediaStore: mortalStore,
  });
  return { social, died, isDead: () => dead, moments: () => moment, kill };
}
