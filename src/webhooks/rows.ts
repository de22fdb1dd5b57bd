import type { DeliveredEventName } from "../ports/events.ts";
import type { Storage } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import type { ClaimableRow } from "../work/lease.ts";
import type { Delivery, DeliveryEvent, Endpoint } from "./schema.ts";

/** An endpoint as stored. */
export type EndpointRow = ClaimableRow & {
  account_id: string;
  url: string;
  /** Empty: every event. */
  events: DeliveredEventName[];
  status: Endpoint["status"];
  secret_last_four: string;
  consecutive_failures: number;
  description: string | null;
  disabled_reason: string | null;
  last_succeeded_at: string | null;
  last_failed_at: string | null;
  created_at: string;
  updated_at: string;
  /** Rises with every change of the subscribed events, the URL or the status. Writes that depend on these compare it. */
  revision: number;
  private: {
    /** Encrypted. */
    secret: string;
    /**
     * The secret before the last rotation, encrypted, and until when it signs too, milliseconds; null: it no longer
     * signs.
     */
    previous: { secret: string; until: number } | null;
  };
};

/** A delivery as stored. */
export interface DeliveryRow {
  id: string;
  account_id: string;
  webhook_id: string;
  event: DeliveryEvent;
  status: Delivery["status"];
  attempts: number;
  /** When the next attempt is due, milliseconds; null: there is none. */
  due_at: number | null;
  created_at: string;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  delivered_at: string | null;
  private: {
    /** The bytes that every attempt sends. */
    body: string;
  };
}

export async function readEndpoint(storage: Storage, id: string): Promise<EndpointRow | null> {
  const row = await storage.get("endpoints", id);
  return row === null ? null : fromRow<EndpointRow>(row);
}

export async function readDelivery(storage: Storage, id: string): Promise<DeliveryRow | null> {
  const row = await storage.get("deliveries", id);
  return row === null ? null : fromRow<DeliveryRow>(row);
}
