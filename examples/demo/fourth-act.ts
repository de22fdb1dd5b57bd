import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Post } from "postrider";
import Stripe from "stripe";
import { webhookReceiver } from "../webhooks/receive.ts";
import { withNeeds } from "./networks.ts";
import { serveRest } from "./rest-server.ts";
import { blank, headline, quote, say } from "./screen.ts";
import { settled } from "./settled.ts";
import type { Stage } from "./stage.ts";

/** What a receiver has got. */
interface Received {
  /** What it was told, each event once. */
  taken: string[];
  /** How it answered, request by request. */
  statuses: number[];
  /** Stripe's own verifier takes every signature. */
  isAsStripes: boolean;
}

/** How fast time runs while videos are worked on and nothing is asked. */
const speed = 60;

/** A receiver of webhooks on loopback is told, signed, and told again. True when it has taken each event once. */
export async function fourthAct({ social, sandbox, world, hurry, clock, profileIds }: Stage): Promise<boolean> {
  headline("4. Told, signed, at least once");
  say(
    `A receiver listens on ${world.receiver} (examples/webhooks/receive.ts). It is registered, and then a post is ` +
      "published; what the receiver is sent is recorded in the same write as the outcome, so that neither can be lost.",
  );
  let secret = "";
  const received: Received = { taken: [], statuses: [], isAsStripes: true };
  const seconds = (): number => Math.floor(clock.now() / 1_000);
  const receiver = startReceiver(world.receiver, () => ({ secret, now: seconds() }), received);
  const { call, close } = await serveRest(social);
  await social.start();
  try {
    const url = `http://${world.receiver}`;
    const created = await call("POST", "/v1/webhooks", { json: { url, events: ["post.published"] } });
    const endpoint = created.data as { id: string; secret: string };
    secret = endpoint.secret;
    const names = social.networks.list().map(({ network }) => network);
    const networks = withNeeds(names, sandbox);
    const json = { profile_ids: profileIds, text: "The fox's plate is in room four.", networks };
    hurry.begin(speed);
    const { data } = await call("POST", "/v1/posts", { json, idempotencyKey: randomUUID(), isQuiet: true });
    await settled(data as Post, { social, clock });
    hurry.end();
    // Waits until it is delivered; a server need not.
    await social.runDue();
    const log = await call("GET", `/v1/webhooks/${endpoint.id}/deliveries?limit=1`);
    const [delivery] = log.data as { id: string; status: string }[];
    await call("POST", `/v1/webhooks/${endpoint.id}/deliveries/${delivery?.id}/retry`);
    await social.runDue();
    const tested = await call("POST", `/v1/webhooks/${endpoint.id}/test`);
    blank();
    say(
      `The receiver was called ${received.statuses.length} times and took ${received.taken.join(" and ")}: what is ` +
        `repeated has the same id. Stripe's own verifier ${received.isAsStripes ? "takes" : "REFUSES"} the signatures.`,
    );
    const isTold =
      received.taken.join() === "post.published,webhook.test" && received.statuses.join() === "204,200,204";
    return isTold && received.isAsStripes && delivery?.status === "delivered" && tested.status === 200;
  } finally {
    await social.stop();
    close();
    receiver.close();
  }
}

function startReceiver(place: string, options: () => { secret: string; now: number }, received: Received): Server {
  const receive = webhookReceiver(options, ({ type }) => void received.taken.push(type));
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    response.once("finish", () => {
      const { secret, now } = options();
      received.isAsStripes &&= isAsStripes(Buffer.concat(chunks), request, { secret, now });
      received.statuses.push(response.statusCode);
      quote(" ", `the receiver: ${request.headers["service-event"]}, answered ${response.statusCode}`);
    });
    receive(request, response);
  });
  const [host, port] = place.split(":");
  return server.listen(Number(port), host);
}

/** Asks the verifier that half the world uses. */
function isAsStripes(
  body: Buffer,
  request: IncomingMessage,
  { secret, now }: { secret: string; now: number },
): boolean {
  const header = String(request.headers["service-signature"]);
  try {
    Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now * 1_000);
    return true;
  } catch {
    return false;
  }
}
