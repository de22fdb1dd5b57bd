import { expect, expectTypeOf, it } from "vitest";
import type { Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { sign, verify, type WebhookEvent } from "../../src/signature/node.ts";
import type { deliverySchema } from "../../src/webhooks/schema.ts";

/** A receiver's handling of events. */
function shown(event: WebhookEvent): string {
  switch (event.type) {
    case "post.published":
    case "post.partially_published":
    case "post.failed":
      expectTypeOf(event.data).toEqualTypeOf<{ post: Post }>();
      return event.data.post.status;
    case "profile.connected":
    case "profile.disconnected":
    case "profile.needs_attention":
      expectTypeOf(event.data).toEqualTypeOf<{ profile: Profile }>();
      return event.data.profile.network;
    case "webhook.test":
      return event.data.message;
  }
}

it("an event's type determines the type of its data, for every delivered event", async () => {
  expectTypeOf<WebhookEvent["type"]>().toEqualTypeOf<(typeof deliverySchema.shape.event.options)[number]>();
  const body = JSON.stringify({ id: "dlv_1", type: "webhook.test", created_at: "", data: { message: "Hello" } });
  const secret = "whsec_1";
  const event = await verify(body, await sign(body, { secret, timestamp: 1_000 }), { secret, now: 1_000 });
  expect(event === null ? null : shown(event)).toBe("Hello");
});
