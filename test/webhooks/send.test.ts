import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { verify } from "../../src/signature/node.ts";
import { version } from "../../src/wire/version.ts";
import { connectMastodon } from "../support/connect.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

const stripe = new Stripe("sk_test_none");

const headersOf = (bench: WebhookBench, index = 0): Record<string, string> =>
  Object.fromEntries(new Headers(bench.sent[index]?.init.headers));

/** The event, verified by our verifier and stripe's; null: one of them rejects it. */
async function verified(bench: WebhookBench, index: number, secret: string): Promise<unknown> {
  const body = String(bench.sent[index]?.init.body);
  const signature = headersOf(bench, index)["service-signature"] ?? "";
  const at = bench.sent[index]?.at ?? 0;
  const ours = await verify(body, signature, { secret, now: at / 1_000 });
  try {
    const theirs: unknown = stripe.webhooks.constructEvent(body, signature, secret, 300, undefined, at);
    expect(theirs).toEqual(ours);
    return theirs;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

describe("a delivery", () => {
  it("is the request of the contract: method, headers and body, and no redirect is followed", async () => {
    const bench = webhookBench();
    const { id: endpointId } = await bench.endpoint("a");
    await bench.happen();
    const createdAt = new Date(bench.clock.now()).toISOString();
    await bench.clock.advance(61_000);
    await bench.deliver();
    const [delivery] = await bench.log(endpointId);
    const { url, init } = bench.sent[0] ?? {};
    expect(url).toBe("https://receiver.sandbox.example/a");
    expect(init).toMatchObject({ method: "POST", redirect: "manual" });
    expect(headersOf(bench)).toEqual({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(new RegExp(`^postrider/${version} \\(\\+https://\\S+\\)$`)),
      "service-event": "profile.connected",
      "service-delivery": delivery?.id,
      "service-webhook-id": endpointId,
      "service-signature": expect.stringMatching(
        new RegExp(`^t=${Math.floor(bench.clock.now() / 1_000)},v1=[0-9a-f]{64}$`),
      ),
    });
    expect(JSON.parse(String(init?.body))).toStrictEqual({
      id: delivery?.id,
      type: "profile.connected",
      created_at: createdAt,
      data: { profile: { id: "prof_1", name: "Alice 🦊", network: "mastodon", status: "connected" } },
    });
    expect(delivery?.data).toStrictEqual(JSON.parse(String(init?.body)).data);
  });

  it("does not name the account anywhere", async () => {
    const bench = webhookBench();
    await bench.social.forAccount("acct_42").webhooks.create({ url: bench.sandbox.receivers.url("a") });
    await bench.happen(1, "acct_42");
    await bench.deliver();
    expect(bench.taken()).toHaveLength(1);
    expect(JSON.stringify(bench.sent)).not.toContain("acct_42");
  });

  it.each([
    ["plain", "Three rows of blue hills."],
    ["emoji", "🦊👩‍👩‍👧‍👦🏳️‍🌈 and ends in one 🎉"],
    ["other scripts", "Grüße, سلام, 你好, नमस्ते, e\u0301"],
    ["characters that JSON escapes", 'quotes " and \\ and \u2028 and \t and </script>'],
    ["long", "ä🎉".repeat(150)],
  ])("is accepted by our verifier and by stripe's: %s", async (_, text) => {
    const bench = webhookBench();
    const { secret } = await bench.endpoint("a");
    const profile = await connectMastodon(bench);
    await bench.clock.run(() => bench.social.posts.create({ profile_ids: [profile.id], text }));
    await bench.deliver();
    const events = await Promise.all(bench.sent.map((_sent, index) => verified(bench, index, secret)));
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({ type: "profile.connected", data: { profile } }));
    expect(events).toContainEqual(
      expect.objectContaining({ type: "post.published", data: { post: expect.objectContaining({ text }) } }),
    );
    expect(await verified(bench, 0, `${secret}x`)).toBeNull();
  });

  it("is accepted by both with either secret while both count, retries included", async () => {
    const bench = webhookBench();
    const { id, secret: old } = await bench.endpoint("a");
    bench.sandbox.receivers.faults.add({ kind: "refuse", answer: { status: 500 }, times: 2 });
    await bench.happen();
    await bench.deliver();
    const { secret } = await bench.social.webhooks.rotateSecret(id, { overlap_seconds: 120 });
    await bench.clock.advance(66_000);
    await bench.deliver();
    await bench.clock.advance(330_000);
    await bench.deliver();
    const takes = async (key: string) =>
      Promise.all([0, 1, 2].map(async (index) => (await verified(bench, index, key)) !== null));
    expect(await takes(old)).toEqual([true, true, false]);
    expect(await takes(secret)).toEqual([false, true, true]);
  });

  it("has the same bytes and id each time, with a new time and signature", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    bench.sandbox.receivers.faults.add({ kind: "drop_after" });
    await bench.happen();
    await bench.deliver();
    await bench.clock.advance(66_000);
    await bench.deliver();
    const [first, second, ...more] = bench.taken();
    expect(more).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.id).toBe(first?.id);
    expect(second?.signature).not.toBe(first?.signature);
  });
});

describe("a test", () => {
  it("delivers immediately, signed, and returns the receiver's response", async () => {
    const bench = webhookBench();
    const { id, secret } = await bench.endpoint("a");
    bench.sandbox.receivers.faults.add({ kind: "slow", seconds: 2 });
    const result = await bench.clock.run(() => bench.social.webhooks.test(id));
    const delivery_id = bench.taken()[0]?.id;
    expect(result).toStrictEqual({ delivery_id, response_status: 200, response_body: "taken", duration_ms: 2_000 });
    expect(await verified(bench, 0, secret)).toEqual({
      id: delivery_id,
      type: "webhook.test",
      created_at: expect.any(String),
      data: { webhook_id: id, message: expect.any(String) },
    });
    expect((await bench.log(id))[0]).toMatchObject({ id: delivery_id, event: "webhook.test", status: "delivered" });
  });

  it.each([
    ["a response", { kind: "refuse", answer: { status: 503, text: "later" } } as const, 503, "later"],
    ["no response", { kind: "hang" } as const, null, null],
    ["no connection", { kind: "not_sent", code: "ECONNREFUSED" } as const, null, null],
  ])("says why it failed, is not repeated and changes no counter: %s", async (_, fault, status, body) => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    const before = await bench.social.webhooks.get(id);
    bench.sandbox.receivers.faults.add(fault);
    const result = await bench.clock.run(() => bench.social.webhooks.test(id));
    expect(result).toMatchObject({ response_status: status, response_body: body, error: expect.any(String) });
    const [logged] = await bench.log(id);
    expect(logged).toMatchObject({ status: "failed", attempts: 1, next_attempt_at: null, error: result.error });
    expect(logged).not.toHaveProperty("delivered_at");
    expect(await bench.social.webhooks.get(id)).toStrictEqual(before);
    await bench.clock.advance(400_000);
    await bench.deliver();
    expect(bench.sent).toHaveLength(1);
  });

  it("goes to a disabled endpoint, too", async () => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    await bench.social.webhooks.update(id, { status: "disabled" });
    expect((await bench.clock.run(() => bench.social.webhooks.test(id))).response_status).toBe(200);
  });
});
