/** Our side of the benchmarks of deliveries: a service on SQLite with endpoints, and deliveries that are due. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Operation } from "../../src/storage/storage.ts";
import { silentLogger } from "../support/logger.ts";
import { testKey } from "../support/service.ts";
import type { Built } from "./built.ts";

/** A receiver and where it listens. */
export interface Receiver {
  process: ChildProcess;
  place: string;
}

export async function startReceiver(): Promise<Receiver> {
  const process = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)));
  const [port] = (await once(process, "message")) as [number];
  return { process, place: `127.0.0.1:${port}` };
}

/** Sends what it was filled with. */
export interface Sender {
  /** Puts the deliveries there. */
  fill(): Promise<void>;
  /** Delivers what is due. */
  deliver(): Promise<void>;
  /** How many have been delivered in all. */
  countDelivered(): Promise<number>;
  close(): Promise<void>;
}

export function bodyOf(id: string): string {
  const data = { text: "x".repeat(1_000) };
  return JSON.stringify({ id, type: "post.published", created_at: "2026-11-21T12:00:00.000Z", data });
}

/** @param options `urls`: one endpoint each · `deliveries`: in each filling, spread over them */
export async function createSender(
  built: Built,
  options: { file: string; place: string; urls: readonly string[]; deliveries: number },
): Promise<Sender> {
  const { file, place, urls, deliveries } = options;
  const storage = built.sqliteStorage(file);
  const service = { storage, encryptionKey: testKey, logger: silentLogger, allowedHosts: [place] };
  const { webhooks, runDue } = built.createSocialService(service);
  const endpoints: string[] = [];
  for (const url of urls) endpoints.push((await webhooks.create({ url })).id);
  let filled = 0;
  return {
    async fill() {
      const now = Date.now();
      const operations: Operation[] = endpoints.map((id) => due(id, now));
      for (let index = 0; index < deliveries; index++) {
        operations.push(delivery(`dlv_${filled++}`, endpoints[index % endpoints.length] ?? "", now));
      }
      await storage.write(operations);
    },
    async deliver() {
      await runDue();
    },
    async countDelivered() {
      return (await storage.find("deliveries", { where: { status: "delivered" }, limit: 1 })).total;
    },
    close: () => storage.close(),
  };
}

function due(id: string, now: number): Operation {
  return { kind: "update", collection: "endpoints", id, change: { due_at: now }, where: {} };
}

function delivery(id: string, webhook_id: string, now: number): Operation {
  const row = {
    id,
    account_id: "default",
    webhook_id,
    event: "post.published",
    status: "pending",
    attempts: 0,
    due_at: now,
    created_at: new Date(now).toISOString(),
    private: { body: bodyOf(id) },
  };
  return { kind: "insert", collection: "deliveries", row };
}
