import { fromRow } from "../storage/typed.ts";
import type { Lease } from "../work/lease.ts";
import type { EndedAttempt } from "./outcome.ts";
import type { WebhookPorts } from "./ports.ts";
import { type DeliveryRow, type EndpointRow, readEndpoint } from "./rows.ts";
import { trySecrets } from "./secret.ts";
import { attemptTimeoutMs, sendWebhook } from "./send.ts";
import { createSettler } from "./settle.ts";

/** Concurrent deliveries to one endpoint, so that a receiver that recovers is not flooded. */
const atOnce = 8;
/** Maximum number of deliveries in one turn; other endpoints then get theirs. */
const maxAtATurn = 64;
/** After this time no more of the backlog is begun, milliseconds: a stalled receiver must not occupy a place for long. */
const backlogMs = 10_000;
/** Maximum age of the endpoint's known state when a delivery is sent, milliseconds. */
const freshMs = 100;
/** Interval of looking for newly due deliveries while others are running, milliseconds. */
const lookEveryMs = 1_000;

/**
 * Delivers all due deliveries, including those that become due meanwhile, and records their results. Returns true if
 * none is left; the rest stays due.
 *
 * @throws LeaseLost
 */
export async function takeTurn(ports: WebhookPorts, lease: Lease, endpoint: EndpointRow): Promise<boolean> {
  const settler = createSettler(ports, lease, endpoint);
  const isUpToDate = createUpToDateCheck(ports, lease, endpoint);
  const secrets = trySecrets(ports.vault, endpoint, lease.now());
  const queue = createQueue(ports, lease);
  const underWay = new Set<Promise<void>>();

  const mayBegin = async (): Promise<boolean> => !settler.isOver() && (await isUpToDate());

  async function beginAll(): Promise<void> {
    while (underWay.size < atOnce && (await mayBegin())) {
      const delivery = await queue.next();
      if (delivery === null) return;
      await lease.ensure(attemptTimeoutMs);
      const done: Promise<void> = deliver(ports, lease, { endpoint, secrets, delivery })
        .then(settler.add)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    }
  }

  try {
    for (await beginAll(); underWay.size > 0; await beginAll()) await oneOf(ports, underWay);
  } finally {
    await Promise.allSettled(underWay);
    await settler.flush();
  }
  return queue.isEmpty();
}

/** Resolves when one of them is done, or when it is time to look for newly due deliveries. */
async function oneOf({ clock }: WebhookPorts, underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const done = new AbortController();
  const look = clock.sleep(lookEveryMs, done.signal).catch(() => undefined);
  await Promise.race([look, ...underWay]);
  done.abort("done");
}

interface DueQueue {
  /** The next delivery; null: none is due now. */
  next(): Promise<DeliveryRow | null>;
  /** False: more are due than were started. */
  isEmpty(): boolean;
}

function createQueue({ storage }: WebhookPorts, lease: Lease): DueQueue {
  const startedAt = lease.now();
  /** Started deliveries, with the time at which each was due. */
  const taken = new Map<string, number | null>();
  let waiting: DeliveryRow[] = [];
  let left = maxAtATurn;
  let lookedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    lookedAt = lease.now();
    const { rows } = await storage.find("deliveries", {
      where: { webhook_id: lease.id, due_at: { lte: lookedAt } },
      order: { column: "due_at", direction: "asc" },
      limit: maxAtATurn,
      isCounted: false,
    });
    // A started delivery stays due until its result is recorded.
    waiting = rows.map((row) => fromRow<DeliveryRow>(row)).filter(({ id, due_at }) => taken.get(id) !== due_at);
  }

  return {
    async next() {
      if (lease.now() - lookedAt >= lookEveryMs) await look();
      // A stalled receiver must not delay deliveries that have become due since.
      const isBacklogOver = lease.now() - startedAt >= backlogMs;
      const place = waiting.findIndex(({ due_at }) => !isBacklogOver || (due_at ?? 0) > startedAt);
      const [delivery] = place === -1 || left === 0 ? [] : waiting.splice(place, 1);
      if (delivery === undefined) return null;
      taken.set(delivery.id, delivery.due_at);
      left -= 1;
      return delivery;
    },
    isEmpty: () => waiting.length === 0 && left > 0,
  };
}

async function deliver(
  ports: WebhookPorts,
  lease: Lease,
  {
    endpoint,
    secrets,
    delivery,
  }: { endpoint: EndpointRow; secrets: readonly string[] | { error: string }; delivery: DeliveryRow },
): Promise<EndedAttempt> {
  const { id, event, private: state } = delivery;
  const request = { url: endpoint.url, id, webhookId: endpoint.id, event, body: state.body };
  const attempt =
    "error" in secrets
      ? { response: null, error: secrets.error, durationMs: 0 }
      : await sendWebhook(ports, { ...request, secrets }, lease.now());
  const random = (ports.ids.bytes(1)[0] ?? 0) / 255;
  return { delivery, attempt, endedAt: await lease.checkedNow(), random };
}

/** Creates a check that the endpoint is unchanged since it was read, so that no delivery uses an old URL or an old secret. */
function createUpToDateCheck({ storage }: WebhookPorts, lease: Lease, endpoint: EndpointRow): () => Promise<boolean> {
  let readAt = lease.now();
  let isAsRead = true;
  return async () => {
    if (isAsRead && lease.now() - readAt >= freshMs) {
      const current = await readEndpoint(storage, endpoint.id);
      readAt = lease.now();
      isAsRead &&= current?.revision === endpoint.revision;
    }
    return isAsRead;
  };
}
