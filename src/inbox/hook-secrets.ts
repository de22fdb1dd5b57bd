import type { SignedByApp } from "../networks/contract/hooks.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import type { Storage, Where } from "../storage/storage.ts";
import { accountsOfInboxes } from "./hook-accounts.ts";

/** The app that a network's request is about. */
export interface HookApp {
  network: string;
  appId: string;
}

/** The possible signers of requests about an app. */
export interface HookSigners {
  /** Finds the signer of a request; null: no tried secret matches. */
  find(claim: SignedClaim): Promise<HookSigner | null>;
}

/** A request that claims to be the network's. */
export interface SignedClaim {
  /** True: it is signed with this secret. */
  isSignedWith(secret: string): boolean;
  /** Number of bytes that one check of the signature reads. */
  bytes: number;
  /** Lists the accounts that the unverified request names. Their secrets are the likely ones. */
  likely(): Promise<readonly string[]>;
}

/** The signer of a request. */
export interface HookSigner {
  secret: string;
  /** True: the app belongs to an account. Its owner has the secret and can sign events that no network has sent. */
  isOfAccounts: boolean;
  /**
   * True: the account has configured this secret. An account can claim another account's app id with an invented
   * secret.
   */
  isOf(accountId: string): Promise<boolean>;
}

/** The possible signers of the requests to a URL. */
export interface HookSenders {
  /**
   * The signer whose key proves the request. Null: none does. `later`: the key cannot be read now, so the network has to
   * send the request again.
   */
  find(claim: SignedClaim): Promise<HookSigner | "later" | null>;
  /** The inboxes that the request may be about. */
  inboxes: Where;
}

/** Null: the service does not know the app, or its secrets sign nothing. */
export type FindHookSigners = (hooks: Hooks, app: HookApp) => Promise<HookSigners | null>;

/** Maximum number of accounts whose secrets are read for one request, besides the likely ones. */
const maxWalked = 100;
/** Accounts whose secrets are read concurrently. */
const askedAtOnce = 10;
/** Maximum number of bytes that all checks of one request read. A large body is checked against few secrets. */
const maxTriedBytes = 16_000_000;

/**
 * Finds the account whose secret has signed a request. If accounts configure their own apps, any account may claim any
 * app id. Such claims must neither block the true owner's requests nor slow them down.
 */
export function createHookSigners(storage: Storage): FindHookSigners {
  const memory = createMemory();
  return async ({ signed }, app) => {
    if (signed.by !== "app") return null;
    const { network, appId } = app;
    const { appOfAll } = signed;
    if (appOfAll !== null) return appOfAll.id === appId ? ofOneApp(appOfAll.signingSecrets) : null;
    const where = { network, app_id: appId };
    const isKnown = (await accountsOfInboxes(storage, where, { after: "", max: 1 })).length > 0;
    return isKnown ? ofAccounts(storage, signed, { appId, where, known: memory.of(app) }) : null;
  };
}

function ofOneApp(secrets: readonly string[]): HookSigners {
  return {
    async find({ isSignedWith }) {
      const secret = secrets.find(isSignedWith);
      return secret === undefined ? null : trusted(secret);
    },
  };
}

/** For a key that no account made up. */
export function trusted(secret: string): HookSigner {
  return { secret, isOfAccounts: false, isOf: async () => true };
}

function ofAccounts(
  storage: Storage,
  { appOf }: SignedByApp,
  { appId, where, known }: { appId: string; where: Where; known: KnownApp },
): HookSigners {
  const secretsOf: SecretsOf = async (accountId) => {
    const app = await appOf(accountId);
    return app?.id === appId ? app.signingSecrets : [];
  };

  /** The next accounts after the last walk's end; after the last account it continues with the first. */
  async function others(): Promise<readonly string[]> {
    const after = known.walkedTo;
    const behind = await accountsOfInboxes(storage, where, { after, max: maxWalked });
    if (after === "" || behind.length === maxWalked) return behind;
    return [...behind, ...(await accountsOfInboxes(storage, where, { after: "", max: maxWalked - behind.length }))];
  }

  return {
    async find(claim) {
      const tried = new Set<string>();
      const maxTried = Math.max(1, Math.floor(maxTriedBytes / Math.max(1, claim.bytes)));
      let failure: unknown = null;
      let isWalk = false;
      const walk = (): Promise<readonly string[]> => {
        isWalk = true;
        return others();
      };
      for await (const answer of askInTurn([async () => known.signed, claim.likely, walk], secretsOf)) {
        failure ??= answer.failure;
        for (const secret of answer.secrets.filter((each) => !tried.has(each))) {
          if (tried.size === maxTried) return null;
          tried.add(secret);
          if (!claim.isSignedWith(secret)) continue;
          known.signed = [...new Set([answer.accountId, ...known.signed])].slice(0, maxSigned);
          return { secret, isOfAccounts: true, isOf: ownerTest(secret, secretsOf) };
        }
        if (isWalk) known.walkedTo = answer.accountId;
      }
      // An account whose secret could not be read may be the signer: the network sends the request again.
      if (failure !== null) throw failure;
      return null;
    },
  };
}

type SecretsOf = (accountId: string) => Promise<readonly string[]>;

interface Answer {
  accountId: string;
  secrets: readonly string[];
  /** Why the secrets could not be read; null: they were read. */
  failure: unknown;
}

/** Reads the accounts' secrets, each once and some concurrently, list after list. */
async function* askInTurn(
  lists: readonly (() => Promise<readonly string[]>)[],
  secretsOf: SecretsOf,
): AsyncGenerator<Answer> {
  const asked = new Set<string>();
  const ask = (accountId: string): Promise<Answer> =>
    secretsOf(accountId).then(
      (secrets) => ({ accountId, secrets, failure: null }),
      (failure: unknown) => ({ accountId, secrets: [], failure }),
    );
  for (const list of lists) {
    const accounts = [...new Set(await list())].filter((id) => !asked.has(id));
    for (let start = 0; start < accounts.length; start += askedAtOnce) {
      const some = accounts.slice(start, start + askedAtOnce);
      for (const id of some) asked.add(id);
      yield* await Promise.all(some.map(ask));
    }
  }
}

function ownerTest(secret: string, secretsOf: SecretsOf): HookSigner["isOf"] {
  const answers = new Map<string, Promise<boolean>>();
  return (accountId) => {
    const answer = answers.get(accountId) ?? secretsOf(accountId).then((secrets) => secrets.includes(secret));
    answers.set(accountId, answer);
    return answer;
  };
}

/** What this process remembers of an app that accounts have configured. */
interface KnownApp {
  /**
   * Accounts whose secrets matched, the newest first. Several, so that an account with many requests does not displace
   * all others.
   */
  signed: readonly string[];
  /** The last account of the last walk over all accounts; empty: there was no walk. */
  walkedTo: string;
}

const maxSigned = 8;
const maxKnownApps = 1_000;

function createMemory(): { of(app: HookApp): KnownApp } {
  const apps = new Map<string, KnownApp>();
  return {
    of({ network, appId }) {
      const key = `${network}/${appId}`;
      const known = apps.get(key) ?? { signed: [], walkedTo: "" };
      apps.delete(key);
      apps.set(key, known);
      const [oldest] = apps.keys();
      if (apps.size > maxKnownApps && oldest !== undefined) apps.delete(oldest);
      return known;
    },
  };
}
