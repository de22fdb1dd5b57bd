import { describe, expect, it } from "vitest";
import type { NetworkAdapter } from "../../src/networks/contract/adapter.ts";
import type { Credentials } from "../../src/networks/contract/profile.ts";
import type { ProfileRow } from "../../src/profiles/rows.ts";
import { fromRow } from "../../src/storage/typed.ts";
import { scenes } from "../networks/scenes.ts";
import { connectBluesky, connectFirst, connectMastodon } from "../support/connect.ts";
import { failureOf } from "../support/failure.ts";
import { createTestService, type TestService } from "../support/service.ts";

const dayMs = 24 * 3_600_000;

async function row({ storage }: TestService, id: string): Promise<ProfileRow> {
  const found = await storage.get("profiles", id);
  if (found === null) throw new Error("the profile is gone");
  return fromRow<ProfileRow>(found);
}

/** Lets days pass in which a cron job runs due work, and nothing else happens. */
async function pass(service: TestService, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await service.clock.advance(dayMs);
    await service.clock.run(() => service.social.runDue());
  }
}

function schedule({ social, clock }: TestService, profileId: string, days: number) {
  const scheduled_at = new Date(clock.now() + days * dayMs).toISOString();
  return clock.run(() => social.posts.create({ profile_ids: [profileId], text: "At last", scheduled_at }));
}

/** Returns the times of its credentials half a millisecond late. */
function halving({ connect, ...adapter }: NetworkAdapter): NetworkAdapter {
  const { login, refresh } = connect;
  const late = ({ expires_at, refresh_at, ...rest }: Credentials): Credentials => ({
    ...rest,
    expires_at: expires_at === null ? null : expires_at + 0.5,
    ...(refresh_at === undefined ? {} : { refresh_at: refresh_at + 0.5 }),
  });
  return {
    ...adapter,
    connect: {
      ...connect,
      async login(context, credentials) {
        const made = await login(context, credentials);
        return { ...made, credentials: late(made.credentials) };
      },
      ...(refresh === undefined ? {} : { refresh: async (context) => late(await refresh(context)) }),
    },
  };
}

describe("a connection that would expire if it were idle", () => {
  it.each(scenes)(
    "is renewed in time on $network, even by an adapter that returns half milliseconds",
    async (scene) => {
      const service = createTestService({ networks: [halving(scene.adapter())] });
      const { id } = await connectFirst(service, scene);
      const { due_at } = await row(service, id);
      await pass(service, 190);
      const renewed = await row(service, id);
      expect(renewed.status).toBe("connected");
      if (due_at === null) expect(renewed.due_at).toBeNull();
      else expect(renewed.due_at).toBeGreaterThan(due_at);
    },
  );

  it("is renewed in time, and the post of 120 days later goes out", async () => {
    const service = createTestService();
    const profile = await connectBluesky(service);
    const { id } = await schedule(service, profile.id, 120);
    await pass(service, 121);
    expect((await service.social.posts.get(id)).status).toBe("published");
    expect((await service.social.profiles.get(profile.id)).status).toBe("connected");
  });

  it("is renewed after half of its time, and not before", async () => {
    const service = createTestService();
    const { id } = await connectBluesky(service);
    const before = await row(service, id);
    expect(before.due_at).toBe(service.clock.now() + 45 * dayMs);
    await pass(service, 44);
    expect((await row(service, id)).private.secret).toBe(before.private.secret);
    await pass(service, 1);
    const renewed = await row(service, id);
    expect(renewed.private.secret).not.toBe(before.private.secret);
    expect(renewed.due_at).toBe(service.clock.now() + 45 * dayMs);
  });

  it("is retried after an hour while the network is failing", async () => {
    const service = createTestService();
    const { id } = await connectBluesky(service);
    service.sandbox.bluesky.faults.add({ kind: "refuse", answer: { status: 503, text: "busy" }, times: 9 });
    await pass(service, 45);
    const { due_at, status } = await row(service, id);
    expect({ due_at, status }).toEqual({ due_at: service.clock.now() + 3_600_000, status: "connected" });
    service.sandbox.bluesky.faults.clear();
    await pass(service, 1);
    expect((await row(service, id)).due_at).toBeGreaterThan(service.clock.now() + 44 * dayMs);
  });

  it("that the network has ended needs attention, once, and causes no more requests", async () => {
    const service = createTestService();
    const broken: string[] = [];
    service.social.on("profile.needs_attention", ({ profile }) => broken.push(profile.id));
    const { id } = await connectBluesky(service);
    service.sandbox.bluesky.revoke("alice.sandbox.example");
    await pass(service, 100);
    expect(broken).toEqual([id]);
    expect((await row(service, id)).due_at).toBeNull();
  });

  it("is renewed again once it is reconnected, or works again at a check", async () => {
    const service = createTestService();
    const { social, sandbox, clock } = service;
    const profile = await connectBluesky(service);
    sandbox.bluesky.revoke("alice.sandbox.example");
    await pass(service, 46);
    expect((await row(service, profile.id)).status).toBe("needs_attention");
    const credentials = { identifier: "alice.sandbox.example", app_password: "abcd-efgh-ijkl-mnop" };
    await clock.run(() => social.profiles.connect({ network: "bluesky", credentials, profile_id: profile.id }));
    await clock.run(() => social.runDue());
    expect((await row(service, profile.id)).due_at).toBe(clock.now() + 45 * dayMs);
    const stored = await row(service, profile.id);
    const change = { status: "needs_attention", due_at: null };
    await service.storage.write([{ kind: "update", collection: "profiles", id: profile.id, change, where: {} }]);
    await clock.run(() => social.profiles.check(profile.id));
    await clock.run(() => social.runDue());
    expect(await row(service, profile.id)).toMatchObject({ status: "connected", due_at: stored.due_at });
  });

  it("is no longer renewed when the profile is disconnected", async () => {
    const service = createTestService();
    const { id } = await connectBluesky(service);
    await service.clock.run(() => service.social.profiles.disconnect(id));
    expect(await row(service, id)).toMatchObject({ due_at: null, private: { secret: null, refresh_at: null } });
    await pass(service, 100);
    expect((await service.social.profiles.get(id)).status).toBe("disconnected");
  });

  it("needs no renewal on networks whose tokens do not expire", async () => {
    const service = createTestService();
    const { id } = await connectMastodon(service);
    expect((await row(service, id)).due_at).toBeNull();
  });

  it("of a network that the service lacks today waits for it", async () => {
    const service = createTestService();
    const { id } = await connectBluesky(service);
    const without = createTestService({ clock: service.clock, storage: service.storage, networks: [] });
    await service.clock.advance(46 * dayMs);
    await service.clock.run(() => without.social.runDue());
    expect((await row(service, id)).due_at).toBe(service.clock.now() + 3_600_000);
    expect((await failureOf(without.social.profiles.get("prof_none"))).code).toBe("not_found");
  });
});
