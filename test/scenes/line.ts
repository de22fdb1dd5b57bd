import { hostOf } from "../../src/sandbox/dispatch.ts";
import { applyFault, type FaultKind } from "../../src/sandbox/faults.ts";
import { mediaHost } from "../../src/sandbox/media-host.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { receiverFault } from "../prove/arena-faults.ts";
import { commitFault, requestFault } from "../prove/simulate-weather.ts";
import { createCounts, randomAt } from "./chance.ts";
import { delaysOf, laneOfRequest } from "./lanes.ts";
import type { SceneWorld } from "./world.ts";

/** Hears nothing any more. */
const never = new Promise<never>(() => {});

/** One process's line to the networks and receivers: what goes along it is written down, and goes wrong now and then. */
export function createLine(world: SceneWorld): (kill: () => void) => typeof fetch {
  const { plan, clock, sandbox, recording } = world;
  const commits = createCounts();
  const faultOf = createFaultChoice(world);

  return (kill) => async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    const lane = laneOfRequest(request);
    const body = new Uint8Array(await request.arrayBuffer());
    recording.add(lane, ...requestParts(request, body));
    await clock.sleep(delaysOf(lane).requestMs, signal);
    const operation = operationOf(sandbox, request);
    if (operation.isCommit) {
      const random = randomAt(plan.seed, "death at a request", lane, commits(lane));
      const dies = random.next() < world.shares.deaths;
      if (dies) kill();
      if (dies && random.next() < 0.5) return never;
    }
    const { method, url, headers } = request;
    const sent = { method, headers, ...(body.length === 0 ? {} : { body }) };
    const fault = faultOf(lane, operation);
    const response = await untilAborted(
      signal,
      applyFault({ fault, clock, signal, answer: () => sandbox.http(url, sent) }),
    );
    recording.add(lane, `< ${response.status}`);
    return response;
  };
}

interface SceneOperation {
  name: string;
  /** Null: it goes elsewhere. */
  network: string | null;
  isCommit: boolean;
}

/** For receivers, each delivery is an operation of its own. */
function operationOf(sandbox: Sandbox, { method, url: address, headers }: Request): SceneOperation {
  const request = { method, url: new URL(address), headers, bytes: new Uint8Array() };
  const network = hostOf(sandbox.networks, request);
  const name = network?.operation(request);
  return {
    name: name ?? headers.get("service-delivery") ?? method,
    network: network?.network ?? null,
    isCommit: network?.commits.includes(name ?? "") === true,
  };
}

/** What goes wrong goes by the number of such requests on a lane. */
function createFaultChoice(world: SceneWorld): (lane: string, operation: SceneOperation) => FaultKind | undefined {
  const counts = createCounts();
  return (lane, { name, network, isCommit }) => {
    const random = randomAt(world.plan.seed, "fault", lane, name, counts(`${lane} ${name}`));
    const { commits, requests, files, deliveries } = world.shares;
    const drawn = random.next();
    if (lane.startsWith("endpoint")) return drawn < deliveries ? receiverFault(random) : undefined;
    if (lane.startsWith("file")) return drawn < files ? { kind: "not_sent", code: "ECONNREFUSED" } : undefined;
    if (isCommit && network !== null) return drawn < commits ? commitFault(network, random) : undefined;
    return drawn < requests ? requestFault(random) : undefined;
  };
}

function untilAborted<Answer>(signal: AbortSignal, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    answer.then(resolve, reject);
  });
}

function requestParts({ method, url, headers }: Request, body: Uint8Array): unknown[] {
  const { hostname, pathname, search } = new URL(url);
  const named = ["idempotency-key", "range", "service-event", "service-delivery", "user-agent"].flatMap((name) => {
    const value = headers.get(name);
    return value === null || (name === "user-agent" && hostname === mediaHost)
      ? []
      : [`${name}: ${withoutVersion(value)}`];
  });
  const content = bodyParts(headers.get("content-type") ?? "", body);
  return [">", method, `${hostname}${pathname}${search}`, ...named, ...content];
}

/** The package's own version is not what a scene is about. */
function withoutVersion(value: string): string {
  return value.replace(/\b\d+\.\d+\.\d+\b/g, "(version)");
}

function bodyParts(contentType: string, body: Uint8Array): unknown[] {
  if (body.length === 0) return [];
  if (contentType.includes("json")) return [JSON.parse(Buffer.from(body).toString())];
  // The boundary is random.
  const text = Buffer.from(body)
    .toString("latin1")
    .replace(/postrider-[0-9a-f]{32}/g, "boundary");
  return [contentType.split(";")[0], { text }];
}
