import type { SignedByApp } from "../networks/contract/hooks.ts";
import type { Hooks } from "../networks/contract/inbox.ts";
import type { Storage, Where } from "../storage/storage.ts";
import { accountsOfInboxes } from "./hook-accounts.ts";

/** Which app a network's request is about. */
export interface HookApp {
  network: string;
  appId: string;
}

/** Who may have signed requests about an app. */
export interface HookSigners {
  /** By whose secret a request is proven; null: by none that was tried. */
  find(claim: SignedClaim): Promise<HookSigner | null>;
}

/** A request of which somebody says that it is the network's. */
export interface SignedClaim {
  /** Is it signed with this secret? */
  isSignedWith(secret: string): boolean;
  /** What one trial reads over, bytes. */
  bytes: number;
  /** Accounts whose secret is likely the right one, by what the request says and nobody has verified yet. */
  likely(): Promise<readonly string[]>;
}

/** Whose secret it was. */
export interface HookSigner {
  secret: string;
  /** Each account has an app of its own: whoever has the secret may sign what no network ever said. */
  isOfAccounts: boolean;
  /** Has the account this secret itself? Where each has an app of its own, one may name another's with a secret that it made up. */
  isOf(accountId: string): Promise<boolean>;
}

/** Who may have signed what is sent to an address. */
export interface HookSenders {
  /**
   * By whose key a request is proven; null: by none · `later`: nobody can tell now, so that the network is to send it
   * again.
   */
  find(claim: SignedClaim): Promise<HookSigner | "later" | null>;
  /** The inboxes that it may be about. */
  inboxes: Where;
}

/** Null: the app is not known here, or its secrets sign nothing. */
export type FindHookSigners = (hooks: Hooks, app: HookApp) => Promise<HookSigners | null>;

/** Accounts of an app that are asked for their secret for one request, at most, beside those that are likely. */
const maxWalked = 100;
/** Accounts that are asked at once. */
const askedAtOnce = 10;
/** What all trials of a request read over, bytes: a signature is tried against few secrets where the body is large. */
const maxTriedBytes = 16_000_000;

/**
 * Finds the account that has the secret. Where each account configures its own app, any account may claim any app id.
 * Such claims must neither block the true owner's requests nor slow them down.
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

  /** Behind where the last walk ended, and round. */
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
  /** Null: there was an answer. */
  failure: unknown;
}

/** Asks accounts for their secrets, each once and some at a time, list after list. */
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

/** What is remembered of an app that accounts name, for as long as the process lives. */
interface KnownApp {
  /** Accounts whose secret was right, the newest first: several, so that nobody who signs all the time crowds out another. */
  signed: readonly string[];
  /** The account that the last walk over all of them asked last; empty: there was none. */
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
