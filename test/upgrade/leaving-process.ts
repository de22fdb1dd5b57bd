import { createHandler } from "../../src/http/index.ts";
import { inboxIdOf } from "../../src/inbox/rows.ts";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Ids } from "../../src/ports/ids.ts";
import { applyFault } from "../../src/sandbox/faults.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { commitOf } from "../support/commit-watch.ts";
import { createProcess, type SimulatedProcess } from "../support/process.ts";
import { testBaseUrl } from "../support/service.ts";
import type { LeftCase } from "./cases.ts";
import type { LeftRequest, LeftStep } from "./left.ts";
import type { LeftWorld } from "./world.ts";

export interface LeavingProcessOptions {
  world: LeftWorld;
  storage: Storage;
  ids: Ids;
  networks: NetworkAdapter[];
  /** What is carried out is added here. */
  steps: LeftStep[];
  /** What goes wrong, and when it dies. Null: nothing, and never. */
  left: Pick<LeftCase, "fault" | "faultFrom" | "diesAt"> | null;
  /** The only one that is worked on; empty: none. */
  profileId: string;
  /** The profile's inbox is read as well. */
  readsInbox?: boolean;
}

/** Hears nothing any more. */
const never = new Promise<never>(() => {});

/** A process that works on one profile alone, and dies where its case says. */
export function createLeavingProcess(options: LeavingProcessOptions): SimulatedProcess {
  const { world, storage, ids, networks, steps, left, profileId, readsInbox = false } = options;
  const { clock, sandbox } = world;
  let commits = 0;

  const http: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    const isCommit = commitOf(sandbox, request) !== null;
    if (isCommit) commits += 1;
    const sent = await sentRequest(request, clock.now());
    if (isCommit && left?.diesAt === "before_request") {
      process.kill();
      return never;
    }
    const answer = async (): Promise<Response> => {
      const response = await resend(sandbox.http, sent);
      if (response.ok) steps.push(sent);
      return response;
    };
    const fault = isCommit && commits >= (left?.faultFrom ?? 1) ? left?.fault : undefined;
    const response = await applyFault({ fault, clock, signal, answer });
    if (isCommit && left?.diesAt === "after_request") process.kill();
    return response;
  };

  const process: SimulatedProcess = createProcess({
    clock,
    sandbox: { ...sandbox, http },
    storage: {
      ...storage,
      claim: async (collection, given) => {
        if (profileId === "") return [];
        if (collection === "profiles") return storage.claim(collection, { ...given, id: profileId });
        return collection === "inboxes" && readsInbox
          ? storage.claim(collection, { ...given, id: inboxIdOf(profileId) })
          : [];
      },
      async write(operations) {
        await storage.write(operations);
        if (left?.diesAt !== undefined && operations.some((operation) => stateIn(operation) === left.diesAt))
          process.kill();
      },
    },
    service: { ids, networks, baseUrl: testBaseUrl },
  });
  return process;
}

/** What networks send comes to this process. */
export function sendHooksTo({ facebook, twitch }: Sandbox, { social }: Pick<SimulatedProcess, "social">): void {
  const handler = createHandler(social);
  facebook.sendHooksTo(handler);
  twitch.sendHooksTo(handler);
}

/** What an operation makes of an intent. */
function stateIn(operation: Operation): unknown {
  if (operation.collection !== "intents") return undefined;
  if (operation.kind === "insert") return operation.row.state;
  return operation.kind === "update" ? operation.change.state : undefined;
}

async function sentRequest(request: Request, at: number): Promise<LeftRequest> {
  const { method, url, headers } = request;
  const body = Buffer.from(await request.arrayBuffer()).toString("base64");
  return { at, method, url, headers: Object.fromEntries(headers), body };
}

export function resend(http: typeof fetch, { method, url, headers, body }: LeftRequest): Promise<Response> {
  return http(url, { method, headers, ...(body === "" ? {} : { body: Buffer.from(body, "base64") }) });
}
