import assert from "node:assert/strict";
import { test } from "node:test";
import { createSocialService } from "postrider";
import { mastodon } from "postrider/networks/mastodon";
import { createSandbox } from "postrider/sandbox";
import { memoryStorage } from "postrider/storage/memory";
import { manualClock } from "postrider/testing";
import { announce } from "./announce.ts";

test("announces an article once although the first response is lost", async () => {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  const social = createSocialService({
    storage: memoryStorage({ clock }),
    networks: [mastodon()],
    encryptionKey: Buffer.alloc(32).toString("base64"),
    clock,
    http: sandbox.http,
    untrustedHttp: sandbox.untrustedHttp,
  });
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  await clock.run(() => social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }));

  sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" }); // Posted, but the response is lost.
  const article = { id: 4711, title: "Three rows of blue hills" };
  const first = await clock.run(() => announce(social, article));
  const second = await clock.run(() => announce(social, article));
  await clock.advance(10 * 60_000); // Ten virtual minutes.
  await clock.run(() => social.runDue());

  assert.equal(second.id, first.id);
  assert.equal((await social.posts.get(first.id)).status, "published");
  assert.equal(sandbox.mastodon.posts().length, 1);
});
