import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { verify } from "../../src/signature/node.ts";
import { sqliteStorage } from "../../src/storage/sqlite/index.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { allRows } from "../support/all-rows.ts";
import { recordingLogger } from "../support/logger.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

let cleanUp: () => void | Promise<void> = () => {};
afterEach(() => cleanUp());

/** Endpoints, rotated or not, with deliveries, tests and failures. Returns their secrets. */
async function useSecrets(bench: WebhookBench, heard: unknown[]): Promise<string[]> {
  const { social, sandbox, clock } = bench;
  const one = await bench.endpoint("one");
  const other = await bench.endpoint("other");
  const rotated = await social.webhooks.rotateSecret(other.id, { overlap_seconds: 600 });
  await bench.happen();
  sandbox.receivers.faults.add({ kind: "drop_before", operation: "one" });
  await bench.deliver();
  await bench.deliver();
  const { webhooks } = social;
  for (const { id } of [one, other]) {
    heard.push(await clock.run(() => webhooks.test(id)), await webhooks.get(id), await webhooks.deliveries.list(id));
    heard.push(await webhooks.update(id, { description: "Ours" }));
  }
  heard.push(await webhooks.list());
  return [one.secret, other.secret, rotated.secret];
}

describe("a signing secret", () => {
  it("is in no read, no log, no request and no stored row", async () => {
    const logger = recordingLogger();
    const bench = webhookBench({ logger });
    const heard: unknown[] = [];
    const secrets = await useSecrets(bench, heard);
    const requests = bench.sent.map(({ url, init }) => ({ url, ...init, signal: null }));
    const open = JSON.stringify([heard, logger.lines, requests]) + JSON.stringify(await allRows(bench.storage));
    expect(new Set(secrets).size).toBe(3);
    expect(open).toContain(`"secret_last_four":"${secrets[2]?.slice(-4)}"`);
    for (const secret of secrets) {
      expect(open).not.toContain(secret.slice("whsec_".length, -4));
    }
  });

  it("is nowhere in the files of a database either", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-secrets-"));
    const clock = manualClock();
    const storage = sqliteStorage(join(folder, "social.db"), { clock });
    cleanUp = async () => {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    };
    const secrets = await useSecrets(webhookBench({ storage, clock }), []);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(files.join("")).toContain("https://receiver.sandbox.example/one");
    for (const secret of secrets) expect(files.join("")).not.toContain(secret.slice("whsec_".length, -4));
  });

  it("opens only in its own endpoint's row", async () => {
    const { social, storage, clock, endpoint } = webhookBench();
    const one = await endpoint("one");
    const other = await endpoint("other");
    const row = await storage.get("endpoints", one.id);
    const change = { private: row?.private ?? null };
    await storage.write([{ kind: "update", collection: "endpoints", id: other.id, change, where: {} }]);
    const { error, response_status } = await clock.run(() => social.webhooks.test(other.id));
    expect(response_status).toBeNull();
    expect(error).toContain("moved from another row");
  });
});

describe("a rotation", () => {
  it("signs the next delivery only with the new secret", async () => {
    const bench = webhookBench();
    const { id, secret: old } = await bench.endpoint("a");
    await bench.happen();
    const { secret } = await bench.social.webhooks.rotateSecret(id);
    await bench.deliver();
    const { body = "", signature = "" } = bench.taken()[0] ?? {};
    const now = bench.clock.now() / 1_000;
    expect(signature.match(/v1=/g)).toHaveLength(1);
    expect(await verify(body, signature, { secret, now })).not.toBeNull();
    expect(await verify(body, signature, { secret: old, now })).toBeNull();
    expect((await bench.social.webhooks.get(id)).secret_last_four).toBe(secret.slice(-4));
  });

  it("with an overlap signs with both until it is over, then only with the new one", async () => {
    const bench = webhookBench();
    const { id, secret: old } = await bench.endpoint("a");
    const { secret } = await bench.social.webhooks.rotateSecret(id, { overlap_seconds: 600 });
    for (const waitMs of [0, 599_999, 1]) {
      await bench.clock.advance(waitMs);
      await bench.happen();
      await bench.deliver();
    }
    const now = bench.clock.now() / 1_000 - 100;
    const known = await Promise.all(
      bench.taken().map(async ({ body, signature }) => ({
        signatures: signature.match(/v1=/g)?.length,
        old: (await verify(body, signature, { secret: old, now, toleranceSeconds: 9e9 })) !== null,
        new: (await verify(body, signature, { secret, now, toleranceSeconds: 9e9 })) !== null,
      })),
    );
    const both = { signatures: 2, old: true, new: true };
    expect(known).toEqual([both, both, { signatures: 1, old: false, new: true }]);
  });

  it("ends the overlap of the previous one", async () => {
    const bench = webhookBench();
    const { id, secret: first } = await bench.endpoint("a");
    await bench.social.webhooks.rotateSecret(id, { overlap_seconds: 600 });
    await bench.social.webhooks.rotateSecret(id, { overlap_seconds: 600 });
    await bench.happen();
    await bench.deliver();
    const [delivery] = bench.taken();
    const now = bench.clock.now() / 1_000;
    expect(delivery?.signature.match(/v1=/g)).toHaveLength(2);
    expect(await verify(delivery?.body ?? "", delivery?.signature, { secret: first, now })).toBeNull();
  });

  it("and a concurrent one follow each other, so that both of their secrets count", async () => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    const rotate = () => bench.social.webhooks.rotateSecret(id, { overlap_seconds: 600 });
    const rotated = await Promise.all([rotate(), rotate()]);
    await bench.happen();
    await bench.deliver();
    const { body = "", signature = "" } = bench.taken()[0] ?? {};
    const now = bench.clock.now() / 1_000;
    for (const { secret } of rotated) expect(await verify(body, signature, { secret, now })).not.toBeNull();
  });

  it.each([
    ["a tenth of a second", 100],
    ["a second", 1_000],
  ])("applies to deliveries that already wait behind one that takes %s", async (_, tookMs) => {
    const bench = webhookBench();
    const { social, clock } = bench;
    const { id, secret: old } = await bench.endpoint("a");
    await bench.happen(20);
    bench.answer("a", async () => {
      await clock.sleep(tookMs);
      return new Response("slow");
    });
    const { secret } = await clock.run(async () => {
      const run = social.runDue();
      await clock.sleep(tookMs / 2);
      const rotated = await social.webhooks.rotateSecret(id);
      await run;
      return rotated;
    });
    const now = clock.now() / 1_000;
    const fits = async (init: RequestInit, each: string) =>
      (await verify(String(init.body), new Headers(init.headers).get("service-signature"), { secret: each, now })) !==
      null;
    const byOld = await Promise.all(bench.sent.map(({ init }) => fits(init, old)));
    const byNew = await Promise.all(bench.sent.map(({ init }) => fits(init, secret)));
    expect([byOld.filter(Boolean).length, byNew.filter(Boolean).length]).toEqual([8, 12]);
  });
});
