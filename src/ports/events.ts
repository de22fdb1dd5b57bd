import mitt from "mitt";
import { describeValue } from "../wire/describe-value.ts";
import { SocialError } from "../wire/errors.ts";
import { hintFor } from "../wire/nearest.ts";
import type { Logger } from "./logger.ts";

/** What an endpoint may subscribe to. The host may listen to these, too. */
export const eventNames = [
  "post.published",
  "post.partially_published",
  "post.failed",
  "profile.connected",
  "profile.disconnected",
  "profile.needs_attention",
] as const;

/** What only the host may listen to: an inbox is no place for deliveries that may come late, twice and out of order. */
export const inboxEventNames = ["message.received", "message.changed", "conversation.changed"] as const;

const hostEventNames = [...eventNames, ...inboxEventNames] as const;

/** The events that `social.on` tells of. */
export type EventName = (typeof hostEventNames)[number];

/** Events that webhook endpoints also receive. */
export type DeliveredEventName = (typeof eventNames)[number];

/** Something that has happened, and to whom; the rest of the payload is up to the module that emits it. */
export interface ServiceEvent {
  name: EventName;
  payload: { account_id: string };
}

/** An event that webhook endpoints also receive. */
export type DeliveredEvent = ServiceEvent & { name: DeliveredEventName };

/** The events that a table of payloads by name describes. */
export type EventsOf<Payloads> = { [Name in keyof Payloads]: { name: Name; payload: Payloads[Name] } }[keyof Payloads];

/** The payload of each event. */
type PayloadsByName = Record<EventName, ServiceEvent["payload"]>;

export interface ServiceEvents<Payloads extends PayloadsByName = PayloadsByName> {
  /**
   * @returns a function that stops listening
   * @throws SocialError `invalid_request` for a name that no event has, and for what is no function
   */
  on<Name extends EventName>(name: Name, listener: (payload: Payloads[Name]) => void): () => void;
  emit(event: ServiceEvent): void;
  /** Does anybody listen? */
  isHeard(name: EventName): boolean;
}

/** Nothing correct depends on a listener: one that throws is logged and harms nobody. */
export function createEvents<Payloads extends PayloadsByName = PayloadsByName>(
  logger: Logger,
): ServiceEvents<Payloads> {
  const emitter = mitt<PayloadsByName>();
  return {
    on(name, listener) {
      assertEvent(name, listener);
      const report = (error: unknown): void => logger.error("a listener threw", { event: name, error: String(error) });
      const guarded = (payload: ServiceEvent["payload"]): void => {
        try {
          const pending: unknown = listener(payload as Payloads[typeof name]);
          // A rejection that nobody handles would end the process.
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

/** A listener that is never called would not be noticed until something is missing. */
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
