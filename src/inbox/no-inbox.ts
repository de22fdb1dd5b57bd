import { once } from "../async/once.ts";
import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import { type EventName, inboxEventNames } from "../ports/events.ts";
import type { Logger } from "../ports/logger.ts";

/** Warns of an inbox that is used although it stays empty. */
export interface NoInboxWarning {
  /** The host listens to an event. */
  onListen(name: EventName): void;
  /** A list of conversations was empty. */
  onEmptyList(): void;
}

/** Warns once, and only if no network of the service reads an inbox. A host that never uses the inbox gets no warning. */
export function createNoInboxWarning(
  networks: readonly Pick<NetworkAdapter, "inbox">[],
  logger: Logger,
): NoInboxWarning {
  const warnOnce = once((use) =>
    logger.warn(
      `${use}, but no network of this service reads an inbox: if the adapter has the scope "inbox", request it, as in mastodon({ scopes: ["publish", "inbox"] }), and reconnect the profiles`,
    ),
  );
  const warn = (use: string): void => {
    if (networks.every(({ inbox }) => inbox === undefined)) warnOnce(use);
  };
  return {
    onListen(name) {
      if ((inboxEventNames as readonly EventName[]).includes(name)) warn(`a listener waits for ${name}`);
    },
    onEmptyList: () => warn("conversations were listed"),
  };
}
