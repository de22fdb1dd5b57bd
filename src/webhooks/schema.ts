import * as z from "zod";
import { eventNames } from "../ports/events.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type CursorPageQuery, cursorPageSchema, manyOf, type PageQuery, pageSchema } from "../wire/pagination.ts";
import { storableText } from "../wire/parse.ts";

const endpointStatuses = ["active", "disabled"] as const;
export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export const deliveryEvents = [...eventNames, "webhook.test"] as const;

// Input

const address = storableText.min(1).max(2_048, "A URL must have at most 2,048 characters.");
const events = z.array(z.enum(eventNames)).max(100);
const description = storableText.max(1_000).nullish().describe("A note for you; null or empty: none.");

export const createEndpointSchema = documentedObject({
  /** The receiver: an https URL that is reachable from the internet. */
  url: address.describe("The receiver: an https URL that is reachable from the internet."),
  /** The events to deliver; empty: every event. */
  events: events.default([]).describe("The events to deliver; empty: every event."),
  /** A note for you; null or empty: none. */
  description: description.describe("A note for you; null or empty: none."),
}).meta({ id: "CreateWebhook" });

/** The argument of `webhooks.create`. */
export type CreateEndpoint = z.input<typeof createEndpointSchema>;

export const updateEndpointSchema = documentedObject({
  /** The new URL, also for pending deliveries. */
  url: address.optional().describe("The new URL, also for pending deliveries."),
  /** The events to deliver from now on; empty: every event. */
  events: events.optional().describe("The events to deliver from now on; empty: every event."),
  /** A note for you; null or empty: none. */
  description: description.describe("A note for you; null or empty: none."),
  /** `active` resumes a disabled endpoint and its pending deliveries. */
  status: z
    .enum(endpointStatuses)
    .optional()
    .describe("`active` resumes a disabled endpoint and its pending deliveries."),
}).meta({ id: "UpdateWebhook" });

/** The argument of `webhooks.update`. Absent fields are unchanged. */
export type UpdateEndpoint = z.input<typeof updateEndpointSchema>;

export const rotateSecretSchema = documentedObject({
  /** How long deliveries are also signed with the old secret, at most seven days. */
  overlap_seconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .describe("How long deliveries are also signed with the old secret, at most seven days."),
}).meta({ id: "RotateWebhookSecret" });

/** The argument of `webhooks.rotateSecret`. */
export type RotateSecret = z.input<typeof rotateSecretSchema>;

export const listEndpointsSchema = pageSchema;

/** The argument of `webhooks.list`. */
export type ListEndpoints = PageQuery;

const deliveryFilters = documentedObject({
  /** Only deliveries in these statuses. */
  status: manyOf(z.enum(deliveryStatuses)).optional().describe("Only deliveries in these statuses."),
  /** Only these events. */
  event: manyOf(z.enum(deliveryEvents)).optional().describe("Only these events."),
});
export const listDeliveriesSchema = cursorPageSchema.extend(deliveryFilters.shape);

/** The argument of `webhooks.deliveries.list`: filters and the page. */
export type ListDeliveries = CursorPageQuery & z.input<typeof deliveryFilters>;

// Output

export const endpointSchema = documentedAnswer({
  /** The endpoint's id. */
  id: z.string().describe("The endpoint's id."),
  /** The receiver's URL. */
  url: z.string().describe("The receiver's URL."),
  /** The delivered events; empty: every event. */
  events: z.array(z.enum(eventNames)).describe("The delivered events; empty: every event."),
  /** A disabled endpoint records no events; its pending deliveries wait. */
  status: z.enum(endpointStatuses).describe("A disabled endpoint records no events; its pending deliveries wait."),
  /** The signing secret's last four characters, to tell two apart. */
  secret_last_four: z.string().describe("The signing secret's last four characters, to tell two apart."),
  /** Deliveries that ended `failed` since the last success, or since it was resumed. */
  consecutive_failures: z
    .int()
    .describe("Deliveries that ended `failed` since the last success, or since it was resumed."),
  /** Your note; absent: none. */
  description: z.string().optional().describe("Your note; absent: none."),
  /** Present while it is disabled. */
  disabled_reason: z.string().optional().describe("Present while it is disabled."),
  /** When a delivery last arrived. */
  last_succeeded_at: z.string().optional().describe("When a delivery last arrived."),
  /** When an attempt last failed. */
  last_failed_at: z.string().optional().describe("When an attempt last failed."),
  /** When it was registered. */
  created_at: z.string().describe("When it was registered."),
  /** When it last changed. */
  updated_at: z.string().describe("When it last changed."),
}).meta({ id: "Webhook" });

/** A URL to which events are delivered. Never contains the secret. */
export type Endpoint = z.infer<typeof endpointSchema>;

const createdSecret = documentedAnswer({
  /** The signing secret. Only this response contains it. */
  secret: z.string().describe("The signing secret. Only this response contains it."),
});
export const createdEndpointSchema = endpointSchema.extend(createdSecret.shape).meta({ id: "CreatedWebhook" });

/** A new endpoint. Its signing secret is returned only once. */
export type CreatedEndpoint = Endpoint & z.infer<typeof createdSecret>;

export const deliverySchema = documentedAnswer({
  /** Also the event's `id` and the header `Service-Delivery`; what receivers deduplicate on. */
  id: z.string().describe("Also the event's `id` and the header `Service-Delivery`; what receivers deduplicate on."),
  /** The endpoint. */
  webhook_id: z.string().describe("The endpoint."),
  /** The event's type. */
  event: z.enum(deliveryEvents).describe("The event's type."),
  /** `pending`: attempts remain. */
  status: z.enum(deliveryStatuses).describe("`pending`: attempts remain."),
  /** The number of attempts. */
  attempts: z.int().describe("The number of attempts."),
  /** When the event happened. */
  created_at: z.string().describe("When the event happened."),
  /** Null once settled, and while the endpoint is disabled. */
  next_attempt_at: z.string().nullable().describe("Null once settled, and while the endpoint is disabled."),
  /** The receiver's last HTTP status. */
  response_status: z.int().optional().describe("The receiver's last HTTP status."),
  /** The first 2,000 characters of the response body. */
  response_body: z.string().optional().describe("The first 2,000 characters of the response body."),
  /** Why the last attempt failed, for humans. */
  error: z.string().optional().describe("Why the last attempt failed, for humans."),
  /** When it arrived. */
  delivered_at: z.string().optional().describe("When it arrived."),
  /** The event's `data`. */
  data: z.record(z.string(), z.json()).describe("The event's `data`."),
}).meta({ id: "Delivery" });

/** One event for one endpoint. */
export type Delivery = z.infer<typeof deliverySchema>;
export type DeliveryEvent = Delivery["event"];

export const secretSchema = documentedAnswer({
  /** The signing secret. Only this response contains it. */
  secret: z.string().describe("The signing secret. Only this response contains it."),
}).meta({ id: "WebhookSecret" });

export const testResultSchema = documentedAnswer({
  /** The delivery that was made for the test. */
  delivery_id: z.string().describe("The delivery that was made for the test."),
  /** The receiver's HTTP status; null: no response. */
  response_status: z.int().nullable().describe("The receiver's HTTP status; null: no response."),
  /** The first 2,000 characters of the response body. */
  response_body: z.string().nullable().describe("The first 2,000 characters of the response body."),
  /** Time to the response, milliseconds. */
  duration_ms: z.int().describe("Time to the response, milliseconds."),
  /** Why it failed. */
  error: z.string().optional().describe("Why it failed."),
}).meta({ id: "WebhookTest" });

/** The new signing secret. */
export type RotatedSecret = z.infer<typeof secretSchema>;

/** The result of a test. */
export type TestResult = z.infer<typeof testResultSchema>;
