import { isoTime } from "../ports/clock.ts";
import type { DeliveredEvent, ServiceEvents } from "../ports/events.ts";
import type { Ids } from "../ports/ids.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { isConflictIn, type Operation, type Storage } from "../storage/storage.ts";
import { fromRow, toRow } from "../storage/typed.ts";
import { jsonForClients } from "../wire/remedy.ts";
import type { DeliveryRow, EndpointRow } from "./rows.ts";
import type { DeliveryEvent } from "./schema.ts";

/** Writes changes together with the deliveries of their event. */
export interface Outbox<Event extends DeliveredEvent = DeliveredEvent> {
  /**
   * Writes all operations, and a delivery for every endpoint that is subscribed to the event, in one write, so that
   * neither exists without the other. Calls the host's listeners afterwards.
   *
   * @param event null: there is no event
   * @param now the store's time, milliseconds
   * @throws StorageConflict of `operations`
   */
  write(operations: readonly Operation[], event: Event | null, now: number): Promise<void>;
}

export interface OutboxPorts {
  storage: Storage;
  ids: Ids;
  events: Pick<ServiceEvents, "emit">;
  /** Requests a call for an endpoint at a time, milliseconds. The request may be lost. */
  wake(at: number, endpointId: string): void;
}

/** How often endpoints may change between read and write. */
const maxConflicts = 20;

export function createOutbox({ storage, ids, events, wake }: OutboxPorts): Outbox {
  function writeWithDeliveries(operations: readonly Operation[], event: DeliveredEvent, now: number) {
    const attempt = async (): Promise<EndpointRow[]> => {
      const endpoints = await readSubscribers(storage, event);
      const deliveries = endpoints.flatMap((endpoint) => deliveryOperations(ids, endpoint, event, now));
      await storage.write([...operations, ...deliveries]);
      return endpoints;
    };
    return retryConflicts(attempt, { max: maxConflicts, unless: (conflict) => !isConflictIn("endpoints", conflict) });
  }

  return {
    async write(operations, event, now) {
      if (event === null) return storage.write(operations);
      const endpoints = await writeWithDeliveries(operations, event, now);
      for (const { id } of endpoints) wake(now, id);
      events.emit(event);
    },
  };
}

async function readSubscribers(storage: Storage, { name, payload }: DeliveredEvent): Promise<EndpointRow[]> {
  const where = { account_id: payload.account_id, status: "active" };
  const { rows } = await storage.find("endpoints", { where, isCounted: false });
  return rows
    .map((row) => fromRow<EndpointRow>(row))
    .filter(({ events }) => events.length === 0 || events.includes(name));
}

/** The write requires that the endpoint is still subscribed. Its holder then finds the delivery. */
function deliveryOperations(ids: Ids, endpoint: EndpointRow, event: DeliveredEvent, now: number): Operation[] {
  const { account_id: _, ...data } = event.payload;
  const where = { status: "active", revision: endpoint.revision };
  return [
    { kind: "update", collection: "endpoints", id: endpoint.id, change: { due_at: now }, where },
    insertDelivery(newDelivery(ids, endpoint, { event: event.name, data, now })),
  ];
}

export function insertDelivery(row: DeliveryRow): Operation {
  return { kind: "insert", collection: "deliveries", row: toRow(row) };
}

/** A delivery that is due immediately. Its bytes are created only here. */
export function newDelivery(
  ids: Ids,
  endpoint: EndpointRow,
  { event, data, now }: { event: DeliveryEvent; data: object; now: number },
): DeliveryRow {
  const id = ids.create("delivery", now);
  const created_at = isoTime(now);
  return {
    id,
    account_id: endpoint.account_id,
    webhook_id: endpoint.id,
    event,
    status: "pending",
    attempts: 0,
    due_at: now,
    created_at,
    response_status: null,
    response_body: null,
    error: null,
    delivered_at: null,
    private: { body: jsonForClients({ id, type: event, created_at, data }) },
  };
}
