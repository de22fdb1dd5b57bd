import { describe, expect, it } from "vitest";
import { createRefusalOf } from "../../src/outbound/guard/refusal.ts";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import type { Delivery } from "../../src/webhooks/schema.ts";
import { type Receiver, type WebhookBench, webhookBench } from "../support/webhooks.ts";

interface Outcome {
  bench: WebhookBench;
  delivery: Delivery;
  tookMs: number;
}

/** One delivery to a receiver that responds like this. */
async function deliverTo(receiver: Receiver | FaultKind, bench = webhookBench()): Promise<Outcome> {
  const { id } = await bench.endpoint("a");
  if (typeof receiver === "function") bench.answer("a", receiver);
  else bench.sandbox.receivers.faults.add(receiver);
  await bench.happen();
  const start = bench.clock.monotonic();
  await bench.deliver();
  const [delivery] = await bench.log(id);
  if (delivery === undefined) throw new Error("nothing was recorded");
  return { bench, delivery, tookMs: bench.clock.monotonic() - start };
}

const endless = (chunk: Uint8Array, onPull: () => void | Promise<void> = () => {}): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      await onPull();
      controller.enqueue(chunk);
    },
  });

describe("a receiver's time limit", () => {
  it.each<[string, FaultKind]>([
    ["hangs", { kind: "hang" }],
    ["answers after 10 s", { kind: "slow", seconds: 10.001 }],
    ["acts after a minute", { kind: "slow_to_act", seconds: 60 }],
    ["drips its response over a minute", { kind: "drip", seconds: 60 }],
  ])("is 10 s in all: it %s", async (_, fault) => {
    const { delivery, bench } = await deliverTo(fault);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    expect(delivery.error).toBe("The receiver did not respond within 10 s.");
    expect(delivery).not.toHaveProperty("response_status");
    const waitMs = Date.parse(delivery.next_attempt_at ?? "") - (bench.sent[0]?.at ?? 0) - 10_000;
    expect(waitMs).toBeGreaterThanOrEqual(60_000);
    expect(waitMs).toBeLessThanOrEqual(63_000);
  });

  it.each<[string, FaultKind]>([
    ["answers after 9.9 s", { kind: "slow", seconds: 9.9 }],
    ["drips its response over 9.9 s", { kind: "drip", seconds: 9.9 }],
  ])("is kept when it %s", async (_, fault) => {
    const { delivery } = await deliverTo(fault);
    expect(delivery).toMatchObject({ status: "delivered", response_status: 200, response_body: "taken" });
  });

  it("ends a body that comes in empty pieces for ever, and calls the request off", async () => {
    let pulls = 0;
    const bench = webhookBench();
    const nothingForEver = () =>
      endless(new Uint8Array(0), async () => {
        pulls += 1;
        await bench.clock.sleep(1_000);
      });
    const { delivery } = await deliverTo(() => new Response(nothingForEver()), bench);
    expect(delivery.error).toBe("The receiver did not respond within 10 s.");
    expect(bench.sent[0]?.init.signal?.aborted).toBe(true);
    const known = pulls;
    await bench.clock.advance(20_000);
    expect(pulls - known).toBeLessThanOrEqual(1);
  });
});

describe("a receiver's response", () => {
  it("that never ends is read for 64 KB, and counts as delivered", async () => {
    let pulls = 0;
    const count = (): void => {
      pulls += 1;
      if (pulls > 1_000) throw new Error("nobody stops reading");
    };
    const body = endless(new TextEncoder().encode("x".repeat(1_024)), count);
    const { delivery } = await deliverTo(() => new Response(body));
    expect(delivery).toMatchObject({ status: "delivered", response_body: "x".repeat(2_000) });
    expect(pulls).toBeGreaterThanOrEqual(64);
    expect(pulls).toBeLessThanOrEqual(66);
  });

  it.each<[string, ConstructorParameters<typeof Response>[0], string]>([
    ["nothing", null, ""],
    ["an empty body", "", ""],
    ["a word", "ok", "ok"],
    ["2,000 characters", "b".repeat(2_000), "b".repeat(2_000)],
    ["2,001 characters", "b".repeat(2_001), "b".repeat(2_000)],
    ["an emoji across the limit", `${"b".repeat(1_999)}🦊`, "b".repeat(1_999)],
    ["an emoji before the limit", `${"b".repeat(1_998)}🦊x`, `${"b".repeat(1_998)}🦊`],
    ["2,000 emoji", "🦊".repeat(2_000), "🦊".repeat(1_000)],
    ["NUL", "a\0b\0", "a\ufffdb\ufffd"],
    ["bytes that are not text", Uint8Array.of(0x61, 0xff, 0xc3, 0x62), "a\ufffd\ufffdb"],
    ["half a character at the end", Uint8Array.of(0x61, 0xf0, 0x9f), "a\ufffd"],
    ["a surrogate in UTF-8", Uint8Array.of(0xed, 0xa0, 0x80), "\ufffd\ufffd\ufffd"],
  ])("is stored as text that every store accepts: %s", async (_, body, kept) => {
    const { delivery } = await deliverTo(() => new Response(body));
    expect(delivery.status).toBe("delivered");
    expect(delivery.response_body).toBe(kept);
  });

  it("may come in pieces that cut its characters", async () => {
    const bytes = new TextEncoder().encode("🦊".repeat(30));
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { delivery } = await deliverTo(() => new Response(pieces));
    expect(delivery.response_body).toBe("🦊".repeat(30));
  });

  it.each([[200], [201], [202], [204], [226], [299]])("with %i settles the delivery", async (status) => {
    const { delivery, bench } = await deliverTo(() => new Response(null, { status }));
    expect(delivery).toMatchObject({ status: "delivered", response_status: status, next_attempt_at: null });
    expect(delivery.delivered_at).toBe(new Date(bench.clock.now()).toISOString());
    expect(delivery).not.toHaveProperty("error");
  });

  it.each([[400], [401], [404], [409], [410], [429], [500], [503], [599]])(
    "with %i is a failed attempt",
    async (status) => {
      const { delivery } = await deliverTo(() => new Response("no", { status }));
      expect(delivery).toMatchObject({ status: "pending", response_status: status, response_body: "no", attempts: 1 });
      expect(delivery.error).toBe(`The receiver returned status ${status}.`);
      expect(delivery).not.toHaveProperty("delivered_at");
    },
  );

  it.each([[300], [301], [302], [303], [304], [307], [308]])(
    "with %i is a failure, and the redirect is not followed",
    async (status) => {
      const location = "https://receiver.sandbox.example/elsewhere";
      const { delivery, bench } = await deliverTo(() => new Response(null, { status, headers: { location } }));
      expect(delivery).toMatchObject({ status: "pending", response_status: status });
      expect(delivery.error).toContain("redirect");
      expect(delivery.error).not.toContain("elsewhere");
      expect(bench.sent).toHaveLength(1);
    },
  );

  it("that breaks off is a failed attempt", async () => {
    const { delivery } = await deliverTo({ kind: "cut_body" });
    expect(delivery).toMatchObject({ status: "pending", error: expect.stringContaining("broke off") });
  });
});

const failed = (code: string, message = `connect ${code} 10.1.2.3:443`): TypeError =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

const several = new TypeError("fetch failed", {
  cause: new AggregateError(
    [failed("ECONNREFUSED").cause, failed("EHOSTUNREACH", "connect ::1:443").cause],
    "10.1.2.3",
  ),
});

describe("the error of a failed delivery", () => {
  it.each<[string, unknown, string]>([
    [
      "an unknown hostname",
      failed("ENOTFOUND", "getaddrinfo ENOTFOUND internal.corp"),
      "The receiver's hostname did not resolve.",
    ],
    ["no resolver", failed("EAI_AGAIN"), "The DNS look-up of the receiver's hostname failed."],
    ["a refused connection", failed("ECONNREFUSED"), "The receiver refuses connections."],
    ["no route", failed("EHOSTUNREACH"), "The receiver cannot be reached."],
    ["no network", failed("ENETUNREACH"), "The receiver cannot be reached."],
    ["a connection timeout", failed("CONNECT_TIMEOUT"), "The connection to the receiver timed out after 5 s."],
    ["an expired certificate", failed("CERT_HAS_EXPIRED"), "The receiver's certificate has expired."],
    [
      "another host's certificate",
      failed("ERR_TLS_CERT_ALTNAME_INVALID"),
      "The receiver's certificate is for another hostname.",
    ],
    ["a self-signed certificate", failed("DEPTH_ZERO_SELF_SIGNED_CERT"), "The receiver's certificate is self-signed."],
    ["an incomplete chain", failed("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "is the chain complete?"],
    ["a reset", failed("ECONNRESET"), "The connection to the receiver broke off (ECONNRESET)."],
    ["several addresses", several, "The receiver refuses connections."],
    ["the guard", failed("ADDRESS_REFUSED", "address refused: private"), "Not sent: address refused: private."],
    ["no code", new TypeError("fetch failed at 10.1.2.3"), "The connection to the receiver broke off."],
    ["no error", "10.1.2.3", "The connection to the receiver broke off."],
  ])("is a message without an IP address: %s", async (_, thrown, message) => {
    const { delivery } = await deliverTo(() => {
      throw thrown;
    });
    expect(delivery.error).toContain(message);
    expect(delivery.error).not.toMatch(/10\.1\.2\.3|::1|internal\.corp/);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
  });

  it("never ends the run, so that the next delivery goes out", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    bench.answer("a", () => {
      throw failed("ECONNREFUSED");
    });
    await bench.endpoint("b");
    await bench.happen(2);
    await bench.deliver();
    expect(bench.taken("b")).toHaveLength(2);
  });

  it("is the guard's message for an address that has become private since it was registered", async () => {
    const clock = (await deliverTo({ kind: "hang" })).bench.clock;
    const refusalOf = createRefusalOf({ clock, resolve: async () => ["10.0.0.1"], allow: [] });
    expect(await refusalOf("https://receiver.sandbox.example/a")).toBe("address refused: private");
  });
});
