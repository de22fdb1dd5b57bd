import { expect, it } from "vitest";
import { png } from "../media/samples.ts";
import { createTestService } from "../support/service.ts";

const dripMs = 5_000;

/** The host sends all but the last bytes immediately, then one byte every 5 s. */
function dripping(bytes: Uint8Array, drips: number, sleep: (ms: number) => Promise<void>): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      if (at > 0) await sleep(dripMs);
      const size = at === 0 ? bytes.length - drips : 1;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

it.each(["bluesky", "discord"] as const)(
  "a post on %s goes out although the file's host needs longer than a lease",
  async (network) => {
    let isSlow = false;
    let downloads = 0;
    const { sandbox, clock, storage } = createTestService();
    const address = sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" });
    const http: typeof fetch = async (input, init) => {
      const response = await sandbox.http(input, init);
      const url = input instanceof Request ? input.url : String(input);
      if (!isSlow || url !== address || new Headers(init?.headers).has("range")) return response;
      downloads += 1;
      const body = dripping(new Uint8Array(await response.arrayBuffer()), 20, clock.sleep);
      return new Response(body, { status: response.status, headers: response.headers });
    };
    const { social } = createTestService({ storage, clock, http, untrustedHttp: http });
    const post = await clock.run(async () => {
      const credentials: Record<string, string> =
        network === "bluesky"
          ? {
              identifier: sandbox.bluesky.addAccount({ handle: "alice.sandbox.example", password: "pass" }).handle,
              app_password: "pass",
            }
          : { bot_token: sandbox.discord.addBot(), channel_id: sandbox.discord.addChannel() };
      const profile = await social.profiles.connect({ network, credentials });
      isSlow = true;
      await social.start();
      const { id } = await social.posts.create({ profile_ids: [profile.id], text: "Slow", media: [address] });
      await clock.sleep(600_000);
      await social.stop(0);
      return social.posts.get(id);
    });
    expect(post.targets[0]).toMatchObject({ status: "published", error: null });
    // Inspected, then searched for locations, for which the inspection had no time, then kept.
    expect(downloads).toBeLessThanOrEqual(3);
  },
);
