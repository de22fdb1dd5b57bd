import pRetry from "p-retry";
import { type EncodedBody, encodeBody, type OpenMedia } from "../../outbound/body.ts";
import { codeOf } from "../../outbound/guard/errors.ts";
import { type Exchange, type Outbound, TransportFailure } from "../../outbound/http.ts";
import { secretsIn } from "../../outbound/redaction.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import { PublishingError } from "../../wire/errors.ts";
import type { Json, JsonObject } from "../../wire/json.ts";
import type { NetworkAdapter, SignedPart } from "../contract/adapter.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import type { LoginContext, NetworkContext, NetworkRequest, NetworkResponse } from "../contract/request.ts";
import type { AppLimits } from "./app-limits.ts";
import { isSuccess, isUndecided, type Refusal, readRefusal } from "./error-map.ts";
import { boundaryFrom, onResponse, signRequest, toExchange } from "./exchange.ts";

/** The ports for requests to a network. */
export interface SessionPorts {
  outbound: Outbound;
  clock: Clock;
  ids: Ids;
  openMedia: OpenMedia;
  appLimits: AppLimits;
  /**
   * The common deadline of requests to hosts that a user named, while a user waits, by the monotonic clock. Absent:
   * each request has only its own timeout.
   */
  patienceEnd?: number;
}

/** How long a user who signs in waits for hosts that a user named, all requests together, milliseconds. */
const patienceMs = 15_000;

/** For work that a user waits for. */
export function withPatience<Ports extends SessionPorts>(ports: Ports): Ports {
  return { ...ports, patienceEnd: ports.clock.monotonic() + patienceMs };
}

/** For work that must not be aborted because a user is waiting. */
export function withoutHurry({ patienceEnd: _, ...ports }: SessionPorts): SessionPorts {
  return ports;
}

/** The network returned an error, by its error table, or could not be reached. `refusal` says what can be done. */
export class NetworkRefusal extends Error {
  override readonly name = "NetworkRefusal";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options: { cause?: unknown } = {}) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** The owner of a session's credentials. */
export interface SessionHolder {
  /** The host's app that issued the credentials. Null: unknown. */
  readonly app: string | null;
  /** The account of the service. */
  readonly accountId: string;
  /** The current profile, because its account may have moved. */
  readonly profile: ProfileFacts;
  /** The current credentials. Renewal replaces them. */
  secret(): JsonObject;
  /** Renews the credentials once. Throws PublishingError `reauthentication_required` when they are no longer valid. */
  renew(): Promise<void>;
  /** The store's time, to compare with times from the network. */
  now(): number;
  /** Runs an exchange and holds the profile's lease meanwhile. Throws if the lease is lost. */
  whileHeld<Value>(exchange: () => Promise<Value>): Promise<Value>;
}

/**
 * Context for requests before an account is connected. All hosts that the user named share one deadline, which starts
 * now. @param credentials the user's input, which no error may repeat
 */
export function createLoginContext(
  adapter: NetworkAdapter,
  given: SessionPorts,
  credentials: JsonObject = {},
): LoginContext {
  const ports = withPatience(given);
  const hold = { ...heldByNobody(ports), app: null, secrets: () => secretsIn(credentials) };
  return {
    now: () => ports.clock.now(),
    request: (request) => asPublishingError(() => sendRepeatably(adapter, request, ports, hold)),
  };
}

/** Context for requests on behalf of a profile: reads and stages, retried after temporary failures. */
export function createNetworkContext(
  adapter: NetworkAdapter,
  holder: SessionHolder,
  ports: SessionPorts,
): NetworkContext {
  const hold: Hold = { ...holder, secrets: () => secretsIn({ secret: holder.secret() }) };

  async function authorized(request: NetworkRequest): Promise<NetworkResponse> {
    const sign = (): Promise<SignedPart> =>
      signRequest(adapter, request, {
        profileHost: holder.profile.host,
        secret: holder.secret(),
        now: () => ports.clock.now(),
        ids: ports.ids,
      });
    return sendRepeatably(adapter, request, ports, { ...hold, sign });
  }

  return {
    accountId: holder.accountId,
    get profile() {
      return holder.profile;
    },
    get secret() {
      return holder.secret();
    },
    now: holder.now,
    async request(request) {
      const used = holder.secret();
      try {
        return await authorized(request);
      } catch (error) {
        if (!wants(error, "refresh") || adapter.connect.refresh === undefined) throw error;
        // Another request may have renewed them since this one was signed.
        if (holder.secret() === used) await holder.renew();
        return authorized(request);
      }
    },
  };
}

function wants(error: unknown, remedy: "refresh" | "sign_again"): boolean {
  return error instanceof NetworkRefusal && error.refusal.effect === "later" && error.refusal.remedy === remedy;
}

/** True: rejected although the access token was just renewed. Not all of the network's servers may know it yet, so the connection has not ended. */
export function isRefusedAnew(error: unknown, { connect }: Pick<NetworkAdapter, "connect">): boolean {
  return wants(error, "refresh") && connect.refresh !== undefined;
}

const defaultHardEndSeconds = 20;
const mediaHardEndSeconds = 300;

/** The timeout of the exchange, milliseconds. */
export function hardEndMsOf(request: NetworkRequest): number {
  return 1000 * (request.hardEndSeconds ?? (carriesMedia(request) ? mediaHardEndSeconds : defaultHardEndSeconds));
}

function carriesMedia({ body }: NetworkRequest): boolean {
  return body !== undefined && ("file" in body || "multipart" in body);
}

/** Waits between the attempts of a read or a stage, milliseconds. The engine handles longer waits. */
const retryWaitsMs = [500, 2_000];

interface Hold extends Pick<SessionHolder, "now" | "whileHeld" | "app"> {
  /** Absent: requests have no credential, or their own. Each attempt is signed again. */
  sign?(): Promise<SignedPart>;
  /** Texts that no response and no error may repeat. */
  secrets(): string[];
}

/** Before an account is connected there is no profile to hold. */
function heldByNobody({ clock }: SessionPorts): Pick<Hold, "now" | "whileHeld"> {
  return { now: () => clock.now(), whileHeld: (exchange) => exchange() };
}

async function sendRepeatably(
  adapter: NetworkAdapter,
  request: NetworkRequest,
  ports: SessionPorts,
  hold: Hold,
): Promise<NetworkResponse> {
  return pRetry(() => sendSigned(adapter, request, ports, hold), {
    retries: request.repeat === false ? 0 : retryWaitsMs.length,
    minTimeout: 0,
    maxTimeout: 0,
    shouldRetry: async ({ error, attemptNumber }) => {
      const passing = error instanceof NetworkRefusal && error.refusal.effect === "unknown";
      // A server that fails on a file may fail on it every time. The engine counts these failures.
      if (!passing || (carriesMedia(request) && error.refusal.status === 500)) return false;
      const waitMs = retryWaitsMs[attemptNumber - 1] ?? 0;
      if (patienceLeftMs(ports) <= waitMs) return false;
      await ports.clock.sleep(waitMs);
      return true;
    },
  });
}

/**
 * Signs and sends again immediately if the network asks only for a new signature. Nothing was done, so this also
 * applies to requests that are sent once.
 */
async function sendSigned(
  adapter: NetworkAdapter,
  request: NetworkRequest,
  ports: SessionPorts,
  hold: Hold,
): Promise<NetworkResponse> {
  try {
    return await sendOnce(adapter, request, ports, hold);
  } catch (error) {
    if (hold.sign === undefined || !wants(error, "sign_again")) throw error;
    return sendOnce(adapter, request, ports, hold);
  }
}

async function sendOnce(
  adapter: NetworkAdapter,
  request: NetworkRequest,
  ports: SessionPorts,
  hold: Hold,
): Promise<NetworkResponse> {
  const hardEndMs = hardEndMsOf(request);
  const response = await hold
    .whileHeld(async () => {
      const signed = (await hold.sign?.()) ?? request;
      const body = await bodyOf(request, ports);
      const exchange = toExchange(adapter, signed, { ...body, secrets: hold.secrets(), hardEndMs });
      const answer = await ports.outbound.send(withinPatience(exchange, ports));
      if (hold.sign) onResponse(adapter, { url: signed.url, headers: answer.headers, at: ports.clock.now() });
      return answer;
    })
    .catch((error: unknown) => {
      throw unreachable(error);
    });
  if (isSuccess(response, adapter.errors)) return response;
  if (isAccepted(request, response, adapter.errors)) return response;
  const refusal = readRefusal(response, adapter.errors, { now: hold.now(), operation: request.operation });
  await ports.appLimits.note({ network: adapter.spec.network, app: hold.app }, refusal);
  throw new NetworkRefusal(refusal);
}

function patienceLeftMs({ clock, patienceEnd }: SessionPorts): number {
  return patienceEnd === undefined ? Number.POSITIVE_INFINITY : patienceEnd - clock.monotonic();
}

/** A network's own hosts are known to respond. Any other host may stall on purpose. */
function withinPatience(exchange: Exchange, ports: SessionPorts): Exchange {
  const leftMs = patienceLeftMs(ports);
  if (exchange.trust === "fixed" || exchange.hardEndMs <= leftMs) return exchange;
  if (leftMs > 0) return { ...exchange, hardEndMs: leftMs };
  const { host } = new URL(exchange.url);
  throw new TransportFailure(
    "not_sent",
    `${host} was not called: the previous requests took more than ${patienceMs / 1_000} s.`,
  );
}

function isAccepted(
  { accept = [], acceptCodes = [] }: NetworkRequest,
  { status, body }: NetworkResponse,
  errors: NetworkAdapter["errors"],
): boolean {
  if (accept.includes(status)) return true;
  if (acceptCodes.length === 0 || isUndecided(status)) return false;
  const codes = errors.body.safeParse(body).data?.codes ?? [];
  return codes.some((code) => acceptCodes.includes(code));
}

async function bodyOf({ body }: NetworkRequest, ports: SessionPorts): Promise<{ body?: EncodedBody }> {
  if (body === undefined) return {};
  return { body: await encodeBody(body, { openMedia: ports.openMedia, boundary: boundaryFrom(ports.ids) }) };
}

function unreachable(error: unknown): unknown {
  if (!(error instanceof TransportFailure)) return error;
  const code = error.kind === "timeout" ? "timeout" : "network_error";
  return new NetworkRefusal(
    { effect: "unknown", code, message: error.message, networkMessage: "", status: null },
    { cause: error },
  );
}

async function asPublishingError<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NetworkRefusal ? (addressRefused(error) ?? toPublishingError(error)) : error;
  }
}

/** Causes are nested: our failure ← `TypeError: fetch failed` ← the guard's error. */
const deepestCause = 5;

/** The user must give another URL if the guard rejects this one; waiting does not help. Null: a different error. */
function addressRefused(refusal: NetworkRefusal): PublishingError | null {
  let cause = refusal.cause;
  for (let depth = 0; cause instanceof Error && depth < deepestCause; depth++) {
    if (codeOf(cause) === "ADDRESS_REFUSED")
      return new PublishingError("invalid_request", refusal.message, { cause: refusal.cause });
    cause = cause.cause;
  }
  return null;
}

/** For callers that cannot wait: converts the refusal to an error. */
export function toPublishingError(error: NetworkRefusal): PublishingError {
  return new PublishingError(error.refusal.code, error.message, {
    cause: error.cause,
  });
}

/** A value that `stage` keeps, with its expiry. */
export interface KeptValue {
  value: Json;
  expires_at: number;
  /** True: `value` is encrypted. Absent: it is not. */
  sealed?: true;
}

export type KeptValues = Record<string, KeptValue>;
