import type { Lease } from "../storage/lease.ts";
import type { EndedAttempt } from "./outcome.ts";
import type { WebhookPorts } from "./ports.ts";
import { type DeliveryRow, type EndpointRow, readEndpoint } from "./rows.ts";
import { openSecrets } from "./secret.ts";
import { attemptTimeoutMs, sendParcel } from "./send.ts";
import { createSettler } from "./settle.ts";

/** Deliveries to one endpoint under way at once: a receiver that comes back is not run over. */
const atOnce = 8;
/** After this nothing more is begun, milliseconds: what hangs must not keep its place from others for long. */
const longestTurnMs = 10_000;
/** How old what is known of the endpoint may be when something is sent, milliseconds. */
const freshMs = 100;

/** What one turn delivers, and to whom. */
export interface Turn {
  endpoint: EndpointRow;
  due: readonly DeliveryRow[];
}

/**
 * Delivers, some at once, and records how it ended. Returns whether that was
 * all; what there was no time for is still due.
 *
 * @throws LeaseLost
 */
export async function takeTurn(ports: WebhookPorts, lease: Lease, { endpoint, due }: Turn): Promise<boolean> {
  const settler = createSettler(ports, lease, endpoint);
  const isUpToDate = createWatch(ports, lease, endpoint);
  const secrets = openSecrets(ports.vault, endpoint, lease.now());
  const until = lease.now() + longestTurnMs;
  const queue = [...due];

  async function deliverInTurn(): Promise<void> {
    while (!settler.isOver() && lease.now() < until && (await isUpToDate())) {
      const delivery = queue.shift();
      if (delivery === undefined) return;
      await lease.ensure(attemptTimeoutMs);
      settler.add(await deliver(ports, lease, { endpoint, secrets, delivery }));
    }
  }

  const lanes = Array.from({ length: Math.min(atOnce, queue.length) }, deliverInTurn);
  const ends = await Promise.allSettled(lanes);
  await settler.flush();
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return queue.length === 0;
}

async function deliver(
  ports: WebhookPorts,
  lease: Lease,
  { endpoint, secrets, delivery }: { endpoint: EndpointRow; secrets: readonly string[]; delivery: DeliveryRow },
): Promise<EndedAttempt> {
  const { id, event, private: state } = delivery;
  const parcel = { url: endpoint.url, id, webhookId: endpoint.id, event, body: state.body, secrets };
  const attempt = await sendParcel(ports, parcel, lease.now());
  const random = (ports.ids.bytes(1)[0] ?? 0) / 255;
  return { delivery, attempt, endedAt: lease.now(), random };
}

/** Tells whether the endpoint is as it was read: nothing goes to an old address, or out under an old secret. */
function createWatch({ storage }: WebhookPorts, lease: Lease, endpoint: EndpointRow): () => Promise<boolean> {
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
