import { createDueWorker, type DueWorker } from "../storage/due-worker.ts";
import { type Lease, LeaseLost } from "../storage/lease.ts";
import { fromRow } from "../storage/typed.ts";
import type { WebhookPorts } from "./ports.ts";
import { type DeliveryRow, type EndpointRow, readEndpoint } from "./rows.ts";
import { openSecrets } from "./secret.ts";
import { attemptTimeoutMs, sendParcel } from "./send.ts";
import { createSettler } from "./settle.ts";

/** Deliveries to one endpoint under way at once: a receiver that comes back is not run over. */
const atOnce = 8;
/** Deliveries that one turn takes on; then it is others' turn. */
const mostAtATurn = 64;
/** How long an endpoint is taken to have the address and the secret that it had, milliseconds. */
const freshMs = 100;

/** Delivers what is due, one holder to an endpoint, so that a receiver that hangs holds up nobody else's. */
export function createDeliveryWorker(ports: WebhookPorts): DueWorker {
  return createDueWorker<EndpointRow>(ports, {
    collection: "endpoints",
    work: (_row, lease) => workEndpoint(ports, lease),
  });
}

async function workEndpoint(ports: WebhookPorts, lease: Lease): Promise<void> {
  for (;;) {
    const endpoint = await readEndpoint(ports.storage, lease.id);
    if (endpoint === null) throw new LeaseLost("The endpoint was deleted.");
    const due = endpoint.status === "active" ? await dueDeliveries(ports, lease) : [];
    await deliverAll(ports, lease, { endpoint, due });
    if (due.length === mostAtATurn) return yieldTurn(ports, lease);
    if (due.length === 0 && (await finish(ports, lease, endpoint))) return;
  }
}

async function dueDeliveries({ storage }: WebhookPorts, lease: Lease): Promise<DeliveryRow[]> {
  const { rows } = await storage.find("deliveries", {
    where: { webhook_id: lease.id, due_at: { lte: lease.now() } },
    order: { column: "due_at", direction: "asc" },
    limit: mostAtATurn,
  });
  return rows.map((row) => fromRow<DeliveryRow>(row));
}

async function deliverAll(
  ports: WebhookPorts,
  lease: Lease,
  { endpoint, due }: { endpoint: EndpointRow; due: readonly DeliveryRow[] },
): Promise<void> {
  if (due.length === 0) return;
  const { id, url } = endpoint;
  const secrets = openSecrets(ports.vault, endpoint, lease.now());
  const settler = createSettler(ports, lease, endpoint);
  const queue = [...due];
  let readAt = lease.now();
  let isAsRead = true;
  /** A receiver that takes long must not get the rest of a turn at an old address, or signed with an old secret. */
  const lookAgain = async (): Promise<boolean> => {
    if (isAsRead && lease.now() - readAt >= freshMs) {
      const current = await readEndpoint(ports.storage, id);
      readAt = lease.now();
      isAsRead &&= current?.revision === endpoint.revision;
    }
    return isAsRead;
  };
  const lanes = Array.from({ length: Math.min(atOnce, queue.length) }, async () => {
    for (let delivery = queue.shift(); delivery !== undefined; delivery = queue.shift()) {
      await lease.ensure(attemptTimeoutMs);
      if (!(await lookAgain())) return;
      const parcel = {
        url,
        id: delivery.id,
        webhookId: id,
        event: delivery.event,
        body: delivery.private.body,
        secrets,
      };
      const attempt = await sendParcel(ports, parcel, lease.now());
      const random = (ports.ids.bytes(1)[0] ?? 0) / 255;
      settler.add({ delivery, attempt, endedAt: lease.now(), random });
      if (settler.isOver()) queue.length = 0;
    }
  });
  const ends = await Promise.allSettled(lanes);
  await settler.flush();
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** More is due here, and others may be waiting: back to the end of the queue. */
async function yieldTurn(ports: WebhookPorts, lease: Lease): Promise<void> {
  const now = lease.now();
  while (!(await lease.release(now)));
  ports.wake(now, lease.id);
}

/** Gives the endpoint back; false when something became due meanwhile. */
async function finish(ports: WebhookPorts, lease: Lease, endpoint: EndpointRow): Promise<boolean> {
  const dueAt = endpoint.status === "active" ? await nextAttemptAt(ports, endpoint.id) : null;
  if (!(await lease.release(dueAt))) return false;
  if (dueAt !== null) ports.wake(dueAt, endpoint.id);
  return true;
}

async function nextAttemptAt({ storage }: WebhookPorts, webhookId: string): Promise<number | null> {
  const { rows } = await storage.find("deliveries", {
    where: { webhook_id: webhookId, due_at: { not_null: true } },
    order: { column: "due_at", direction: "asc" },
    limit: 1,
  });
  const [row] = rows;
  return row === undefined ? null : fromRow<DeliveryRow>(row).due_at;
}
