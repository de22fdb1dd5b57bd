import mitt from "mitt";
import type { Logger } from "./ports/logger.ts";
import type { Post } from "./posts/schema.ts";
import type { Profile } from "./profiles/schema.ts";
import { SocialError } from "./wire/errors.ts";
import { hintFor } from "./wire/nearest.ts";
import { valueWords } from "./wire/value-words.ts";

/** What the host may listen to, and an endpoint subscribe to. */
export const eventNames = [
  "post.published",
  "post.partially_published",
  "post.failed",
  "profile.connected",
  "profile.disconnected",
  "profile.needs_attention",
] as const;

export type EventName = (typeof eventNames)[number];

/** What each event tells. Emitted after the change is stored. */
export interface EventPayloads extends Record<EventName, { account_id: string }> {
  /** Every target of a post is published. */
  "post.published": { account_id: string; post: Post };
  /** Some targets are published, and at least one failed. */
  "post.partially_published": { account_id: string; post: Post };
  /** No target is published. */
  "post.failed": { account_id: string; post: Post };
  "profile.connected": { account_id: string; profile: Profile };
  "profile.disconnected": { account_id: string; profile: Profile };
  /** A profile's credentials have stopped working; once per break. */
  "profile.needs_attention": { account_id: string; profile: Profile };
}

/** Something that has happened. */
export type ServiceEvent = { [Name in EventName]: { name: Name; payload: EventPayloads[Name] } }[EventName];

export interface ServiceEvents {
  /**
   * @returns a function that stops listening
   * @throws SocialError `invalid_request` for a name that no event has, and for what is no function
   */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayloads[Name]) => void): () => void;
  emit(event: ServiceEvent): void;
}

/** Nothing correct depends on a listener: one that throws is logged and harms nobody. */
export function createEvents(logger: Logger): ServiceEvents {
  const emitter = mitt<Record<EventName, EventPayloads[EventName]>>();
  return {
    on(name, listener) {
      demandEvent(name, listener);
      const report = (error: unknown): void => logger.error("a listener threw", { event: name, error: String(error) });
      const guarded = (payload: EventPayloads[EventName]): void => {
        try {
          const pending: unknown = listener(payload as EventPayloads[typeof name]);
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
  };
}

/** A listener that is never called would not be noticed until something is missing. */
function demandEvent(name: unknown, listener: unknown): void {
  if (!(eventNames as readonly unknown[]).includes(name)) {
    const named = typeof name === "string" ? `"${name.slice(0, 60)}"` : valueWords(name);
    const hint = hintFor(typeof name === "string" ? name : "", eventNames);
    throw new SocialError("invalid_request", `on: there is no event ${named}${hint}`);
  }
  if (typeof listener === "function") return;
  const message = `on: give a function that is called with what "${String(name)}" tells, not ${valueWords(listener)}.`;
  throw new SocialError("invalid_request", message);
}
