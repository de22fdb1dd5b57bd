import { isoTime } from "../ports/clock.ts";
import { insertDelivery, newDelivery } from "./outbox.ts";
import type { WebhookPorts } from "./ports.ts";
import type { EndpointRow } from "./rows.ts";
import type { TestResult } from "./schema.ts";
import { trySecrets } from "./secret.ts";
import { sendWebhook } from "./send.ts";

/** Delivers a `webhook.test` once, and adds its result to the log. */
export async function testEndpoint(ports: WebhookPorts, endpoint: EndpointRow): Promise<TestResult> {
  const { storage, ids, vault } = ports;
  const now = await storage.now();
  const data = { webhook_id: endpoint.id, message: "This is a test delivery; no event has occurred." };
  const delivery = newDelivery(ids, endpoint, { event: "webhook.test", data, now });
  const request = {
    url: endpoint.url,
    id: delivery.id,
    webhookId: endpoint.id,
    event: delivery.event,
    body: delivery.private.body,
  };
  const secrets = trySecrets(vault, endpoint, now);
  const { response, error, durationMs } =
    "error" in secrets
      ? { response: null, error: secrets.error, durationMs: 0 }
      : await sendWebhook(ports, { ...request, secrets }, now);
  const answered = { response_status: response?.status ?? null, response_body: response?.body ?? null };
  await storage.write([
    insertDelivery({
      ...delivery,
      ...answered,
      status: error === null ? "delivered" : "failed",
      attempts: 1,
      due_at: null,
      error,
      delivered_at: error === null ? isoTime(await storage.now()) : null,
    }),
  ]);
  const result = { delivery_id: delivery.id, ...answered, duration_ms: durationMs };
  return error === null ? result : { ...result, error };
}
