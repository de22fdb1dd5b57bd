import { describe, expect, it } from "vitest";
import { type DeliveredEventName, eventNames } from "../../src/ports/events.ts";
import { manualClock } from "../../src/testing/clock.ts";
import { connectBluesky, connectMastodon } from "../support/connect.ts";
import { type WebhookBench, webhookBench } from "../support/webhooks.ts";

const refused = { kind: "refuse", answer: { status: 422, json: { error: "no" } }, operation: "commit" } as const;

/** Makes each of the six events happen, in the order of `eventNames`. */
async function makeAllHappen(bench: WebhookBench): Promise<void> {
  const { social, sandbox, clock } = bench;
  const { instance, access_token } = sandbox.mastodon.addAccount({ username: "alice" });
  const mastodon = await clock.run(() =>
    social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
  );
  const bluesky = await connectBluesky(bench);
  const publish = (...profile_ids: string[]) => clock.run(() => social.posts.create({ profile_ids, text: "Hello" }));
  await publish(mastodon.id);
  sandbox.mastodon.faults.add(refused);
  await publish(mastodon.id, bluesky.id);
  sandbox.mastodon.faults.add(refused);
  await publish(mastodon.id);
  sandbox.mastodon.revoke(access_token);
  await clock.run(() => social.profiles.check(mastodon.id));
  await clock.run(() => social.profiles.disconnect(mastodon.id));
}

const happened: Record<DeliveredEventName, number> = {
  "post.published": 1,
  "post.partially_published": 1,
  "post.failed": 1,
  "profile.connected": 2,
  "profile.disconnected": 1,
  "profile.needs_attention": 1,
};

describe("an event", () => {
  it("is delivered to every active endpoint that is subscribed, and to no other", async () => {
    const bench = webhookBench();
    const { social, sandbox, clock } = bench;
    await bench.endpoint("all");
    for (const name of eventNames) await bench.endpoint(name, { events: [name] });
    await bench.endpoint("pair", { events: ["post.failed", "profile.disconnected"] });
    const disabled = await bench.endpoint("disabled");
    await social.webhooks.update(disabled.id, { status: "disabled" });
    const other = social.forAccount("somebody-else").webhooks;
    await other.create({ url: sandbox.receivers.url("foreign") });
    const deleted = await bench.endpoint("deleted");
    await social.webhooks.delete(deleted.id);

    await makeAllHappen(bench);
    await bench.deliver();

    const taken: Record<string, Record<string, number>> = {};
    for (const { receiver, event } of bench.taken()) {
      taken[receiver] ??= {};
      taken[receiver][event] = (taken[receiver][event] ?? 0) + 1;
    }
    expect(taken).toEqual({
      all: happened,
      ...Object.fromEntries(eventNames.map((name) => [name, { [name]: happened[name] }])),
      pair: { "post.failed": 1, "profile.disconnected": 1 },
    });
    expect(await bench.log(disabled.id)).toEqual([]);
    expect((await bench.storage.find("deliveries", { where: { due_at: { not_null: true } } })).total).toBe(0);
    await clock.advance(0);
  });

  it("carries the post as a read returns it, or the profile, at that moment", async () => {
    const bench = webhookBench();
    const { social, clock } = bench;
    await bench.endpoint("all");
    const profile = await connectMastodon(bench);
    const post = await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Hello" }));
    const gone = await clock.run(() => social.profiles.disconnect(profile.id));
    await bench.deliver();
    const bodies = Object.fromEntries(bench.taken().map(({ event, body }) => [event, JSON.parse(body).data]));
    expect(bodies).toEqual({
      "profile.connected": { profile },
      "post.published": { post },
      "profile.disconnected": { profile: { ...gone, updated_at: expect.any(String) } },
    });
  });

  it("has another id for each endpoint", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    await bench.endpoint("b");
    await bench.happen(3);
    await bench.deliver();
    expect(new Set(bench.taken().map(({ id }) => id)).size).toBe(6);
    for (const { id, body } of bench.taken()) expect(JSON.parse(body).id).toBe(id);
  });

  it("is delivered in its first form, though a retry has changed the post since", async () => {
    const bench = webhookBench();
    const { social, sandbox, clock } = bench;
    const { id: endpointId } = await bench.endpoint("a", { events: ["post.failed", "post.published"] });
    const { id: profileId } = await connectMastodon(bench);
    sandbox.mastodon.faults.add(refused);
    const failed = await clock.run(() => social.posts.create({ profile_ids: [profileId], text: "Hello" }));
    expect(failed.status).toBe("failed");
    await clock.advance(5_000);
    const published = await clock.run(() => social.posts.retry(failed.id));
    expect(published.status).toBe("published");
    await bench.deliver();
    const bodies = bench.taken().map(({ body }) => JSON.parse(body));
    const byEvent = (type: string) => bodies.filter((body) => body.type === type).map(({ data }) => data);
    expect(byEvent("post.failed")).toEqual([{ post: failed }]);
    expect(byEvent("post.published")).toEqual([{ post: published }]);
    expect((await bench.log(endpointId)).map(({ event, data }) => [event, data])).toEqual([
      ["post.published", { post: published }],
      ["post.failed", { post: failed }],
    ]);
  });

  it("is also sent for a scheduled post that is found too late", async () => {
    const bench = webhookBench();
    const { social, clock } = bench;
    const profile = await connectMastodon(bench);
    await bench.endpoint("a");
    const scheduled_at = new Date(clock.now() + 3_600_000).toISOString();
    const post = await clock.run(() => social.posts.create({ profile_ids: [profile.id], text: "Late", scheduled_at }));
    await clock.advance(30 * 3_600_000);
    await bench.deliver();
    expect(bench.taken().map(({ event, body }) => [event, JSON.parse(body).data.post.id])).toEqual([
      ["post.failed", post.id],
    ]);
  });

  it("is not sent while a post is scheduled", async () => {
    const bench = webhookBench();
    const profile = await connectMastodon(bench);
    await bench.endpoint("a");
    const scheduled_at = new Date(bench.clock.now() + 3_600_000).toISOString();
    await bench.clock.run(() => bench.social.posts.create({ profile_ids: [profile.id], text: "Later", scheduled_at }));
    await bench.deliver();
    expect(bench.sent).toEqual([]);
  });
});

describe("a profile's health", () => {
  async function connected(bench: WebhookBench) {
    const { instance, access_token } = bench.sandbox.mastodon.addAccount({ username: "alice" });
    const connect = () =>
      bench.clock.run(() =>
        bench.social.profiles.connect({ network: "mastodon", credentials: { instance, access_token } }),
      );
    return { profile: await connect(), connect, access_token };
  }

  const events = async (bench: WebhookBench): Promise<string[]> => {
    const deliveries = await bench.storage.find("deliveries", {
      where: { event: { in: ["profile.connected", "profile.disconnected", "profile.needs_attention"] } },
      order: { column: "created_at", direction: "asc" },
    });
    return deliveries.rows.map(({ event }) => String(event));
  };

  it("is announced once, on the transition only", async () => {
    const clock = manualClock();
    const bench = webhookBench({ clock });
    await bench.endpoint("a");
    const { profile, connect, access_token } = await connected(bench);
    const { social, sandbox } = bench;
    await connect();
    await connect();
    await clock.advance(1_000);
    sandbox.mastodon.revoke(access_token);
    for (const text of ["One", "Two", "Three"]) {
      await clock.run(() => social.posts.create({ profile_ids: [profile.id], text }).catch(() => undefined));
    }
    await clock.run(() => social.profiles.check(profile.id));
    await clock.run(() => social.profiles.check(profile.id));
    await clock.advance(1_000);
    await clock.run(() => social.profiles.disconnect(profile.id));
    await clock.run(() => social.profiles.disconnect(profile.id));
    expect(await events(bench)).toEqual(["profile.connected", "profile.needs_attention", "profile.disconnected"]);
  });

  it("is announced again when a disconnected profile is reconnected", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    const { profile, connect } = await connected(bench);
    await bench.clock.advance(1_000);
    await bench.clock.run(() => bench.social.profiles.disconnect(profile.id));
    await bench.clock.advance(1_000);
    await connect();
    await connect();
    expect(await events(bench)).toEqual(["profile.connected", "profile.disconnected", "profile.connected"]);
  });

  it("is announced once by three concurrent checks, and by three concurrent disconnections", async () => {
    const bench = webhookBench();
    await bench.endpoint("a");
    const { profile, access_token } = await connected(bench);
    const { social, sandbox, clock } = bench;
    const thrice = (work: () => Promise<unknown>) => clock.run(() => Promise.all([work(), work(), work()]));
    sandbox.mastodon.revoke(access_token);
    await clock.advance(1_000);
    await thrice(() => social.profiles.check(profile.id));
    await clock.advance(1_000);
    await thrice(() => social.profiles.disconnect(profile.id));
    expect(await events(bench)).toEqual(["profile.connected", "profile.needs_attention", "profile.disconnected"]);
  });
});
