import { createHmac } from "node:crypto";
import * as z from "zod";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { HookWays } from "../inbox-scene.ts";
import type { SandboxPorts } from "../network.ts";
import { readAs } from "../parts/fields.ts";
import { route } from "../parts/routes.ts";
import type { Logins } from "./logins.ts";
import { notValid, refusal } from "./refusal.ts";
import type { State } from "./state.ts";

/** How events are sent. Default: once, immediately. */
export interface EventSubWays extends HookWays {
  /** True: each repetition has its own id. @default false */
  repeatsUnderNewIds: boolean;
}

const conditionSchema = z.record(z.string(), z.string());

/** https://dev.twitch.tv/docs/api/reference#create-eventsub-subscription (2026-02) */
const createSchema = z.strictObject({
  type: z.string(),
  version: z.literal("1"),
  condition: conditionSchema,
  transport: z.strictObject({
    method: z.literal("webhook"),
    // The port must be 443.
    callback: z.url({ protocol: /^https$/ }).refine((url) => new URL(url).port === ""),
    secret: z.string().regex(/^[\x20-\x7e]{10,100}$/),
  }),
});

/** The scopes that must have been granted. https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types (2026-02) */
const needed: Readonly<Record<string, { condition: readonly string[]; scopes: readonly string[] }>> = {
  "channel.chat.message": {
    condition: ["broadcaster_user_id", "user_id"],
    scopes: ["user:read:chat", "user:bot", "channel:bot"],
  },
  "channel.chat.message_delete": {
    condition: ["broadcaster_user_id", "user_id"],
    scopes: ["user:read:chat", "user:bot", "channel:bot"],
  },
  "user.whisper.message": { condition: ["user_id"], scopes: ["user:manage:whispers"] },
  "user.authorization.revoke": { condition: ["client_id"], scopes: [] },
};

interface Subscription extends z.infer<typeof createSchema> {
  id: string;
  client_id: string;
  status: string;
  created_at: string;
  /** The number of consecutive events that could not be delivered. */
  lost: number;
}

/**
 * Twitch documents that it retries, but not when. https://dev.twitch.tv/docs/eventsub/handling-webhook-events
 * (2026-09), delays (unconfirmed)
 */
const retriesAfterSeconds = [0, 10, 60, 300];
/** After this many lost events it stops sending (unconfirmed). */
const maxLost = 3;

export type EventSub = ReturnType<typeof createEventSub>;

export function createEventSub(state: State, logins: Logins, { clock, random }: SandboxPorts) {
  const ways: EventSubWays = {
    times: 1,
    repeatsUnderNewIds: false,
    lateSeconds: 0,
    isShuffled: false,
    isSilent: false,
    isForged: false,
  };
  const subscriptions: Subscription[] = [];
  const statuses: number[] = [];
  let reach: ((request: Request) => Promise<Response>) | null = null;

  async function post(
    { transport }: Subscription,
    sent: { id: string; at: string; type: string; body: string },
  ): Promise<Response | null> {
    if (reach === null) return null;
    const secret = ways.isForged ? "another secret" : transport.secret;
    const signature = createHmac("sha256", secret)
      .update(sent.id + sent.at + sent.body)
      .digest("hex");
    const headers = {
      "content-type": "application/json",
      "twitch-eventsub-message-id": sent.id,
      "twitch-eventsub-message-timestamp": sent.at,
      "twitch-eventsub-message-type": sent.type,
      "twitch-eventsub-message-signature": `sha256=${signature}`,
    };
    const request = new Request(transport.callback, { method: "POST", headers, body: sent.body });
    return reach(request).catch(() => null);
  }

  async function notify(subscription: Subscription, type: string, more: object): Promise<boolean> {
    const body = JSON.stringify({ subscription: shown(subscription), ...more });
    // Twitch's times have nanoseconds.
    const at = new Date(clock.now()).toISOString().replace("Z", "123456Z");
    const id = state.uuid();
    const hand = async (own: string): Promise<boolean> => {
      const response = await post(subscription, { id: own, at, type, body });
      statuses.push(response?.status ?? 0);
      return response?.ok === true;
    };
    await clock.sleep(Math.floor(ways.lateSeconds * 1000 * (ways.isShuffled ? random() : 1)));
    for (let time = 1; time < ways.times; time++) await hand(ways.repeatsUnderNewIds ? state.uuid() : id);
    for (const seconds of retriesAfterSeconds) {
      if (seconds > 0) await clock.sleep(seconds * 1000);
      if (await hand(id)) return true;
    }
    return false;
  }

  async function send(subscription: Subscription, event: object): Promise<void> {
    if (await notify(subscription, "notification", { event })) {
      subscription.lost = 0;
      return;
    }
    subscription.lost += 1;
    if (subscription.lost >= maxLost) await revoke(subscription, "notification_failures_exceeded");
  }

  async function revoke(subscription: Subscription, status: string): Promise<void> {
    subscription.status = status;
    await notify(subscription, "revocation", {});
  }

  async function verify(subscription: Subscription): Promise<void> {
    const challenge = state.uuid();
    const at = new Date(clock.now()).toISOString();
    const body = JSON.stringify({ challenge, subscription: shown(subscription) });
    const response = await post(subscription, { id: state.uuid(), at, type: "webhook_callback_verification", body });
    const isRight = response?.status === 200 && (await response.text()) === challenge;
    subscription.status = isRight ? "enabled" : "webhook_callback_verification_failed";
  }

  function create(request: SandboxRequest): SandboxAnswer {
    const client_id = logins.assertApp(request);
    const given = readAs(createSchema, jsonBody(request), notValid);
    const { type, condition, transport } = given;
    const rule = needed[type];
    if (rule === undefined) throw notValid();
    if (Object.keys(condition).sort().join() !== [...rule.condition].sort().join())
      throw refusal(400, "The condition is not valid");
    const account = condition.user_id ?? "";
    if (rule.scopes.length > 0 && !logins.hasAllowed(client_id, account, rule.scopes))
      throw refusal(403, "subscription missing proper authorization");
    const same = subscriptions.filter(
      (each) => each.client_id === client_id && each.type === type && isSame(each.condition, condition),
    );
    if (same.some((each) => each.transport.callback === transport.callback))
      throw refusal(409, "subscription already exists");
    if (same.length >= 3) throw refusal(429, "too many subscriptions of this type and condition");
    const made: Subscription = {
      ...given,
      id: state.uuid(),
      client_id,
      status: "webhook_callback_verification_pending",
      lost: 0,
      created_at: new Date(clock.now()).toISOString(),
    };
    subscriptions.push(made);
    void verify(made);
    return { status: 202, json: { data: [shown(made)], total: 1, ...costs } };
  }

  function list(request: SandboxRequest): SandboxAnswer {
    const client_id = logins.assertApp(request);
    const query = request.url.searchParams;
    const filters = ["status", "type", "user_id", "subscription_id"].filter((name) => query.has(name));
    if (filters.length > 1) throw refusal(400, "only one filter may be given");
    const isWanted = ({ status, type, condition, id }: Subscription): boolean =>
      filters.every((name) => {
        const wanted = query.get(name) ?? "";
        if (name === "user_id") return Object.values(condition).includes(wanted);
        return { status, type, subscription_id: id }[name] === wanted;
      });
    const data = subscriptions.filter((each) => each.client_id === client_id && isWanted(each)).map(shown);
    return ok({ data, total: data.length, ...costs, pagination: {} });
  }

  function remove(request: SandboxRequest): SandboxAnswer {
    const client_id = logins.assertApp(request);
    const id = request.url.searchParams.get("id");
    const place = subscriptions.findIndex((each) => each.id === id && each.client_id === client_id);
    if (place === -1) throw refusal(404, "the subscription was not found");
    subscriptions.splice(place, 1);
    return { status: 204 };
  }

  /** The active subscriptions of an account. */
  function liveOf(account: string): Subscription[] {
    return subscriptions.filter(
      ({ condition, status }) => status === "enabled" && Object.values(condition).includes(account),
    );
  }

  /** Ends the subscriptions of an account, and reports it. */
  function end(account: string, status: string): void {
    for (const each of liveOf(account)) void revoke(each, status);
  }

  return {
    ways,
    routes: [
      route("listSubscriptions", `GET ${address}`, list),
      route("createSubscription", `POST ${address}`, create),
      route("deleteSubscription", `DELETE ${address}`, remove),
    ],
    /** Sends an event to the matching subscriptions. */
    tell(type: string, condition: Readonly<Record<string, string>>, event: object): void {
      if (ways.isSilent) return;
      for (const each of subscriptions)
        if (each.status === "enabled" && each.type === type && isSame(each.condition, condition))
          void send(each, event);
    },
    end,
    switches: {
      sendHooksTo(handler: (request: Request) => Promise<Response>): void {
        reach = handler;
      },
      changeHooks: (given: Partial<EventSubWays>) => void Object.assign(ways, given),
      hookAnswers: () => statuses,
      sentOf: (account: string) => liveOf(account).map(({ type }) => type),
      endSubscriptions: end,
    },
  };
}

const address = "api.twitch.tv/helix/eventsub/subscriptions";
const costs = { total_cost: 0, max_total_cost: 10_000 };

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The secret is never returned. */
function shown({ id, status, type, version, condition, transport, created_at }: Subscription): object {
  const { method, callback } = transport;
  return { id, status, type, version, condition, created_at, transport: { method, callback }, cost: 0 };
}
