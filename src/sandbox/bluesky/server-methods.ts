import * as z from "zod";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { Refusal } from "../parts/refusal.ts";
import { type Accounts, firstServer, type SandboxAccount } from "./accounts.ts";
import { invalidRequest, refusal } from "./refusal.ts";
import type { Repository } from "./repository.ts";
import type { Sessions } from "./sessions.ts";

/** Methods by HTTP method and name. */
export type Methods = Readonly<Record<string, (request: SandboxRequest) => SandboxAnswer>>;

/** Returns the account of a request's token. @throws Refusal */
export type Authenticate = (request: SandboxRequest) => SandboxAccount;

export const serverDid = `did:web:${firstServer}`;

/** The methods of the accounts' server: account data and sessions. */
export function serverMethods({
  accounts,
  sessions,
  authenticate,
  blobLimit,
}: {
  accounts: Accounts;
  sessions: Sessions;
  authenticate: Authenticate;
  /** Bytes; null: it reports none. */
  blobLimit: () => number | null;
}): Methods {
  return {
    "GET com.atproto.identity.resolveHandle": (request) => resolveHandle(accounts, request),
    "GET com.atproto.server.describeServer": () => {
      const limit = blobLimit();
      const domains = { availableUserDomains: [".sandbox.example"] };
      return ok({ did: serverDid, ...domains, ...(limit === null ? {} : { blobUploadLimit: limit }) });
    },
    "POST com.atproto.server.createSession": (request) => sessions.create(logIn(accounts, request)),
    "POST com.atproto.server.refreshSession": (request) => sessions.refresh(withoutBody(request)),
    "POST com.atproto.server.deleteSession": (request) => sessions.remove(withoutBody(request)),
    "GET com.atproto.server.getSession": (request) => {
      const { did, claimed } = sessionHolder(request, authenticate);
      return ok({ did, handle: claimed, emailConfirmed: true, active: true });
    },
  };
}

export function repositoryMethods(repository: Repository, authenticate: Authenticate): Methods {
  return {
    "POST com.atproto.repo.uploadBlob": (request) => repository.uploadBlob(authenticate(request), request),
    "POST com.atproto.repo.createRecord": (request) => repository.write(authenticate(request), request, "create"),
    "POST com.atproto.repo.applyWrites": (request) => repository.applyWrites(authenticate(request), request),
    "POST com.atproto.repo.putRecord": (request) => repository.write(authenticate(request), request, "put"),
    "GET com.atproto.repo.getRecord": (request) => repository.getRecord(request),
  };
}

/** Issues tokens for other services, and recognizes them. */
export function createServiceAuth({ clock }: SandboxPorts, sessions: Sessions, authenticate: Authenticate) {
  const serviceTokens = new Set<string>();

  function grant(request: SandboxRequest): SandboxAnswer {
    const { did } = authenticate(request);
    const { aud, lxm, exp } = Object.fromEntries(request.url.searchParams);
    if (!aud?.startsWith("did:")) throw invalidRequest("aud must be a DID");
    const now = Math.floor(clock.now() / 1000);
    const expiry = exp === undefined ? now + 60 : Number(exp);
    if (expiry <= now || expiry > now + 3600 || (lxm === undefined && expiry > now + 60))
      throw refusal(400, "BadExpiration", "The expiration is out of bounds");
    const token = sessions.sign({ iss: did, aud, exp: expiry, ...(lxm === undefined ? {} : { lxm }) });
    serviceTokens.add(token);
    return ok({ token });
  }

  return { grant, isServiceToken: (token: string) => serviceTokens.has(token) };
}

/** Only getSession does not report that an account was taken down: seen on a PDS 0.4.217 (2026-11). */
function sessionHolder(request: SandboxRequest, authenticate: Authenticate): SandboxAccount {
  try {
    return authenticate(request);
  } catch (error) {
    const isTakenDown = error instanceof Refusal && error.code === "AccountTakedown";
    throw isTakenDown ? invalidRequest("Could not find user info for account") : error;
  }
}

function resolveHandle(accounts: Accounts, request: SandboxRequest): SandboxAnswer {
  const handle = request.url.searchParams.get("handle") ?? "";
  if (!/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(handle)) throw invalidRequest("Error: handle must be a valid handle");
  const account = accounts.find(handle);
  if (account === undefined) throw refusal(400, "HandleNotFound", "Unable to resolve handle");
  return ok({ did: account.did });
}

const logInSchema = z.looseObject({ identifier: z.string(), password: z.string() });

function logIn(accounts: Accounts, request: SandboxRequest): SandboxAccount {
  const parsed = logInSchema.safeParse(jsonBody(request));
  if (!parsed.success) throw invalidRequest("Input must have the properties identifier and password");
  const account = accounts.find(parsed.data.identifier);
  if (account === undefined || account.password !== parsed.data.password)
    throw refusal(401, "AuthenticationRequired", "Invalid identifier or password");
  return account;
}

function withoutBody(request: SandboxRequest): SandboxRequest {
  if (request.bytes.length > 0) throw invalidRequest("A request body was provided when none was expected");
  return request;
}
