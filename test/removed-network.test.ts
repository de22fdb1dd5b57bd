import { beforeEach, describe, expect, it } from "vitest";
import { bluesky } from "../src/networks/bluesky/index.ts";
import { mastodon } from "../src/networks/mastodon/index.ts";
import type { Profile } from "../src/profiles/schema.ts";
import { failureOf } from "./support/failure.ts";
import { createTestService, type TestService } from "./support/service.ts";

/** A network that the host made and has removed. */
const notes = () => ({ ...mastodon(), spec: { ...mastodon().spec, network: "notes", name: "Notes" } });

describe("data stored under a network that the service no longer has", () => {
  let after: TestService;
  let profile: Profile;
  let ids: { sent: string; draft: string };

  beforeEach(async () => {
    const before = createTestService({ networks: [notes(), bluesky()] });
    const { social, sandbox, clock } = before;
    const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
    const credentials = { instance, access_token };
    profile = await clock.run(() => social.profiles.connect({ network: "notes", credentials }));
    const body = { profile_ids: [profile.id], text: "Hello", networks: { notes: { visibility: "unlisted" } } };
    const sent = await clock.run(() => social.posts.create(body));
    const draft = await clock.run(() => social.posts.create({ ...body, draft: true }));
    ids = { sent: sent.id, draft: draft.id };
    expect(sent).toMatchObject({ status: "published", targets: [{ network: "notes" }] });
    after = createTestService({ networks: [bluesky()], storage: before.storage, clock });
  });

  it("is shown, and found by the network", async () => {
    const { posts, profiles } = after.social;
    expect((await profiles.list({ network: "notes" })).data).toMatchObject([{ id: profile.id, network: "notes" }]);
    const found = (await posts.list({ network: "notes" })).data.map(({ id }) => id);
    expect(found.sort()).toEqual([ids.draft, ids.sent].sort());
    expect((await posts.list({ network: ["bluesky"] })).data).toEqual([]);
    expect(await posts.get(ids.sent)).toMatchObject({ targets: [{ network: "notes", status: "published" }] });
  });

  it("can be cancelled and disconnected", async () => {
    const { social, clock } = after;
    expect(await clock.run(() => social.posts.cancel(ids.draft))).toMatchObject({ status: "cancelled" });
    expect(await clock.run(() => social.profiles.disconnect(profile.id))).toMatchObject({ status: "disconnected" });
  });

  it("keeps its overrides when a draft changes", async () => {
    const { social, clock } = after;
    const credentials = after.sandbox.bluesky.addAccount({ handle: "alice.sandbox.example" });
    const connection = { identifier: credentials.handle, app_password: credentials.password };
    const other = await clock.run(() => social.profiles.connect({ network: "bluesky", credentials: connection }));
    const updated = await clock.run(() =>
      social.posts.update(ids.draft, { profile_ids: [other.id], text: "Again", publish_now: true }),
    );
    expect(updated).toMatchObject({ status: "published", networks: { notes: { visibility: "unlisted" } } });
  });

  it("does not allow requests to name the network", async () => {
    const { social } = after;
    const overriding = { profile_ids: [profile.id], text: "Hello", networks: { notes: {} } };
    for (const refused of [social.posts.create, social.posts.validate]) {
      const error = await failureOf(refused(overriding));
      expect(error.details).toMatchObject([
        { field: "networks.notes", message: "The service has no such network; known are bluesky." },
      ]);
    }
    const error = await failureOf(social.posts.update(ids.draft, { networks: { notes: {} } }));
    expect(error.details).toMatchObject([{ field: "networks.notes" }]);
  });
});
