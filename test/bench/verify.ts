/** Verifying a delivery of 4 KB, against the bare HMAC, and against what others hand to receivers. */
import { createHmac, timingSafeEqual } from "node:crypto";
import Stripe from "stripe";
import { Webhook } from "svix";
import type { BenchOptions } from "./arguments.ts";
import { builtUrl } from "./built.ts";
import { type BenchResult, ratioOf } from "./result.ts";

const calls = 20_000;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const timestamp = Math.floor(Date.now() / 1_000);
const id = "dlv_01kakdx7e8x1p5v4k9q2m3n6r7";
const event = { id, type: "post.published", created_at: "2026-11-21T12:00:00.000Z", data: { text: "x".repeat(3_980) } };
const body = Buffer.from(JSON.stringify(event));

export async function benchVerify({ pairs }: BenchOptions): Promise<BenchResult[]> {
  // What Node gets of `postrider/webhook`.
  const { sign, verify } = (await import(builtUrl("webhook-node"))) as typeof import("../../src/signature/node.ts");
  const header = await sign(body, { secret, timestamp });
  const svixHeaders = svixHeadersOf();
  const svix = new Webhook(secret);

  async function ours(): Promise<void> {
    if ((await verify(body, header, { secret })) === null) throw new Error("refused");
  }
  const others = [
    { name: "the bare HMAC", goal: 0.8, verify: () => verifyBare(header) },
    {
      name: "stripe",
      goal: 1.4,
      verify: () => void Stripe.webhooks.constructEvent(body, header, secret),
    },
    { name: "svix", goal: 5, verify: () => void svix.verify(body, svixHeaders) },
  ];
  const results: BenchResult[] = [];
  for (const { name, goal, verify: other } of others) {
    const pair = { ours, floor: async () => other(), calls, warmUp: calls };
    results.push(await ratioOf(`verify ${body.length} bytes against ${name}`, pair, { goal, pairs }));
  }
  return results;
}

/** Nothing but what any verifier must do: the HMAC, the comparison, and parsing what was signed. */
function verifyBare(header: string): void {
  const [t = "", v1 = ""] = header.split(",").map((entry) => entry.slice(entry.indexOf("=") + 1));
  const expected = createHmac("sha256", secret).update(`${t}.`).update(body).digest();
  if (!timingSafeEqual(expected, Buffer.from(v1, "hex"))) throw new Error("refused");
  JSON.parse(body.toString());
}

/** Its own scheme: the secret is base64, and the id is signed, too. */
function svixHeadersOf(): Record<string, string> {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "svix-id": id, "svix-timestamp": String(timestamp), "svix-signature": `v1,${signature}` };
}
