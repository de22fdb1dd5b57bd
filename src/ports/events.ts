import mitt from "mitt";
import { describeValue } from "../wire/describe-value.ts";
import { SocialError } from "../wire/errors.ts";
import { hintFor } from "../wire/nearest.ts";
import type { Logger } from "./logger.ts";

/** Events that webhook endpoints can subscribe to. The host can also listen to them. */
export const eventNames = [
  "post.published",
  "post.partially_published",
  "post.failed",
  "profile.connected",
  "profile.disconnected",
  "profile.needs_attention",
] as const;

/** Events for the host only: an inbox should not depend on deliveries that may come late, twice and out of order. */
export const inboxEventNames = ["message.received", "message.changed", "conversation.changed"] as const;

const hostEventNames = [...eventNames, ...inboxEventNames] as const;

/** The events of `social.on`. */
export type EventName = (typeof hostEventNames)[number];

/** Events that webhook endpoints also receive. */
export type DeliveredEventName = (typeof eventNames)[number];

/** An event and its account; the module that emits it defines the rest of the payload. */
export interface ServiceEvent {
  name: EventName;
  payload: { account_id: string };
}

/** An event that webhook endpoints also receive. */
export type DeliveredEvent = ServiceEvent & { name: DeliveredEventName };

/** The union of events that a table of payloads by name defines. */
export type EventsOf<Payloads> = { [Name in keyof Payloads]: { name: Name; payload: Payloads[Name] } }[keyof Payloads];

/** The payload of each event. */
type PayloadsByName = Record<EventName, ServiceEvent["payload"]>;

export interface ServiceEvents<Payloads extends PayloadsByName = PayloadsByName> {
  /**
   * @returns a function that unsubscribes
   * @throws SocialError `invalid_request` for an unknown event, and for a listener that is not a function
   */
  on<Name extends EventName>(name: Name, listener: (payload: Payloads[Name]) => void): () => void;
  emit(event: ServiceEvent): void;
  /** True: there is a listener. */
  isHeard(name: EventName): boolean;
}

/**
 * Creates the event emitter. No correctness depends on listeners: an error in one is logged and affects nothing else.
 *
 * @param onListen called with the event of each new listener
 */
export function createEvents<Payloads extends PayloadsByName = PayloadsByName>(
  logger: Logger,
  onListen: (name: EventName) => void = () => {},
): ServiceEvents<Payloads> {
  const emitter = mitt<PayloadsByName>();
  return {
    on(name, listener) {
      assertEvent(name, listener);
      onListen(name);
      const report = (error: unknown): void => logger.error("a listener threw", { event: name, error: String(error) });
      const guarded = (payload: ServiceEvent["payload"]): void => {
        try {
          const pending: unknown = listener(payload as Payloads[typeof name]);
          // An unhandled rejection would end the process.
          if (pending instanceof Promise) pending.catch(report);
        } catch (error) {
          report(error);
        }
      };
      emitter.on(name, guarded);
      return () => emitter.off(name, guarded);
    },
    emit: ({ name, payload }) => emitter.emit(name, payload),
    isHeard: (name) => (emitter.all.get(name)?.length ?? 0) > 0,
  };
}

/** Rejects unknown events: a listener that is never called would go unnoticed. */
function assertEvent(name: unknown, listener: unknown): void {
  if (!(hostEventNames as readonly unknown[]).includes(name)) {
    const named = typeof name === "string" ? `"${name.slice(0, 60)}"` : describeValue(name);
    const hint = hintFor(typeof name === "string" ? name : "", hostEventNames);
    throw new SocialError("invalid_request", `on: unknown event ${named}${hint}`);
  }
  if (typeof listener === "function") return;
  const message = `on: the listener of "${String(name)}" must be a function, not ${describeValue(listener)}.`;
  throw new SocialError("invalid_request", message);
}
