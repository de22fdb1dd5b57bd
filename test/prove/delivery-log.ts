import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import type { DeliveryRow } from "../../src/webhooks/rows.ts";

/** A request to a receiver, as the line saw it. Times are milliseconds by the right clock. */
export interface SentRequest {
  process: string;
  /** The delivery's id. */
  id: string;
  webhookId: string;
  from: number;
  /** When it was answered, broke off or was given up; Infinity: not at all. */
  to: number;
  /** What came first, of requests and records alike: much happens within one millisecond. */
  order: number;
}

/** An attempt's end, as it was written down. */
export interface RecordedAttempt extends Settled {
  process: string;
  webhookId: string;
  at: number;
  order: number;
}

/** Everything that processes sent to receivers, and everything they recorded about it. */
export interface DeliveryLog {
  requests: readonly SentRequest[];
  records: readonly RecordedAttempt[];
  /** One process's way to the sandbox, looked at. */
  sandboxOf(process: string): Sandbox;
  /** One process's way to the store, looked at. */
  storageOf(process: string): Storage;
}

export function createDeliveryLog(world: { clock: ManualClock; sandbox: Sandbox; storage: Storage }): DeliveryLog {
  const { clock, sandbox, storage } = world;
  const requests: SentRequest[] = [];
  const records: RecordedAttempt[] = [];
  let order = 0;
  const endpointOf = new Map<string, string>();

  return {
    requests,
    records,
    sandboxOf(process) {
      const http: typeof fetch = async (input, init) => {
        const headers = new Headers(init?.headers);
        const id = headers.get("service-delivery");
        const webhookId = headers.get("service-webhook-id");
        if (id === null || webhookId === null || init?.signal?.aborted === true) return sandbox.http(input, init);
        const sent = { process, id, webhookId, from: clock.now(), to: Number.POSITIVE_INFINITY, order: order++ };
        requests.push(sent);
        endpointOf.set(id, webhookId);
        const end = (): void => {
          sent.to = Math.min(sent.to, clock.now());
        };
        // A Request that was collected as garbage no longer passes its signal on: this is the caller's own.
        init?.signal?.addEventListener("abort", end, { once: true });
        return sandbox.http(input, init).finally(end);
      };
      return { ...sandbox, http, untrustedHttp: http };
    },
    storageOf(process) {
      return {
        ...storage,
        migrate: () => storage.migrate(),
        async write(operations) {
          await storage.write(operations);
          const said = (each: Settled): RecordedAttempt => ({
            ...each,
            process,
            at: clock.now(),
            order: order++,
            webhookId: endpointOf.get(each.id) ?? "",
          });
          records.push(...operations.flatMap((each) => recordIn(each)).map(said));
        },
      };
    },
  };
}

type Settled = Pick<DeliveryRow, "id" | "status" | "attempts" | "due_at">;

function recordIn(operation: Operation): Settled[] {
  if (operation.kind !== "update" || operation.collection !== "deliveries") return [];
  const { attempts, status, due_at } = operation.change as Partial<DeliveryRow>;
  if (attempts === undefined || status === undefined || due_at === undefined) return [];
  return [{ id: operation.id, attempts, status, due_at }];
}
