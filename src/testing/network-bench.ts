import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { CommitFile, CommitRequest, CommitSlice } from "../networks/contract/commit.ts";
import type { IdentifiedPart, Part, PlannedMedia } from "../networks/contract/plan.ts";
import type { ProfileFacts } from "../networks/contract/profile.ts";
import type {
  FileContent,
  LoginContext,
  NetworkContext,
  NetworkResponse,
  StageContext,
} from "../networks/contract/request.ts";
import { createAppLimits } from "../networks/runtime/app-limits.ts";
import { boundaryFrom, onResponse, signRequest, toExchange, toRequestBody } from "../networks/runtime/exchange.ts";
import { createLoginContext, createNetworkContext, type SessionPorts } from "../networks/runtime/session.ts";
import { encodeBody, type OpenMedia } from "../outbound/body.ts";
import { createOutbound } from "../outbound/http.ts";
import type { Clock } from "../ports/clock.ts";
import { randomIds } from "../ports/ids.ts";
import { type SandboxAnswer, type SandboxRequest, toResponse } from "../sandbox/exchange.ts";
import { applyFault } from "../sandbox/faults.ts";
import type { SandboxHost, SandboxPorts } from "../sandbox/network.ts";
import type { Json, JsonObject } from "../wire/json.ts";
import { type ManualClock, manualClock } from "./clock.ts";
import type { NetworkScene } from "./network/scene.ts";

/** A request to a simulated network. */
export interface SeenRequest {
  /** HTTP method, in capitals. */
  method: string;
  /** The network's name for the operation. */
  operation: string;
  /** The full URL with its query. */
  url: URL;
  /** The headers as sent, including credentials. */
  headers: Headers;
  /** Its body; empty: none. */
  bytes: Uint8Array;
  /** The response; null: none yet. */
  answer: SandboxAnswer | null;
}

/** One adapter with the simulation of its network. */
export interface NetworkBench<Network extends SandboxHost> {
  /** The clock, which only `run` and the test move. */
  clock: ManualClock;
  /** The simulated network. */
  network: Network;
  /** The tested adapter. */
  adapter: NetworkAdapter;
  /** All requests that have reached the network, in order. */
  seen: SeenRequest[];
  /** Media files by URL. */
  files: Map<string, Uint8Array>;
  /** The context of `connect.login`. */
  login: LoginContext;
  /** Signs in and creates the profile's contexts. */
  connect(credentials: JsonObject): Promise<ConnectedProfile>;
  /** Runs work; waits on the clock take no real time. */
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** A connected profile on the bench, with the contexts that the engine would create. */
export interface ConnectedProfile {
  /** The adapter's facts about the account. */
  profile: ProfileFacts;
  /** Its current credentials. */
  secret(): JsonObject;
  /** The context of the adapter's functions. */
  context: NetworkContext;
  /** A stage context; `kept` stores the values of `once`, and `previous` is the part that this one replies to. */
  stage(kept: Record<string, Json>, index?: number, previous?: IdentifiedPart | null): StageContext;
  /** Sends a request of `commit` once; `media` are the part's, for requests with files. */
  send(request: CommitRequest, media?: readonly PlannedMedia[]): Promise<NetworkResponse>;
}

/**
 * Tests one adapter with its simulated network, without service and engine: with the real transport, the real error
 * table, and a clock that only `run` moves.
 *
 * @param options.network creates the simulation; it handles every request, and one to another host fails
 */
export function networkBench<Network extends SandboxHost>(options: {
  adapter: NetworkAdapter;
  network: (ports: SandboxPorts) => Network;
}): NetworkBench<Network> {
  const clock = manualClock();
  const files = new Map<string, Uint8Array>();
  const network = options.network({ clock, random: sequence(), fetch: async (input) => fileAnswer(files, input) });
  const seen: SeenRequest[] = [];
  const http = fetchOver(network, clock, seen);
  const openMedia: OpenMedia = async ({ url }, { slice }) => {
    const bytes = fileAt(files, url).subarray(slice?.from, slice?.to);
    return { stream: new Blob([bytes.slice()]).stream(), size_bytes: bytes.length };
  };
  const ports: SessionPorts = {
    outbound: createOutbound({ http, untrustedHttp: http, clock }),
    clock,
    ids: randomIds,
    openMedia,
    appLimits: createAppLimits(),
  };
  const { adapter } = options;
  const login = createLoginContext(adapter, ports);
  return {
    clock,
    network,
    adapter,
    seen,
    files,
    login,
    run: (work) => clock.run(work),
    connect: (credentials) => clock.run(() => connect({ adapter, ports, login, files, credentials })),
  };
}

async function connect(options: {
  adapter: NetworkAdapter;
  ports: SessionPorts;
  login: LoginContext;
  files: Map<string, Uint8Array>;
  credentials: JsonObject;
}): Promise<ConnectedProfile> {
  const { adapter, ports, files } = options;
  const { identity, credentials } = await adapter.connect.login(options.login, options.credentials);
  const { external_id, handle, url, limits, host, account_facts: known, scopes } = identity;
  const profile: ProfileFacts = {
    id: "prof_test",
    external_id,
    handle,
    url,
    limits,
    host,
    account_facts: known,
    scopes,
  };
  let { secret } = credentials;
  const context = createNetworkContext(
    adapter,
    {
      accountId: "default",
      app: identity.app ?? null,
      profile,
      secret: () => secret,
      async renew() {
        const renewed = await adapter.connect.refresh?.(context);
        if (renewed !== undefined) secret = renewed.secret;
      },
      now: () => ports.clock.now(),
      whileHeld: (exchange) => exchange(),
    },
    ports,
  );
  return {
    profile,
    secret: () => secret,
    context,
    stage: (kept, index = 0, previous = null) => ({
      accountId: context.accountId,
      get profile() {
        return context.profile;
      },
      get secret() {
        return context.secret;
      },
      request: (request) => context.request(request),
      now: () => context.now(),
      index,
      count: index + 1,
      previous,
      uniqueName: `name-${index}`,
      async once<Value extends Json>(name: string, make: () => Promise<Value>): Promise<Value> {
        if (!(name in kept)) kept[name] = await make();
        return kept[name] as Value;
      },
      async forget(name) {
        delete kept[name];
      },
      readMedia: async (address) => fileAt(files, address),
      readStart: async (address, { bytes }) => fileAt(files, address).subarray(0, bytes),
      signedUrl: async (address) => address,
    }),
    async send(request, media = []) {
      const signer = { profileHost: host, secret, now: () => ports.clock.now(), ids: ports.ids };
      const signed = await signRequest(adapter, request, signer);
      const body = await encodeBody(
        toRequestBody(request.body, (file) => contentOf(file, media)),
        { openMedia: ports.openMedia, boundary: boundaryFrom(ports.ids) },
      );
      const exchange = toExchange(adapter, signed, { body, hardEndMs: 30_000 });
      const answer = await ports.outbound.send({ ...exchange, trust: "fixed" });
      onResponse(adapter, { url: signed.url, headers: answer.headers, at: ports.clock.now() });
      return answer;
    },
  };
}

/**
 * Creates a case of `networkContract`: connects a profile, and gives it a part to post.
 *
 * @param options.part the bytes of its media are in `bench.files`
 */
export async function networkScene<Network extends SandboxHost>(
  bench: NetworkBench<Network>,
  options: { credentials: JsonObject; part: Part },
): Promise<NetworkScene> {
  const connected = await bench.connect(options.credentials);
  const kept: Record<string, Json> = {};
  return {
    profile: connected.profile,
    secret: connected.secret(),
    part: options.part,
    context: connected.stage(kept),
    staged: () => kept,
    send: (request) => connected.send(request, options.part.media),
    requests: () => bench.seen,
    faults: bench.network.faults,
    run: bench.run,
    wait: (seconds) => bench.clock.advance(seconds * 1000),
  };
}

function contentOf(file: CommitFile | CommitSlice, media: readonly PlannedMedia[]): FileContent {
  const named = media[file.media];
  if (named === undefined) throw new Error(`the part has no media ${file.media}`);
  const slice = "from" in file ? { slice: { from: file.from, to: file.to } } : {};
  return { contentType: named.mime_type, media: named, maxBytes: named.size_bytes ?? 0, ...slice };
}

function fetchOver(network: SandboxHost, clock: Clock, seen: SeenRequest[]): typeof fetch {
  return async (input, init) => {
    const whole = new Request(input, init);
    const request: SandboxRequest = {
      method: whole.method,
      url: new URL(whole.url),
      headers: whole.headers,
      bytes: new Uint8Array(await whole.arrayBuffer()),
    };
    if (!network.serves(request.url.hostname)) throw new Error(`unexpected host ${request.url.hostname}`);
    const operation = network.operation(request);
    const entry: SeenRequest = { ...request, operation, answer: null };
    seen.push(entry);
    const fault = network.faults.next(operation, network.commits.includes(operation));
    return applyFault({
      fault,
      clock,
      signal: whole.signal,
      answer: async () => {
        entry.answer = await network.answer(request);
        return toResponse(entry.answer);
      },
    });
  };
}

/** The response to a network that fetches a file. */
function fileAnswer(files: Map<string, Uint8Array>, input: Parameters<typeof fetch>[0]): Response {
  const bytes = files.get(new Request(input).url);
  return bytes === undefined ? new Response("no such file", { status: 404 }) : new Response(bytes.slice());
}

function fileAt(files: Map<string, Uint8Array>, url: string): Uint8Array {
  const bytes = files.get(url);
  if (bytes === undefined) throw new Error(`the test has no file ${url}`);
  return bytes;
}

/** Numbers in [0, 1) that are the same in every run. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
