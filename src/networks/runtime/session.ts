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

/** What talking to a network needs. */
export interface SessionPorts {
  outbound: Outbound;
  clock: Clock;
  ids: Ids;
  openMedia: OpenMedia;
  appLimits: AppLimits;
  /** When nobody waits any longer for servers whose address somebody gave, by the monotonic clock. Absent: each request has its own end alone. */
  patienceEnd?: number;
}

/** How long somebody who logs in waits for servers whose address somebody gave, all requests together, milliseconds. */
const patienceMs = 15_000;

/** For work that somebody waits for. */
export function withPatience<Ports extends SessionPorts>(ports: Ports): Ports {
  return { ...ports, patienceEnd: ports.clock.monotonic() + patienceMs };
}

/** For work that must not be broken off because somebody waits for it. */
export function withoutHurry({ patienceEnd: _, ...ports }: SessionPorts): SessionPorts {
  return ports;
}

/** The network said no, by its error table, or could not be asked. `refusal` says what may be done. */
export class NetworkRefusal extends Error {
  override readonly name = "NetworkRefusal";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options: { cause?: unknown } = {}) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** Whose credentials a session works with. */
export interface SessionHolder {
  /** The host's app that the credentials came through; null: none is known. */
  readonly app: string | null;
  /** The account of the service. */
  readonly accountId: string;
  /** As it now is: an account may turn out to have moved. */
  readonly profile: ProfileFacts;
  /** The credentials as they now are; renewing replaces them. */
  secret(): JsonObject;
  /** Renews the credentials once; throws PublishingError `reauthentication_required` when they are dead. */
  renew(): Promise<void>;
  /** The store's time, which what a network says of later is compared with. */
  now(): number;
  /** Runs an exchange: keeps the profile meanwhile, or throws. */
  whileHeld<Value>(exchange: () => Promise<Value>): Promise<Value>;
}

/** Requests before anyone is connected, from now on until patience ends. @param credentials what the user gave, which no error may repeat */
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

/** Requests in the name of a profile: reads and stages, repeated after passing failures. */
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

/** Refused although the login was renewed just now: not all of a network's servers may know it yet. It is not over. */
export function isRefusedAnew(error: unknown, { connect }: Pick<NetworkAdapter, "connect">): boolean {
  return wants(error, "refresh") && connect.refresh !== undefined;
}

const defaultHardEndSeconds = 20;
const mediaHardEndSeconds = 300;

/** How long the exchange may take, milliseconds. */
export function hardEndMsOf(request: NetworkRequest): number {
  return 1000 * (request.hardEndSeconds ?? (carriesMedia(request) ? mediaHardEndSeconds : defaultHardEndSeconds));
}

function carriesMedia({ body }: NetworkRequest): boolean {
  return body !== undefined && ("file" in body || "multipart" in body);
}

/** Waits between the tries of a read or a stage, milliseconds. Longer waits are the engine's. */
const retryWaitsMs = [500, 2_000];

interface Hold extends Pick<SessionHolder, "now" | "whileHeld" | "app"> {
  /** Absent: requests go without a credential, or bring their own. Each sending is signed anew. */
  sign?(): Promise<SignedPart>;
  /** What no answer and no failure may repeat. */
  secrets(): string[];
}

/** Before anyone is connected there is no profile to keep. */
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
      // A server that fails at a file may fail at it each time; the engine counts.
      if (!passing || (carriesMedia(request) && error.refusal.status === 500)) return false;
      const waitMs = retryWaitsMs[attemptNumber - 1] ?? 0;
      if (patienceLeftMs(ports) <= waitMs) return false;
      await ports.clock.sleep(waitMs);
      return true;
    },
  });
}

/** Signed anew at once where that is all that is asked for: nothing was done, so that holds for what is sent once, too. */
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

/** A network's own hosts are known to answer; any other may be silent on purpose. */
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

/** Who gave an address that nobody may reach has to give another one: waiting does not help. Null: it is something else. */
function addressRefused(refusal: NetworkRefusal): PublishingError | null {
  let cause = refusal.cause;
  for (let depth = 0; cause instanceof Error && depth < deepestCause; depth++) {
    if (codeOf(cause) === "ADDRESS_REFUSED")
      return new PublishingError("invalid_request", refusal.message, { cause: refusal.cause });
    cause = cause.cause;
  }
  return null;
}

/** For callers that cannot wait: the refusal as the error it amounts to. */
export function toPublishingError(error: NetworkRefusal): PublishingError {
  return new PublishingError(error.refusal.code, error.message, {
    cause: error.cause,
  });
}

/** A value that a stage keeps, with its end. */
export interface KeptValue {
  value: Json;
  expires_at: number;
  /** `value` is encrypted. Absent: it is not. */
  sealed?: true;
}

export type KeptValues = Record<string, KeptValue>;
