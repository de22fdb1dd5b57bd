import * as z from "zod";
import { eventNames } from "../ports/events.ts";
import { documentedAnswer, documentedObject } from "../wire/documented-object.ts";
import { type CursorPageQuery, cursorPageSchema, manyOf, type PageQuery, pageSchema } from "../wire/pagination.ts";
import { storableText } from "../wire/parse.ts";

const endpointStatuses = ["active", "disabled"] as const;
export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export const deliveryEvents = [...eventNames, "webhook.test"] as const;

// What comes in

const address = storableText.min(1).max(2_048, "An address has at most 2,048 characters.");
const events = z.array(z.enum(eventNames)).max(100);
const description = storableText.max(1_000).nullish().describe("For you; null or empty: none.");

export const createEndpointSchema = documentedObject({
  /** Where to deliver: an https address that is reachable from the internet. */
  url: address.describe("Where to deliver: an https address that is reachable from the internet."),
  /** What to deliver; empty: every event. */
  events: events.default([]).describe("What to deliver; empty: every event."),
  /** For you; null or empty: none. */
  description: description.describe("For you; null or empty: none."),
}).meta({ id: "CreateWebhook" });

/** What `webhooks.create` takes. */
export type CreateEndpoint = z.input<typeof createEndpointSchema>;

export const updateEndpointSchema = documentedObject({
  /** Deliver there from now on, what is pending too. */
  url: address.optional().describe("Deliver there from now on, what is pending too."),
  /** Deliver these from now on; empty: every event. */
  events: events.optional().describe("Deliver these from now on; empty: every event."),
  /** For you; null or empty: none. */
  description: description.describe("For you; null or empty: none."),
  /** `active` resumes a disabled endpoint; what was pending is delivered. */
  status: z
    .enum(endpointStatuses)
    .optional()
    .describe("`active` resumes a disabled endpoint; what was pending is delivered."),
}).meta({ id: "UpdateWebhook" });

/** What `webhooks.update` takes; what it does not name stays. */
export type UpdateEndpoint = z.input<typeof updateEndpointSchema>;

export const rotateSecretSchema = documentedObject({
  /** How long deliveries are signed with the old secret too, at most seven days. */
  overlap_seconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .describe("How long deliveries are signed with the old secret too, at most seven days."),
}).meta({ id: "RotateWebhookSecret" });

/** What `webhooks.rotateSecret` takes. */
export type RotateSecret = z.input<typeof rotateSecretSchema>;

export const listEndpointsSchema = pageSchema;

/** What `webhooks.list` takes. */
export type ListEndpoints = PageQuery;

const deliveryFilters = documentedObject({
  /** Only deliveries in these statuses. */
  status: manyOf(z.enum(deliveryStatuses)).optional().describe("Only deliveries in these statuses."),
  /** Only these events. */
  event: manyOf(z.enum(deliveryEvents)).optional().describe("Only these events."),
});
export const listDeliveriesSchema = cursorPageSchema.extend(deliveryFilters.shape);

/** What `webhooks.deliveries.list` takes: which deliveries, and which page of them. */
export type ListDeliveries = CursorPageQuery & z.input<typeof deliveryFilters>;

// What goes out

export const endpointSchema = documentedAnswer({
  /** The endpoint's id. */
  id: z.string().describe("The endpoint's id."),
  /** Where events are delivered. */
  url: z.string().describe("Where events are delivered."),
  /** What is delivered; empty: every event. */
  events: z.array(z.enum(eventNames)).describe("What is delivered; empty: every event."),
  /** Nothing is recorded for a disabled endpoint; what was pending waits. */
  status: z.enum(endpointStatuses).describe("Nothing is recorded for a disabled endpoint; what was pending waits."),
  /** The signing secret's last four characters, to tell two apart. */
  secret_last_four: z.string().describe("The signing secret's last four characters, to tell two apart."),
  /** Deliveries that ended `failed` since the last success, or since it was resumed. */
  consecutive_failures: z
    .int()
    .describe("Deliveries that ended `failed` since the last success, or since it was resumed."),
  /** What you have noted; absent: nothing. */
  description: z.string().optional().describe("What you have noted; absent: nothing."),
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

/** A place where events are delivered. Never holds the secret. */
export type Endpoint = z.infer<typeof endpointSchema>;

const createdSecret = documentedAnswer({
  /** What deliveries are signed with. Shown this once. */
  secret: z.string().describe("What deliveries are signed with. Shown this once."),
});
export const createdEndpointSchema = endpointSchema.extend(createdSecret.shape).meta({ id: "CreatedWebhook" });

/** An endpoint as it was made: the only time that its signing secret is shown. */
export type CreatedEndpoint = Endpoint & z.infer<typeof createdSecret>;

export const deliverySchema = documentedAnswer({
  /** Also the event's `id` and the header `Service-Delivery`; what receivers deduplicate on. */
  id: z.string().describe("Also the event's `id` and the header `Service-Delivery`; what receivers deduplicate on."),
  /** The endpoint. */
  webhook_id: z.string().describe("The endpoint."),
  /** What has happened. */
  event: z.enum(deliveryEvents).describe("What has happened."),
  /** `pending`: attempts remain. */
  status: z.enum(deliveryStatuses).describe("`pending`: attempts remain."),
  /** How often it was sent. */
  attempts: z.int().describe("How often it was sent."),
  /** When the event happened. */
  created_at: z.string().describe("When the event happened."),
  /** Null once settled, and while the endpoint is disabled. */
  next_attempt_at: z.string().nullable().describe("Null once settled, and while the endpoint is disabled."),
  /** What the receiver answered last. */
  response_status: z.int().optional().describe("What the receiver answered last."),
  /** The first 2,000 characters of it. */
  response_body: z.string().optional().describe("The first 2,000 characters of it."),
  /** Why the last attempt failed, for humans. */
  error: z.string().optional().describe("Why the last attempt failed, for humans."),
  /** When it arrived. */
  delivered_at: z.string().optional().describe("When it arrived."),
  /** What was sent under `data`. */
  data: z.record(z.string(), z.json()).describe("What was sent under `data`."),
}).meta({ id: "Delivery" });

/** One event on its way to one endpoint. */
export type Delivery = z.infer<typeof deliverySchema>;
export type DeliveryEvent = Delivery["event"];

export const secretSchema = documentedAnswer({
  /** Shown this once. */
  secret: z.string().describe("Shown this once."),
}).meta({ id: "WebhookSecret" });

export const testResultSchema = documentedAnswer({
  /** The delivery that was made for the test. */
  delivery_id: z.string().describe("The delivery that was made for the test."),
  /** What the receiver answered; null: nothing. */
  response_status: z.int().nullable().describe("What the receiver answered; null: nothing."),
  /** The first 2,000 characters of it. */
  response_body: z.string().nullable().describe("The first 2,000 characters of it."),
  /** Until the answer, milliseconds. */
  duration_ms: z.int().describe("Until the answer, milliseconds."),
  /** Why it failed. */
  error: z.string().optional().describe("Why it failed."),
}).meta({ id: "WebhookTest" });

/** The new signing secret. */
export type RotatedSecret = z.infer<typeof secretSchema>;

/** What came of a test. */
export type TestResult = z.infer<typeof testResultSchema>;
