import { beforeEach, describe, expect, it } from "vitest";
import type { Webhooks } from "../../src/webhooks/webhooks.ts";
import { failureOf } from "../support/failure.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

let bench: WebhookBench;
let endpointId: string;
let deliveryId: string;

beforeEach(async () => {
  bench = webhookBench();
  endpointId = (await bench.endpoint("mine")).id;
  await bench.happen();
  await bench.deliver();
  deliveryId = (await bench.log(endpointId))[0]?.id ?? "";
});

const calls: [string, (webhooks: Webhooks, id: string) => Promise<unknown>][] = [
  ["get", (webhooks, id) => webhooks.get(id)],
  ["update", (webhooks, id) => webhooks.update(id, { description: "theirs" })],
  ["update of the address", (webhooks, id) => webhooks.update(id, { url: "http://127.0.0.1" })],
  ["delete", (webhooks, id) => webhooks.delete(id)],
  ["rotateSecret", (webhooks, id) => webhooks.rotateSecret(id)],
  ["test", (webhooks, id) => webhooks.test(id)],
  ["deliveries.list", (webhooks, id) => webhooks.deliveries.list(id)],
  ["deliveries.retry", (webhooks, id) => webhooks.deliveries.retry(id, deliveryId)],
];

const shown = async (work: Promise<unknown>) => {
  const { code, message, details } = await failureOf(work);
  return { code, message, details };
};

describe("another account's endpoint", () => {
  it.each(calls)("is like one that does not exist: %s", async (_, call) => {
    const { webhooks } = bench.social.forAccount("somebody-else");
    const before = await bench.social.webhooks.get(endpointId);
    const foreign = await shown(call(webhooks, endpointId));
    expect(foreign.code).toBe("not_found");
    expect(foreign).toEqual(await shown(call(webhooks, "wh_00000000000000000000000000")));
    expect(await bench.social.webhooks.get(endpointId)).toEqual(before);
    expect(bench.taken()).toHaveLength(1);
  });

  it("is not in the list", async () => {
    const page = await bench.social.forAccount("somebody-else").webhooks.list();
    expect(page).toMatchObject({ data: [], pagination: { total: 0 } });
  });
});

describe("a delivery to another endpoint", () => {
  it.each([
    ["of another account", "somebody-else"],
    ["of the same account", "default"],
  ])("is like one that does not exist: %s", async (_, account) => {
    const { webhooks } = bench.social.forAccount(account);
    const { id } = await webhooks.create({ url: bench.sandbox.receivers.url("other") });
    const foreign = await shown(webhooks.deliveries.retry(id, deliveryId));
    expect(foreign.code).toBe("not_found");
    expect(foreign).toEqual(await shown(webhooks.deliveries.retry(id, "dlv_00000000000000000000000000")));
    await bench.deliver();
    expect(bench.taken()).toHaveLength(1);
  });
});
