import type { SocialServiceOptions } from "../../src/options.ts";
import { createEvents } from "../../src/ports/events.ts";
import { randomIds } from "../../src/ports/ids.ts";
import type { Profile, ProfileEvent } from "../../src/profiles/schema.ts";
import type { ReceivedDelivery } from "../../src/sandbox/receivers.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { createOutbox, type Outbox } from "../../src/webhooks/outbox.ts";
import type { CreatedEndpoint, CreateEndpoint, Delivery } from "../../src/webhooks/schema.ts";
import { silentLogger } from "./logger.ts";
import { createTestService, type TestService } from "./service.ts";

/** What a test's own receiver does with a delivery. */
export type Receiver = (request: Request) => Response | Promise<Response>;

export interface WebhookBench extends TestService {
  /** Every request to a receiver, as it was handed to `fetch`. */
  sent: { url: string; init: RequestInit; at: number }[];
  outbox: Outbox;
  /** Answers for a receiver in place of the sandbox. */
  answer(name: string, receiver: Receiver): void;
  /** Registers an endpoint at a receiver of that name. */
  endpoint(name: string, body?: Omit<CreateEndpoint, "url">): Promise<CreatedEndpoint>;
  /** Records events about a made-up profile, through the outbox as it is. */
  happen(times?: number, account?: string): Promise<void>;
  /** Works off what is due now. */
  deliver(): Promise<void>;
  /** The log of an endpoint, newest first. */
  log(endpointId: string): Promise<Delivery[]>;
  taken(name?: string): ReceivedDelivery[];
}

/** A service whose receivers a test can play itself. */
export function webhookBench(
  options: Partial<SocialServiceOptions> & { tenants?: false; clock?: ManualClock } = {},
): WebhookBench {
  const receivers = new Map<string, Receiver>();
  const sent: WebhookBench["sent"] = [];
  const untrustedHttp: typeof fetch = async (input, init) => {
    const url = new URL(String(input instanceof Request ? input.url : input));
    const receiver = receivers.get(url.pathname.slice(1));
    if (url.hostname === "receiver.sandbox.example")
      sent.push({ url: url.href, init: init ?? {}, at: service.clock.now() });
    return receiver === undefined ? service.sandbox.untrustedHttp(input, init) : receiver(new Request(input, init));
  };
  const service = createTestService({ untrustedHttp, ...options });
  const { social, sandbox, clock, storage } = service;
  const outbox = createOutbox({ storage, ids: randomIds, events: createEvents(silentLogger), wake: () => {} });
  return {
    ...service,
    sent,
    outbox,
    answer: (name, receiver) => void receivers.set(name, receiver),
    endpoint: (name, body = {}) =>
      clock.run(() => social.webhooks.create({ url: sandbox.receivers.url(name), ...body })),
    async happen(times = 1, account = "default") {
      for (let time = 0; time < times; time++) await outbox.write([], profileEvent(account), await storage.now());
    },
    deliver: () => clock.run(async () => void (await social.runDue())),
    log: async (id) => (await social.webhooks.deliveries.list(id, { limit: 100 })).data,
    taken: sandbox.receivers.deliveries,
  };
}

/** `profile.connected`, of a profile that nobody has. */
export function profileEvent(account_id = "default"): ProfileEvent {
  const profile = { id: "prof_1", name: "Alice 🦊", network: "mastodon", status: "connected" };
  return { name: "profile.connected", payload: { account_id, profile: profile as Profile } };
}
