import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../src/testing/clock.ts";

const itself = fileURLToPath(import.meta.url);

/** A store that responds from another thread, which no clock can see. */
const database = {
  name: "database",
  digest: async (text: string) => {
    const data = new TextEncoder().encode(text.repeat(10_000));
    return Buffer.from(await crypto.subtle.digest("SHA-512", data)).toString("hex");
  },
  fails: async () => {
    await crypto.subtle.digest("SHA-512", new Uint8Array(10_000));
    throw new Error("It fails.");
  },
  now: () => 7,
};

describe("the manual clock", () => {
  it("stands still until the test moves it", async () => {
    const clock = manualClock("2026-01-02T03:04:05.678Z");
    expect(new Date(clock.now()).toISOString()).toBe("2026-01-02T03:04:05.678Z");
    expect(clock.monotonic()).toBe(0);
    await clock.advance(1_500);
    expect(new Date(clock.now()).toISOString()).toBe("2026-01-02T03:04:07.178Z");
    expect(clock.monotonic()).toBe(1_500);
    expect(manualClock(5).now()).toBe(5);
  });

  it("jumps without time passing", async () => {
    const clock = manualClock(0);
    clock.jump(5_000);
    clock.jump(-1_000);
    expect([clock.now(), clock.monotonic()]).toEqual([4_000, 0]);
  });

  it("wakes each sleeper at its moment, those of one moment in the order of their sleep", async () => {
    const clock = manualClock();
    const woken: [string, number][] = [];
    const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push([name, clock.monotonic()]));
    void sleep("late", 30);
    void sleep("first", 10);
    void sleep("second", 10);
    void sleep("past", -5);
    await clock.advance(20);
    expect(woken).toEqual([
      ["past", 0],
      ["first", 10],
      ["second", 10],
    ]);
    expect(clock.monotonic()).toBe(20);
    await clock.advance(10);
    expect(woken.at(-1)).toEqual(["late", 30]);
  });

  it("also wakes sleepers that begin meanwhile", async () => {
    const clock = manualClock();
    const moments: number[] = [];
    void (async () => {
      for (;;) {
        await clock.sleep(7);
        moments.push(clock.monotonic());
      }
    })();
    await clock.advance(30);
    expect(moments).toEqual([7, 14, 21, 28]);
  });

  it("releases an aborted sleeper, and does not start one that is already aborted", async () => {
    const clock = manualClock();
    const control = new AbortController();
    const sleeping = clock.sleep(10, control.signal);
    control.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
    await expect(clock.sleep(10, control.signal)).rejects.toBe("enough");
    await expect(clock.run(() => new Promise<never>((_, reject) => reject(new Error("its own"))))).rejects.toThrow(
      "its own",
    );
    expect(clock.monotonic()).toBe(0);
  });

  it("runs work to its end, and no further", async () => {
    const clock = manualClock();
    void clock.sleep(10_000);
    const ended = await clock.run(async () => {
      await clock.sleep(1_000);
      await clock.sleep(500);
      return clock.monotonic();
    });
    expect([ended, clock.monotonic()]).toEqual([1_500, 1_500]);
  });

  it("throws when work waits for something that no sleeper will bring", async () => {
    const clock = manualClock();
    await expect(clock.run(() => new Promise(() => {}))).rejects.toThrow("no sleeper will bring");
  });
});

describe("no time passes", () => {
  it.each<[string, (watch: (port: typeof database) => typeof database) => Promise<unknown>]>([
    ["through a long chain of promises", () => hop(10_000, async () => undefined)],
    ["through many turns of the event loop", () => hop(200, () => setImmediate())],
    ["while files are read", () => hop(20, () => readFile(itself))],
    ["while something watched is asked", (watch) => hop(20, () => watch(database).digest("a"))],
    ["while something watched fails", (watch) => hop(20, () => expect(watch(database).fails()).rejects.toThrow())],
  ])("%s", async (_, work) => {
    const clock = manualClock();
    let endedAt: number | undefined;
    void clock.sleep(1_000).then(async () => {
      await work(clock.watch);
      endedAt = clock.monotonic();
    });
    void clock.sleep(1_001);
    await clock.advance(5_000);
    expect(endedAt).toBe(1_000);
  });

  it("unless other code keeps the event loop busy until it does", async () => {
    const clock = manualClock();
    let hasPassed = false;
    void clock.sleep(1_000).then(() => {
      hasPassed = true;
    });
    const loop = (async () => {
      while (!hasPassed) await setImmediate();
    })();
    await clock.advance(1_000);
    await loop;
    expect(hasPassed).toBe(true);
  });
});

it("a watched object gives the same results as without the clock", async () => {
  const watched = manualClock().watch(database);
  expect(watched.name).toBe("database");
  expect(watched.now()).toBe(7);
  expect(await watched.digest("a")).toBe(await database.digest("a"));
  await expect(watched.fails()).rejects.toThrow("It fails.");
});

async function hop(times: number, once: () => Promise<unknown>): Promise<void> {
  for (let hops = 0; hops < times; hops++) await once();
}

it("names the reason when a script ends because nothing moves the clock", () => {
  const script = fileURLToPath(new URL("../support/forgotten-run.ts", import.meta.url));
  const ended = spawnSync(process.execPath, ["--import", "tsx", script], { encoding: "utf8" });
  expect(ended.status).toBe(13);
  expect(ended.stderr).toContain("await clock.run(() => social.posts.create(post))");
});
