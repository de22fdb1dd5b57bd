import { describe, expect, it } from "vitest";
import { verify } from "../../src/signature/node.ts";
import { createTestService } from "../support/service.ts";

describe("a finished post", () => {
  it("is delivered to the endpoint that is subscribed, signed, with the post as it is read", async () => {
    const { social, sandbox, clock } = createTestService();
    const { webhooks } = social;
    const endpoint = await clock.run(() =>
      webhooks.create({ url: sandbox.receivers.url("a"), events: ["post.published"] }),
    );
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const post = await clock.run(async () => {
      const profile = await social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } });
      return social.posts.create({ profile_ids: [profile.id], text: "Three rows of blue hills. 🦊" });
    });
    await clock.run(() => social.runDue());
    const [received, ...more] = sandbox.receivers.deliveries("a");
    expect(more).toEqual([]);
    const now = clock.now() / 1_000;
    const event = await verify(received?.body ?? "", received?.signature, { secret: endpoint.secret, now });
    expect(event).toEqual({ id: received?.id, type: "post.published", created_at: post.published_at, data: { post } });
    const log = await webhooks.deliveries.list(endpoint.id);
    expect(log.data).toEqual([
      {
        id: received?.id,
        webhook_id: endpoint.id,
        event: "post.published",
        status: "delivered",
        attempts: 1,
        created_at: post.published_at,
        next_attempt_at: null,
        response_status: 200,
        response_body: "taken",
        delivered_at: expect.any(String),
        data: { post },
      },
    ]);
  });
});
