import type { Deletions } from "./accounts/deletions.ts";
import type { LoginCallback } from "./connections/callback.ts";
import type { Connections } from "./connections/connections.ts";
import type { ReadDocument } from "./connections/documents.ts";
import type { Hosting } from "./hosting/hosting.ts";
import type { Media } from "./hosting/media.ts";
import type { ReceiveHook } from "./inbox/hook-intake.ts";
import type { AccountInbox } from "./inbox/inbox.ts";
import type { Keys } from "./keys/keys.ts";
import type { NetworkDescription } from "./networks/runtime/schema.ts";
import type { Clock } from "./ports/clock.ts";
import type { Logger } from "./ports/logger.ts";
import type { Posts } from "./posts/posts.ts";
import type { Profiles } from "./profiles/profiles.ts";
import type { Storage } from "./storage/storage.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import { SocialError } from "./wire/errors.ts";

/** What `createSocialService` returned: whichever networks it was given, with tenants or without. */
export interface Service {
  /** What each of its networks accepts. */
  networks: { list(): NetworkDescription[] };
  /** Its API keys. */
  keys: Keys;
  /** Its modules, bound to one account. */
  forAccount(accountId: string): object;
}

/** What a service gives to what is built around it, and not to its host. */
export interface ServicePorts {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  networks: { list(): NetworkDescription[] };
  hosting: Pick<Hosting, "serve">;
  /** Brings a login on whose browser a network has sent back. */
  loginCallback: LoginCallback;
  /** Takes what networks send of what happens on accounts. */
  receiveHook: ReceiveHook;
  /** Where the handler is mounted; null: nobody said. */
  baseUrl: string | null;
  /** Origins of the host's own pages. */
  trustedOrigins: readonly string[];
  /** Takes what networks send of people who want their data deleted. */
  deletions: Deletions;
  /** Keeps the service from stopping while work goes on that its call no longer waits for. */
  track(work: Promise<unknown>): void;
  /** Processes an inbox's due work. */
  workInbox(id: string): Promise<void>;
  /** What networks may read about the host's apps. */
  readDocument: ReadDocument;
  forAccount(accountId: string): {
    posts: Posts;
    profiles: Profiles;
    connections: Connections;
    inbox: AccountInbox;
    webhooks: Webhooks;
    media: Media;
  };
  /** Resolves when no work goes on that a call has begun. */
  untilIdle(): Promise<void>;
}

const portsByService = new WeakMap<object, ServicePorts>();

export function keepPorts(service: object, ports: ServicePorts): void {
  portsByService.set(service, ports);
}

/** @throws SocialError `invalid_options` for anything but what `createSocialService` returned */
export function portsOf(service: object): ServicePorts {
  const ports = portsByService.get(service);
  if (ports === undefined) {
    const message = "createHandler requires the object that createSocialService returned, not a copy of it.";
    throw new SocialError("invalid_options", message);
  }
  return ports;
}
