import { describe } from "vitest";
import { manualClock } from "./clock.ts";
import type { InboxContractOptions } from "./inbox/bench.ts";
import { hooksContract } from "./inbox/hooks.ts";
import { orderContract } from "./inbox/order.ts";
import { readingContract } from "./inbox/reading.ts";
import { replyingContract } from "./inbox/replying.ts";

/**
 * Tests the requirements of every adapter with an inbox, through a whole service and a simulated network. Call it inside
 * a vitest file. What a network cannot do, according to its scene, is not tested.
 *
 * @example
 * inboxContract({
 *   adapter: () => mastodon({ scopes: ["publish", "inbox"] }),
 *   createHandler,
 *   open(clock) {
 *     const sandbox = createSandbox({ clock });
 *     return { sandbox, host: sandbox.mastodon, scene: sandbox.mastodon.people({ name: "fox" }) };
 *   },
 * });
 */
export function inboxContract(options: InboxContractOptions): void {
  const probe = options.open(manualClock()).scene;
  describe(`the inbox of ${probe.network} keeps the inbox contract`, () => {
    readingContract(options, probe);
    if (probe.hooks !== undefined) hooksContract(options, probe);
    orderContract(options);
    if (options.adapter().inbox?.reply !== undefined) replyingContract(options, probe);
  });
}
