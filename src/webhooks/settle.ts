import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type StorageConflict } from "../storage/storage.ts";
import { toChange } from "../storage/typed.ts";
import { writeWithRetries } from "../storage/write-with-retries.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { afterAttempt, type EndedAttempt, endpointAfter } from "./outcome.ts";
import type { WebhookPorts } from "./ports.ts";
import { type EndpointRow, readEndpoint } from "./rows.ts";

/** Records how the attempts of one turn ended. */
export interface Settler {
  /** Notes an end; it is recorded soon, together with others. */
  add(ended: EndedAttempt): void;
  /** True when nothing more may be sent: the endpoint is disabled by what was noted, or has another holder. */
  isOver(): boolean;
  /** Resolves once all is recorded. @throws LeaseLost */
  flush(): Promise<void>;
}

/** How long an end waits for others before it is recorded, milliseconds. A process that dies delivers them again. */
const gatherMs = 100;
/** How often the host may change an endpoint between its being read and written. */
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
      // `flush` rejects with a failure.
      ports.clock
        .sleep(gatherMs, gathering.signal)
        .then(flush)
        .catch(() => undefined);
    },
    isOver: () => hasFailed || expected.status === "disabled",
    flush,
  };
}

/** One write for all of them and their endpoint, as long as its holder is the one that sent them. */
async function settle(ports: WebhookPorts, lease: Lease, ended: readonly EndedAttempt[]): Promise<void> {
  let batch = ended;
  const attempt = async (last: StorageConflict | null): Promise<void> => {
    // Deleted meanwhile, or settled by hand: there is nothing to record about it.
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
