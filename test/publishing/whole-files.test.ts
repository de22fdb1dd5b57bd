import { expect, it } from "vitest";
import { discord } from "../../src/networks/discord/index.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { memoryStorage } from "../../src/storage/memory.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { png } from "../media/samples.ts";
import { createProcess } from "../support/process.ts";

it("an account holds few of its posts' files in memory, however many channels it writes to concurrently", async () => {
  const clock = manualClock();
  const sandbox = createSandbox({ clock });
  let held = 0;
  let maxHeld = 0;
  const untrustedHttp: typeof fetch = async (input, init) => {
    const isFile = String(input instanceof Request ? input.url : input).includes(".png");
    if (isFile && (input instanceof Request ? input.method : init?.method) !== "HEAD") {
      held += 1;
      maxHeld = Math.max(maxHeld, held);
      await clock.sleep(5_000);
    }
    return sandbox.untrustedHttp(input, init);
  };
  const http: typeof fetch = async (input, init) => {
    const response = await sandbox.http(input, init);
    const headers = new Headers(input instanceof Request ? input.headers : init?.headers);
    if (/multipart/.test(headers.get("content-type") ?? "")) held -= 1;
    return response;
  };
  // Without a media store, from which a file would be read while it is sent.
  const service = { networks: [discord()], http, untrustedHttp };
  const { social } = createProcess({ storage: memoryStorage({ clock }), sandbox, clock, service });
  const profile_ids: string[] = [];
  for (let channel = 0; channel < 12; channel++) {
    const webhook_url = sandbox.discord.addWebhook({ channel: sandbox.discord.addChannel() });
    const profile = await clock.run(() =>
      social.profiles.connect({ network: "discord", credentials: { webhook_url } }),
    );
    profile_ids.push(profile.id);
  }
  const media = [sandbox.media.put("wide.png", png(64, 64))];
  const scheduled_at = new Date(clock.now() + 60_000).toISOString();
  const post = await clock.run(() => social.posts.create({ profile_ids, text: "Everywhere", media, scheduled_at }));
  held = 0;
  maxHeld = 0;
  await clock.run(() => social.start());
  await clock.advance(300_000);
  expect((await social.posts.get(post.id)).status).toBe("published");
  // One more has inspected the file before, and released it without a message.
  expect({ maxHeld, held }).toEqual({ maxHeld: 4 + 1, held: 1 });
  await clock.run(() => social.stop());
});
