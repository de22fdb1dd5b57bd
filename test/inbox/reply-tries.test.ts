import { describe, expect, it } from "vitest";
import type { InboxMessage } from "../../src/inbox/schema.ts";
import { createSocialService } from "../../src/service.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import type { Operation, Storage } from "../../src/storage/storage.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { listedNetworks } from "../support/inbox-networks.ts";
import { silentLogger } from "../support/logger.ts";
import { testBaseUrl, testKey } from "../support/service.ts";
import { inboxBench } from "./bench.ts";

const reply = { text: "We do.", idempotency_key: "answer-0001" };

describe.each(listedNetworks)("a reply on $network that is retried", (network) => {
  it("is not closed by the caller that waited for the first attempt", async () => {
    const clock = manualClock();
    const stored = memoryStorage({ clock });
    let beforeClosing = async (): Promise<void> => undefined;
    const slow: Storage = {
      ...stored,
      migrate: () => stored.migrate(),
      async find(...asked) {
        const found = await stored.find(...asked);
        if (asked[0] === "intents" && asked[1].limit === 1) await beforeClosing();
        return found;
      },
    };
    const { sandbox, social, writes, profile } = await inboxBench(network, { clock, storage: slow });
    await writes({ text: `${network.name} do you ship?` });
    const [conversation] = (await social.inbox.conversations.list()).data;
    const id = conversation?.id ?? "";
    await clock.run(() => social.stop());
    const other = createSocialService({
      networks: [network.adapter()],
      encryptionKey: testKey,
      clock,
      http: sandbox.http,
      untrustedHttp: sandbox.untrustedHttp,
      logger: silentLogger,
      baseUrl: testBaseUrl,
      storage: stored,
    });
    let again: Promise<InboxMessage> | null = null;
    beforeClosing = async () => {
      beforeClosing = async () => undefined;
      await stored.write([leaseOf(profile.id, null)]);
      // The next holder of the profile finds the first attempt too late.
      const first = other.inbox.conversations.reply(id, reply);
      await expect(first).rejects.toMatchObject({ code: "publish_failed", details: [{ code: "network_error" }] });
      sandbox[network.network].faults.add({ kind: "slow", operation: "commit", seconds: 8 });
      again = other.inbox.conversations.reply(id, reply);
      while ((await stored.find("intents", { where: {} })).rows.length === 0) await clock.sleep(10);
    };
    await stored.write([leaseOf(profile.id, clock.now() + 60_000)]);
    await clock.run(async () => {
      // It is on its way, and must not count as failed.
      await expect(social.inbox.conversations.reply(id, reply)).rejects.toMatchObject({
        details: [{ code: "timeout" }],
      });
      expect(await again).toMatchObject({ direction: "outbound" });
    });
    expect(network.posts(sandbox).filter(({ text }) => text.includes(reply.text))).toHaveLength(1);
  });
});

function leaseOf(id: string, lease_until: number | null): Operation {
  return { kind: "update", collection: "profiles", id, change: { lease_until }, where: {} };
}
