import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { writeWithRetries } from "../storage/write-with-retries.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { afterAttempt, type EndedAttempt, endpointAfter } from "./outcome.ts";
import type { WebhookPorts } from "./ports.ts";
import { type EndpointRow, readEndpoint } from "./rows.ts";

/** Records the results of a turn's attempts. */
export interface Settler {
  /** Adds a result; it is recorded soon, together with others. */
  add(ended: EndedAttempt): void;
  /** True: stop sending, because the results disable the endpoint, or another process holds it. */
  isOver(): boolean;
  /** Resolves when all results are recorded. @throws LeaseLost */
  flush(): Promise<void>;
}

/**
 * How long a result waits for others before it is recorded, milliseconds. If the process dies meanwhile, the
 * deliveries are sent again.
 */
const gatherMs = 100;
/** How often the host may change an endpoint between read and write. */
const maxConflicts = 20;

export function createSettler(ports: WebhookPorts, lease: Lease, endpoint: EndpointRow): Settler {
  let waiting: EndedAttempt[] = [];
  let gathering: AbortController | null = null;
  let recorded: Promise<void> = Promise.resolve();
  let hasFailed = false;
  let expected = endpoint;

  async function record(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) await settle(ports, lease, batch);
  }

  function flush(): Promise<void> {
    gathering?.abort();
    gathering = null;
    recorded = recorded.then(record);
    recorded.catch(() => {
      hasFailed = true;
    });
    return recorded;
  }

  return {
    add(ended) {
      waiting.push(ended);
      expected = { ...expected, ...endpointAfter(expected, ended) };
      if (gathering !== null) return;
      gathering = new AbortController();
      // `flush` itself rejects with the failure.
      ports.clock
        .sleep(gatherMs, gathering.signal)
        .then(flush)
        .catch(() => undefined);
    },
    isOver: () => hasFailed || expected.status === "disabled",
    flush,
  };
}

/** Writes all results and their endpoint in one write, provided that this process still holds the endpoint. */
async function settle(ports: WebhookPorts, lease: Lease, ended: readonly EndedAttempt[]): Promise<void> {
  let batch = ended;
  const attempt = async (last: StorageConflict | null): Promise<void> => {
    // Deleted meanwhile, or already settled manually: skip it.
    if (last !== null && isConflictIn("deliveries", last)) batch = batch.toSpliced(last.index - 1, 1);
    const endpoint = await readEndpoint(ports.storage, lease.id);
    if (endpoint?.epoch !== lease.epoch)
      throw new LeaseLost("Another process delivers to this endpoint, or it was deleted.");
    let settled = endpoint;
    for (const each of batch) settled = { ...settled, ...endpointAfter(settled, each) };
    await writeWithRetries(ports, operationsFor(endpoint, settled, batch));
  };
  return retryConflicts(attempt, { max: maxConflicts });
}

function operationsFor(endpoint: EndpointRow, settled: EndpointRow, batch: readonly EndedAttempt[]): Operation[] {
  const { status, disabled_reason, consecutive_failures, last_succeeded_at, last_failed_at } = settled;
  const { revision, updated_at } = settled;
  const change = toChange({
    status,
    disabled_reason,
    consecutive_failures,
    last_succeeded_at,
    last_failed_at,
    revision,
    updated_at,
  });
  const where = { epoch: endpoint.epoch, revision: endpoint.revision };
  return [
    { kind: "update", collection: "endpoints", id: endpoint.id, change, where },
    ...batch.map(
      (each): Operation => ({
        kind: "update",
        collection: "deliveries",
        id: each.delivery.id,
        change: toChange(afterAttempt(each)),
        where: { status: "pending" },
      }),
    ),
  ];
}
