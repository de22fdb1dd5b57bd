import { createHmac } from "node:crypto";
import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { HookWays } from "../inbox-scene.ts";
import type { SandboxPorts } from "../network.ts";
import { graphRefusal } from "../parts/graph.ts";
import { fieldsOf } from "../parts/graph-fields.ts";
import { tokenIn } from "../parts/graph-tokens.ts";
import { demand } from "./body.ts";
import { sandboxApp } from "./logins.ts";
import type { SandboxPage } from "./pages.ts";

/** Subscriptions of Pages, by their ids, changed without the app; and the webhooks sent for them. */
export interface HookSwitches {
  /** Sets the receiver behind the app's callback URL: webhooks are sent there once the app has subscribed. */
  sendHooksTo(handler: (request: Request) => Promise<Response>): void;
  /** Changes how webhooks are sent. */
  changeHooks(ways: Partial<HookWays>): void;
  /** The response statuses of the webhooks, in order; 0: no response. */
  hookAnswers(): readonly number[];
  /** Removes the Page's subscription. */
  unsubscribe(page: string): void;
  /** True: events of the Page are sent to the app. */
  isSubscribed(page: string): boolean;
  /** Another program with the same app subscribes to these fields of a Page. */
  subscribeByHand(page: string, fields: readonly string[]): void;
  /** The subscribed fields of a Page. */
  fieldsSent(page: string): string[];
}

export type Hooks = ReturnType<typeof createHooks>;

/**
 * Messenger's webhooks are sent immediately, then retried after these delays; after an hour the Page is unsubscribed.
 * https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09)
 */
const retriesAfterSeconds = [0, 5, 60, 600, 3_000];

const subscriptionSchema = z.strictObject({
  object: z.literal("page"),
  callback_url: z.url({ protocol: /^https$/ }),
  verify_token: z.string().min(1),
  fields: z.string().min(1),
  include_values: z.literal("true").optional(),
});

export function createHooks({ clock, random }: SandboxPorts) {
  const ways: HookWays = { times: 1, lateSeconds: 0, isShuffled: false, isSilent: false, isForged: false };
  const subscribed = new Map<string, ReadonlySet<string>>();
  const statuses: number[] = [];
  let app: { callback_url: string; fields: readonly string[] } | null = null;
  let reach: ((request: Request) => Promise<Response>) | null = null;

  async function verify(callback_url: string, verify_token: string): Promise<void> {
    const url = new URL(callback_url);
    const challenge = "1158201444";
    const asked = { "hub.mode": "subscribe", "hub.challenge": challenge, "hub.verify_token": verify_token };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    const answer = await reach?.(new Request(url));
    if (answer?.status !== 200 || (await answer.text()) !== challenge)
      throw graphRefusal(2200, "(#2200) Callback verification failed");
  }

  /**
   * The body as Meta writes it: non-ASCII characters are escaped.
   * https://developers.facebook.com/docs/messenger-platform/webhooks (2026-09)
   */
  function bodyOf(page: SandboxPage, entry: object): string {
    const json = JSON.stringify({ object: "page", entry: [{ id: page.id, time: clock.now(), ...entry }] });
    return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }

  async function post(body: string): Promise<boolean> {
    if (app === null || reach === null) return false;
    const secret = ways.isForged ? "another secret" : sandboxApp.client_secret;
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
    const request = new Request(app.callback_url, { method: "POST", headers, body });
    const status = await reach(request).then(
      (response) => response.status,
      () => 0,
    );
    statuses.push(status);
    return status === 200;
  }

  async function send(page: SandboxPage, body: string): Promise<void> {
    await clock.sleep(Math.floor(ways.lateSeconds * 1000 * (ways.isShuffled ? random() : 1)));
    for (let time = 1; time < ways.times; time++) await post(body);
    for (const seconds of retriesAfterSeconds) {
      if (seconds > 0) await clock.sleep(seconds * 1000);
      if (await post(body)) return;
    }
    subscribed.delete(page.id);
  }

  const switches: HookSwitches = {
    sendHooksTo(handler) {
      reach = handler;
    },
    changeHooks: (given) => void Object.assign(ways, given),
    hookAnswers: () => statuses,
    unsubscribe: (page) => void subscribed.delete(page),
    isSubscribed: (page) => subscribed.has(page),
    subscribeByHand: (page, names) => void subscribed.set(page, new Set(names)),
    fieldsSent: (page) => [...(subscribed.get(page) ?? [])],
  };

  return {
    /** Handles a request about the app itself; null: it is a different request. @throws Refusal */
    answerApp(request: SandboxRequest): Promise<SandboxAnswer> | null {
      const path = request.url.pathname.replace(/^\/v\d+\.\d+/, "");
      if (path !== `/${sandboxApp.client_id}/subscriptions`) return null;
      if (tokenIn(request) !== `${sandboxApp.client_id}|${sandboxApp.client_secret}`)
        throw graphRefusal(190, "Invalid OAuth access token signature.", { status: 401 });
      return (async () => {
        if (request.method === "GET") {
          const fields = (app?.fields ?? []).map((name) => ({ name, version: "v26.0" }));
          const data = app === null ? [] : [{ object: "page", callback_url: app.callback_url, active: true, fields }];
          return ok({ data });
        }
        const { callback_url, verify_token, fields } = demand(subscriptionSchema, await fieldsOf(request));
        await verify(callback_url, verify_token);
        app = { callback_url, fields: fields.split(",") };
        return ok({ success: true });
      })();
    },
    async subscribe(page: SandboxPage, request: SandboxRequest): Promise<SandboxAnswer> {
      const { subscribed_fields } = demand(z.strictObject({ subscribed_fields: z.string() }), await fieldsOf(request));
      subscribed.set(page.id, new Set(subscribed_fields.split(",")));
      return ok({ success: true });
    },
    /** Sends an event of a subscribed Page. */
    tell(
      page: SandboxPage,
      { field, ...said }: { field: string; messaging: object } | { field: string; value: object },
    ): void {
      if (app === null || ways.isSilent || subscribed.get(page.id)?.has(field) !== true) return;
      const entry = "messaging" in said ? { messaging: [said.messaging] } : { changes: [{ field, ...said }] };
      void send(page, bodyOf(page, entry));
    },
    /** The app, if the Page's events are sent to it. */
    listApps({ id }: SandboxPage): SandboxAnswer {
      const subscribed_fields = [...(subscribed.get(id) ?? [])];
      const data = subscribed.has(id) ? [{ id: sandboxApp.client_id, name: "Sandbox", subscribed_fields }] : [];
      return ok({ data });
    },
    switches,
  };
}
