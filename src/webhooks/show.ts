import { isoTime } from "../ports/clock.ts";
import type { DeliveryRow, EndpointRow } from "./rows.ts";
import type { Delivery, Endpoint } from "./schema.ts";

/** An endpoint as responses show it. */
export function toEndpoint(row: EndpointRow): Endpoint {
  const { id, url, events, status, secret_last_four, consecutive_failures, created_at, updated_at } = row;
  const { description, disabled_reason, last_succeeded_at, last_failed_at } = row;
  return {
    id,
    url,
    events,
    status,
    secret_last_four,
    consecutive_failures,
    ...present({ description, disabled_reason, last_succeeded_at, last_failed_at }),
    created_at,
    updated_at,
  };
}

/** A delivery as responses show it. */
export function toDelivery(row: DeliveryRow, endpoint: EndpointRow): Delivery {
  const { id, webhook_id, event, status, attempts, created_at, due_at } = row;
  const { response_status, response_body, error, delivered_at } = row;
  return {
    id,
    webhook_id,
    event,
    status,
    attempts,
    created_at,
    next_attempt_at: due_at === null || endpoint.status === "disabled" ? null : isoTime(due_at),
    ...present({ response_status, response_body, error, delivered_at }),
    data: (JSON.parse(row.private.body) as Pick<Delivery, "data">).data,
  };
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** The fields that are not null. */
function present<Fields extends Record<string, unknown>>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Present<Fields>;
}
