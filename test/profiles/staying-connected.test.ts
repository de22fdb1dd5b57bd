import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedProcess } from "../support/process.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let world: RotatingWorld;
let process: SimulatedProcess;
let events: string[];

beforeEach(() => {
  world = rotatingWorld();
  process = world.start();
  events = [];
  for (const name of ["profile.connected", "profile.disconnected", "profile.needs_attention"] as const) {
    process.social.on(name, () => events.push(name));
  }
});

const connect = () => world.clock.run(() => world.connect(process, "alice"));
const check = (id: string) => world.clock.run(() => process.social.profiles.check(id));
const runDue = () => world.clock.run(() => process.social.runDue());

describe("a connection that expires when it is not renewed", () => {
  it("is renewed although posts go out more often than renewals are due", async () => {
    // A token of two hours would be renewed by each post.
    world = rotatingWorld({ accessSeconds: 60 * 24 * 3_600 });
    process = world.start();
    const { id } = await connect();
    await world.clock.advance(45 * dayMs - hourMs);
    for (let post = 1; post <= 6; post++) {
      await world.clock.advance(hourMs / 2);
      await world.clock.run(() => process.social.posts.create({ profile_ids: [id], text: `Post ${post}` }));
    }
    expect(world.network.notes()).toHaveLength(6);
    expect(world.asked).toHaveLength(1);
    expect((await world.row(id)).private.refresh_at).toBe((world.asked[0] ?? 0) + 45 * dayMs);
  });

  it("is renewed when a process finds it after a long time without one", async () => {
    const { id } = await connect();
    await world.clock.advance(89 * dayMs);
    await runDue();
    expect(await world.row(id)).toMatchObject({ status: "connected", due_at: world.clock.now() + 45 * dayMs });
    expect(world.network.isGood(await world.refreshToken(id))).toBe(true);
  });

  it("needs attention, once, when a process finds it too late", async () => {
    const { id } = await connect();
    await world.clock.advance(91 * dayMs);
    for (let run = 0; run < 3; run++) await runDue();
    expect((await world.row(id)).status).toBe("needs_attention");
    expect(events).toEqual(["profile.connected", "profile.needs_attention"]);
    expect(world.asked).toHaveLength(1);
  });
});

describe("a response without a refresh token", () => {
  it.each(["empty", "absent"] as const)("keeps the previous one: %s", async (value) => {
    const { id } = await connect();
    const before = await world.refreshToken(id);
    world.network.answerRefreshToken(value);
    world.network.expireTokens();
    await check(id);
    expect(await world.refreshToken(id)).toBe(before);
    world.network.expireTokens();
    await check(id);
    expect((await world.row(id)).status).toBe("connected");
    expect(world.asked).toHaveLength(2);
  });
});

describe("a connection that is refused although it was renewed just now", () => {
  it("stays connected at a check, which throws because it could not be completed", async () => {
    const { id } = await connect();
    const answer = { status: 401, json: { error: "expired_token" } };
    world.network.faults.add({ kind: "refuse", operation: "GET /me", answer, times: 2 });
    await expect(check(id)).rejects.toMatchObject({
      code: "publish_failed",
      message: expect.stringMatching(/^The profile could not be checked\. Rotating does not take this token\./),
    });
    expect(world.asked).toHaveLength(1);
    expect((await world.row(id)).status).toBe("connected");
    await check(id);
    expect(events).toEqual(["profile.connected"]);
  });
});

describe("an account that the network accepts again", () => {
  it("becomes connected at a check, though its access token has expired meanwhile", async () => {
    const { id } = await connect();
    world.network.suspend("alice", true);
    await check(id);
    expect((await world.row(id)).status).toBe("needs_attention");
    await world.clock.advance(dayMs);
    await expect(check(id)).rejects.toMatchObject({ code: "publish_failed" });
    expect((await world.row(id)).status).toBe("needs_attention");
    world.network.suspend("alice", false);
    await world.clock.advance(10_000);
    await check(id);
    expect((await world.row(id)).status).toBe("connected");
    expect(events).toEqual(["profile.connected", "profile.needs_attention", "profile.connected"]);
  });

  it("still needs attention when its refresh token is dead, too, without a second event", async () => {
    const { id } = await connect();
    world.network.revoke("alice");
    for (let tries = 0; tries < 3; tries++) await check(id);
    expect((await world.row(id)).status).toBe("needs_attention");
    expect(events).toEqual(["profile.connected", "profile.needs_attention"]);
  });
});

describe("reconnecting", () => {
  it("while the profile is being disconnected emits both events, in their order", async () => {
    const { id } = await connect();
    const { storage } = world;
    const { write } = storage;
    let isFirst = true;
    // Between the claim for the new credentials and their write, another call disconnects the profile.
    storage.write = async (operations) => {
      const isLogin = operations.some(
        (each) => each.kind === "update" && each.collection === "profiles" && "status" in each.change && isFirst,
      );
      if (!isLogin) return write(operations);
      isFirst = false;
      void process.social.profiles.disconnect(id);
      await world.clock.sleep(10);
      return write(operations);
    };
    await connect();
    await world.clock.run(() => world.clock.sleep(60_000));
    expect((await world.row(id)).status).toBe("connected");
    expect(events).toEqual(["profile.connected", "profile.disconnected", "profile.connected"]);
  });
});
