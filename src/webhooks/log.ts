import type * as z from "zod";
import { deleteFound } from "../storage/delete-found.ts";
import { findPage } from "../storage/find-page.ts";
import { StorageConflict, type Where } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import type { CursorPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import type { WebhookPorts } from "./ports.ts";
import { type DeliveryRow, type EndpointRow, readDelivery } from "./rows.ts";
import {
  type Delivery,
  deliveryEvents,
  deliveryStatuses,
  type ListDeliveries,
  listDeliveriesSchema,
} from "./schema.ts";
import { toDelivery } from "./show.ts";

/** The deliveries to the endpoints of one account. */
export interface DeliveryLog {
  /** The log of an endpoint, newest first. */
  list(webhookId: string, query?: ListDeliveries): Promise<CursorPage<Delivery>>;
  /**
   * Sends the same bytes again under the same id, as soon as possible.
   *
   * @throws SocialError `conflict` while the endpoint is disabled
   */
  retry(webhookId: string, deliveryId: string): Promise<Delivery>;
}

/** @param read reads an endpoint of the account; throws `not_found` */
export function createDeliveryLog(ports: WebhookPorts, read: (id: string) => Promise<EndpointRow>): DeliveryLog {
  const { storage } = ports;
  return {
    async list(webhookId, query = {}) {
      const { limit, offset, cursor, ...filters } = parseInput(listDeliveriesSchema, query);
      const endpoint = await read(webhookId);
      const where = { webhook_id: webhookId, ...whereOf(filters) };
      const { rows, pagination } = await findPage(storage, "deliveries", { where }, { limit, offset, cursor });
      return { data: rows.map((row) => toDelivery(fromRow(row), endpoint)), pagination };
    },
    async retry(webhookId, deliveryId) {
      const endpoint = await read(webhookId);
      const delivery = await readDelivery(storage, deliveryId);
      if (delivery === null || delivery.webhook_id !== webhookId) throw noDelivery();
      return toDelivery(await retryDelivery(ports, endpoint, delivery), endpoint);
    },
  };
}

/** The index is in order for one status and one event at a time. If one of them is filtered, all values of the other are listed. */
function whereOf({ status, event }: Pick<z.output<typeof listDeliveriesSchema>, "status" | "event">): Where {
  if (status === undefined && event === undefined) return {};
  return { status: { in: status ?? deliveryStatuses }, event: { in: event ?? deliveryEvents } };
}

function noDelivery(): SocialError {
  return new SocialError("not_found", "This endpoint has no such delivery.");
}

/** Deletes all deliveries of an endpoint. */
export function deleteDeliveries({ storage }: WebhookPorts, webhookId: string): Promise<void> {
  return deleteFound(storage, "deliveries", { webhook_id: webhookId });
}

async function retryDelivery(
  { storage, wake }: WebhookPorts,
  endpoint: EndpointRow,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  const now = await storage.now();
  const change = { status: "pending", due_at: now, delivered_at: null } as const;
  try {
    await storage.write([
      {
        kind: "update",
        collection: "endpoints",
        id: endpoint.id,
        change: { due_at: now },
        where: { status: "active" },
      },
      { kind: "update", collection: "deliveries", id: delivery.id, change, where: {} },
    ]);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.reason === "missing") throw noDelivery();
    throw new SocialError("conflict", "The endpoint is disabled: set its status to active first. Nothing was sent.");
  }
  wake(now, endpoint.id);
  return { ...delivery, ...change };
}
