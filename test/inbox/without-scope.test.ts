import { expect, it } from "vitest";
import { connectBluesky } from "../support/connect.ts";
import { createTestService } from "../support/service.ts";

const reason =
  'This profile has no inbox: the service does not read one on Bluesky. [For the developer: If the adapter has the scope "inbox", request it, bluesky({ scopes: ["publish", "inbox"] }), and reconnect the profile.]';

it("an inbox whose scope was not requested says so instead of staying empty", async () => {
  const service = createTestService();
  const { id: profile_id } = await connectBluesky(service);
  const expected = { code: "unsupported", message: reason };
  await expect(service.social.inbox.changes({ profile_id })).rejects.toMatchObject(expected);
  await expect(service.social.inbox.follow({ profile_id }).next()).rejects.toMatchObject(expected);
});

it("following a whole account skips profiles without an inbox", async () => {
  const service = createTestService();
  await connectBluesky(service);
  const stop = new AbortController();
  const following = service.social.inbox.follow({ after: {} }, { signal: stop.signal }).next();
  await service.clock.advance(5_000);
  stop.abort();
  expect((await service.clock.run(() => following)).done).toBe(true);
});
