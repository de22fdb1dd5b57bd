import { describe, expect, it } from "vitest";
import type { FaultKind } from "../../src/sandbox/faults.ts";
import { type RotatingWorld, rotatingWorld } from "../support/rotating/world.ts";

const minuteMs = 60_000;
const page = (status: number): FaultKind => ({ kind: "refuse", answer: { status, text: "<html>Oops</html>" } });

/** Sweeps for a while, as a process does that goes on running. */
async function sweep({ clock }: RotatingWorld, social: { runDue(): Promise<unknown> }, forMs: number): Promise<void> {
  const until = clock.monotonic() + forMs;
  while (clock.monotonic() < until) {
    await social.runDue();
    await clock.sleep(10_000);
  }
}

/** The most that lie within one minute. */
function mostInAMinute(moments: readonly number[]): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + minuteMs).length));
}

describe("a network that cannot renew a login for ten minutes", () => {
  it.each<[string, FaultKind]>([
    ["answers with 503", page(503)],
    ["answers with a page", page(200)],
    ["answers with a page that says no", page(401)],
    ["asks to be left alone for a while", { kind: "refuse", answer: { status: 429, json: { error: "slow_down" } } }],
    ["refuses the app for a while", { kind: "refuse", answer: { status: 401, json: { error: "invalid_client" } } }],
    ["has no name", { kind: "not_sent", code: "ENOTFOUND" }],
    ["breaks the connection", { kind: "drop_before" }],
    ["does not answer", { kind: "hang" }],
  ])("and %s, has revoked nothing, is not stormed, and gets the posts afterwards", async (_, fault) => {
    const world = rotatingWorld();
    const { clock, network, asked } = world;
    const { social } = world.start();
    const told: string[] = [];
    social.on("profile.needs_attention", ({ profile }) => told.push(profile.id));
    const posts = 12;
    const { id } = await clock.run(() => world.connect(world.start(), "alice"));
    await clock.run(async () => {
      const scheduled_at = new Date(clock.now() + 3 * 3_600_000).toISOString();
      for (let number = 1; number <= posts; number++) {
        await social.posts.create({ profile_ids: [id], text: `Post ${number}`, scheduled_at });
      }
      await clock.sleep(3 * 3_600_000);
      network.faults.add({ ...fault, operation: "POST /token", times: Number.POSITIVE_INFINITY });
      await sweep(world, social, 10 * minuteMs);
    });
    expect((await world.row(id)).status).toBe("connected");
    expect(asked.length).toBeGreaterThan(5);
    expect(mostInAMinute(asked)).toBeLessThanOrEqual(5);
    network.faults.clear();
    await clock.run(() => sweep(world, social, 10 * minuteMs));
    expect(network.notes()).toHaveLength(posts);
    expect((await social.posts.list({ status: "published" })).pagination.total).toBe(posts);
    expect((await world.row(id)).status).toBe("connected");
    expect(network.usedTwice()).toEqual([]);
    expect(told).toEqual([]);
  });
});
