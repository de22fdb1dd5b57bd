import { describe, expect, it } from "vitest";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SocialService } from "../../src/service.ts";
import { png } from "../media/samples.ts";
import { createTestService, type TestService } from "../support/service.ts";

interface Bench extends TestService {
  /** Reconnects the same account. */
  connect(): Promise<Profile>;
  requests: string[];
  /** Sweeps every 30 s. */
  sweep(minutes: number): Promise<void>;
  publish(body?: Partial<CreatePost>): Promise<Post>;
  targetOf(post: Post): Promise<Post["targets"][number] | undefined>;
}

type Connection = Parameters<SocialService["profiles"]["connect"]>[0];

const connections = {
  bluesky(sandbox) {
    const { handle, password } = sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    return { network: "bluesky", credentials: { identifier: handle, app_password: password } };
  },
  mastodon(sandbox) {
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    return { network: "mastodon", credentials: { instance, access_token } };
  },
  discord(sandbox) {
    const bot_token = sandbox.discord.addBot();
    return { network: "discord", credentials: { bot_token, channel_id: sandbox.discord.addChannel() } };
  },
} satisfies Record<string, (sandbox: Sandbox) => Connection>;

/** One connected profile; `http` stands between the service and the sandbox. */
async function bench(network: keyof typeof connections, http?: (send: typeof fetch) => typeof fetch): Promise<Bench> {
  const { sandbox, clock, storage } = createTestService();
  const requests: string[] = [];
  const send = http?.(sandbox.http) ?? sandbox.http;
  const counted: typeof fetch = (input, init) => {
    requests.push(input instanceof Request ? input.url : String(input));
    if (requests.length > 1_000) throw new Error("this never ends");
    return send(input, init);
  };
  const { social } = createTestService({ clock, storage, http: counted, untrustedHttp: counted });
  const connection: Connection = connections[network](sandbox);
  const connect = () => clock.run(() => social.profiles.connect(connection));
  const profile = await connect();
  return {
    social,
    clock,
    sandbox,
    storage,
    connect,
    requests,
    sweep: (minutes) =>
      clock.run(async () => {
        for (let count = 0; count < 2 * minutes; count++) {
          await social.runDue();
          await clock.sleep(30_000);
        }
      }),
    publish: (body) => clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Once.", ...body })),
    async targetOf({ id }) {
      return (await social.posts.get(id)).targets[0];
    },
  };
}

describe("the claim that a post is certainly absent", () => {
  it("is not made for a third request that takes effect after a look", async () => {
    const { sandbox, publish, sweep, targetOf } = await bench("bluesky");
    sandbox.bluesky.faults.add({ kind: "drop_before", operation: "commit", times: 2 });
    sandbox.bluesky.faults.add({ kind: "accept_late", operation: "commit", seconds: 20 });
    const post = await publish();
    await sweep(10);
    expect(await targetOf(post)).toMatchObject({ status: "published" });
    expect(sandbox.bluesky.posts()).toHaveLength(1);
  });

  it("is not made for a late request because the network cannot be reached afterwards", async () => {
    const { sandbox, publish, sweep, targetOf } = await bench("bluesky");
    sandbox.bluesky.faults.add({ kind: "accept_late", operation: "commit", seconds: 20 });
    sandbox.bluesky.faults.add({ kind: "not_sent", code: "ECONNREFUSED", operation: "commit", times: 10_000 });
    const post = await publish();
    await sweep(60);
    expect(await targetOf(post)).toMatchObject({ status: "published" });
  });

  it("is not made because a file is gone when the request is to be repeated", async () => {
    let isGone = false;
    const { sandbox, publish, sweep, targetOf } = await bench("discord", (send) => async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (isGone && url.endsWith("picture.png")) return new Response(null, { status: 404 });
      const isCommit = init?.method === "POST" && url.includes("/messages");
      return send(input, init).finally(() => {
        isGone ||= isCommit;
      });
    });
    const media = [sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" })];
    sandbox.discord.faults.add({ kind: "drop_after", operation: "commit" });
    const post = await publish({ media });
    await sweep(10);
    expect(await targetOf(post)).toMatchObject({ status: "published" });
    expect(sandbox.discord.posts()).toHaveLength(1);
  });
});

describe("the last look", () => {
  it("is repeated at the usual pace while the network cannot be read", async () => {
    const { sandbox, publish, sweep, requests } = await bench("bluesky");
    const { faults } = sandbox.bluesky;
    const refusal = { status: 400, json: { error: "InvalidRequest", message: "no" } };
    faults.add({ kind: "drop_before", operation: "commit" });
    faults.add({ kind: "refuse", operation: "commit", answer: refusal });
    await publish();
    faults.add({ kind: "refuse", answer: { status: 503, text: "down" }, times: 10_000 });
    requests.length = 0;
    await sweep(3);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.length).toBeLessThan(20);
  });
});

describe("a part that was abandoned while its response was missing", () => {
  it("blocks no later post of the profile", async () => {
    const { sandbox, social, clock, connect, publish, sweep, targetOf } = await bench("mastodon");
    sandbox.mastodon.faults.add({ kind: "drop_after", operation: "commit" });
    const lost = await publish();
    await clock.run(() => social.profiles.disconnect(lost.targets[0]?.profile_id ?? ""));
    await sweep(5);
    expect(await targetOf(lost)).toMatchObject({ status: "failed", error: { code: "timeout" } });
    await connect();
    expect(await targetOf(await publish({ text: "The next one." }))).toMatchObject({ status: "published" });
  });
});
