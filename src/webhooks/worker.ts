import { fromRow } from "../storage/typed.ts";
import { createDueWorker, type DueWorker } from "../work/due-worker.ts";
import { type Lease, LeaseLost } from "../work/lease.ts";
import { bringDeliveriesForward } from "./bring-forward.ts";
import type { WebhookPorts } from "./ports.ts";
import { type DeliveryRow, type EndpointRow, readEndpoint } from "./rows.ts";
import { takeTurn } from "./turn.ts";

/** Delivers due deliveries. Only one process at a time holds an endpoint, and a stalled receiver delays no other. */
export function createDeliveryWorker(ports: WebhookPorts): DueWorker {
  return createDueWorker<EndpointRow>(ports, {
    collection: "endpoints",
    work: (_row, lease) => workEndpoint(ports, lease),
    async afterJump(now, byMs) {
      if (byMs < 0) await bringDeliveriesForward(ports.storage, now);
    },
  });
}

async function workEndpoint(ports: WebhookPorts, lease: Lease): Promise<void> {
  for (;;) {
    const endpoint = await readEndpoint(ports.storage, lease.id);
    if (endpoint === null) throw new LeaseLost("The endpoint was deleted.");
    if (endpoint.status === "active" && !(await takeTurn(ports, lease, endpoint))) return yieldTurn(ports, lease);
    if (await finish(ports, lease)) return;
  }
}

/** More is due, but other endpoints may be waiting: requeues this one last. */
async function yieldTurn(ports: WebhookPorts, lease: Lease): Promise<void> {
  const now = await lease.checkedNow();
  while (!(await lease.release(now)));
  ports.wake(now, lease.id);
}

/** Releases the endpoint; false: more has become due meanwhile. */
async function finish(ports: WebhookPorts, lease: Lease): Promise<boolean> {
  const endpoint = await readEndpoint(ports.storage, lease.id);
  const dueAt = endpoint?.status === "active" ? await nextAttemptAt(ports, lease.id) : null;
  if (!(await lease.release(dueAt))) return false;
  if (dueAt !== null) ports.wake(dueAt, lease.id);
  return true;
}

async function nextAttemptAt({ storage }: WebhookPorts, webhookId: string): Promise<number | null> {
  const { rows } = await storage.find("deliveries", {
    where: { webhook_id: webhookId, due_at: { not_null: true } },
    order: { column: "due_at", direction: "asc" },
    limit: 1,
    isCounted: false,
  });
  const [row] = rows;
  return row === undefined ? null : fromRow<DeliveryRow>(row).due_at;
}
