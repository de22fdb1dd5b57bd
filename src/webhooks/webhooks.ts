import { allowHint } from "../outbound/guard/errors.ts";
import { isoTime } from "../ports/clock.ts";
import { retryConflicts } from "../storage/conflict-retry.ts";
import { fromRow, toChange, toRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { type Page, toPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import { withRemedy } from "../wire/remedy.ts";
import { createDeliveryLog, type DeliveryLog, deleteDeliveries } from "./log.ts";
import type { WebhookPorts } from "./ports.ts";
import { type EndpointRow, readEndpoint } from "./rows.ts";
import {
  type CreatedEndpoint,
  type CreateEndpoint,
  createEndpointSchema,
  type Endpoint,
  type ListEndpoints,
  listEndpointsSchema,
  type RotatedSecret,
  type RotateSecret,
  rotateSecretSchema,
  type TestResult,
  type UpdateEndpoint,
  updateEndpointSchema,
} from "./schema.ts";
import { createSecret, sealSecret } from "./secret.ts";
import { toEndpoint } from "./show.ts";
import { testEndpoint } from "./test-delivery.ts";

/** The webhook endpoints of one account, and their deliveries. */
export interface Webhooks {
  /**
   * Registers an endpoint. The `secret` is returned only once.
   *
   * @throws SocialError `invalid_request` naming `url` if deliveries to it are refused
   */
  create(body: CreateEndpoint): Promise<CreatedEndpoint>;
  /** Newest first. */
  list(query?: ListEndpoints): Promise<Page<Endpoint>>;
  /** The endpoint's current state. @throws SocialError `not_found` */
  get(id: string): Promise<Endpoint>;
  /** Changes the fields in the body. `status: "active"` resumes a disabled endpoint and its pending deliveries. */
  update(id: string, body: UpdateEndpoint): Promise<Endpoint>;
  /** Deletes the endpoint and its deliveries. Pending ones are not sent. */
  delete(id: string): Promise<void>;
  /** Replaces the signing secret, immediately unless `overlap_seconds` is set. The new one is returned only once. */
  rotateSecret(id: string, options?: RotateSecret): Promise<RotatedSecret>;
  /** Delivers a `webhook.test` now and waits for the response. It counts neither as a success nor as a failure. */
  test(id: string): Promise<TestResult>;
  /** The endpoints' deliveries. */
  deliveries: DeliveryLog;
}

/** How often two changes of one endpoint may conflict. */
const maxConflicts = 20;

export function createWebhooks(ports: WebhookPorts, accountId: string): Webhooks {
  const { storage, ids, vault } = ports;

  async function read(id: string): Promise<EndpointRow> {
    const row = await readEndpoint(storage, id);
    if (row === null || row.account_id !== accountId) throw noEndpoint();
    return row;
  }

  /** Reads, changes and writes, and repeats if another process has changed it in between. */
  function change(id: string, changed: (row: EndpointRow, now: number) => Partial<EndpointRow>): Promise<EndpointRow> {
    const attempt = async (): Promise<EndpointRow> => {
      const row = await read(id);
      const now = await storage.now();
      const fields = { ...changed(row, now), revision: row.revision + 1, updated_at: isoTime(now) };
      const where = { revision: row.revision };
      await storage.write([{ kind: "update", collection: "endpoints", id, change: toChange(fields), where }]);
      return { ...row, ...fields };
    };
    return retryConflicts(attempt, { max: maxConflicts });
  }

  return {
    async create(body) {
      const { url, events, description } = parseInput(createEndpointSchema, body);
      await assertDeliverable(ports, url);
      const now = await storage.now();
      const id = ids.create("endpoint", now);
      const secret = createSecret(ids);
      const row: EndpointRow = {
        id,
        account_id: accountId,
        url,
        events: [...new Set(events)],
        status: "active",
        secret_last_four: secret.slice(-4),
        consecutive_failures: 0,
        description: description || null,
        disabled_reason: null,
        last_succeeded_at: null,
        last_failed_at: null,
        created_at: isoTime(now),
        updated_at: isoTime(now),
        revision: 1,
        due_at: null,
        lease_until: 0,
        epoch: 0,
        private: { secret: sealSecret(vault, { account_id: accountId, id }, secret), previous: null },
      };
      await storage.write([{ kind: "insert", collection: "endpoints", row: toRow(row) }]);
      return { ...toEndpoint(row), secret };
    },
    async list(query = {}) {
      const { limit, offset } = parseInput(listEndpointsSchema, query);
      const { rows, total } = await storage.find("endpoints", { where: { account_id: accountId }, limit, offset });
      const endpoints = rows.map((row) => toEndpoint(fromRow(row)));
      return toPage(endpoints, total, { limit, offset });
    },
    get: async (id) => toEndpoint(await read(id)),
    async update(id, body) {
      const { url, events, description, status } = parseInput(updateEndpointSchema, body);
      await read(id);
      if (url !== undefined) await assertDeliverable(ports, url);
      const row = await change(id, (before, now) => ({
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: [...new Set(events)] }),
        ...(description === undefined ? {} : { description: description || null }),
        ...(status === undefined || status === before.status ? {} : statusChange(status, now)),
      }));
      if (row.due_at !== null) ports.wake(row.due_at, id);
      return toEndpoint(row);
    },
    async delete(id) {
      // No result is recorded from here on. The endpoint is deleted last, so that a process that dies in between leaves
      // no unreachable deliveries.
      await change(id, () => ({ status: "disabled", disabled_reason: "It is being deleted." }));
      await deleteDeliveries(ports, id);
      await storage.write([{ kind: "delete", collection: "endpoints", id }]);
    },
    async rotateSecret(id, options = {}) {
      const { overlap_seconds } = parseInput(rotateSecretSchema, options);
      const secret = createSecret(ids);
      await change(id, (row, now) => ({
        secret_last_four: secret.slice(-4),
        private: {
          secret: sealSecret(vault, row, secret),
          previous: overlap_seconds === 0 ? null : { secret: row.private.secret, until: now + overlap_seconds * 1_000 },
        },
      }));
      return { secret };
    },
    test: async (id) => testEndpoint(ports, await read(id)),
    deliveries: createDeliveryLog(ports, read),
  };
}

function noEndpoint(): SocialError {
  return new SocialError("not_found", "This account has no such webhook endpoint.");
}

/** @throws SocialError `invalid_request` naming `url` */
async function assertDeliverable({ refusalOf }: WebhookPorts, url: string): Promise<void> {
  const refusal = await refusalOf(url);
  if (refusal === null) return;
  const message = withRemedy(
    `Deliveries to this URL are not allowed (${refusal}). Use an https URL that is reachable from the internet.`,
    allowHint,
  );
  throw new SocialError("invalid_request", "The request is not valid.", {
    details: [{ field: "url", code: "invalid_request", message }],
  });
}

/** A resumed endpoint has no failures, and its holder looks for pending deliveries. */
function statusChange(status: EndpointRow["status"], now: number): Partial<EndpointRow> {
  if (status === "disabled") return { status, disabled_reason: "Disabled by an update." };
  return { status, disabled_reason: null, consecutive_failures: 0, due_at: now };
}
