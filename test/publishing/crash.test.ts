import { describe, expect, it } from "vitest";
import { type CrashNetwork, type CrashRun, crashRun, type PostKind, textsFor } from "../support/crash.ts";
import { crashNetworks } from "../support/crash-networks.ts";

const cases = crashNetworks.flatMap((network) =>
  (["text", "media", "thread"] as const)
    .filter((kind) => kind !== "thread" || network.threads)
    .map((kind) => ({ name: `${network.name}, ${kind}`, network, kind })),
);

describe.each(cases)("a process that dies while publishing: $name", ({ network, kind }) => {
  it("leaves nothing twice, nothing lost and nothing stuck, at whichever call it dies", async () => {
    const whole = await crashRun(network, kind, { mortalReads: true });
    expectPublished(network, kind, whole, "no crash");
    const moments = whole.process.moments();
    expect(moments).toBeGreaterThan(40);
    for (let dieAt = 0; dieAt < moments; dieAt++) {
      const run = await crashRun(network, kind, { dieAt, mortalReads: true });
      expect(run.process.isDead(), `moment ${dieAt} was reached`).toBe(true);
      expectRight(network, kind, run, `died at moment ${dieAt}`);
    }
  });

  it("holds with a second worker at work, its clock five minutes off", async () => {
    const moments = (await crashRun(network, kind, {})).process.moments();
    for (let dieAt = 0; dieAt < moments; dieAt++) {
      const skewMs = dieAt % 2 === 0 ? 300_000 : -300_000;
      const run = await crashRun(network, kind, { dieAt, beside: { skewMs } });
      expectRight(network, kind, run, `died at moment ${dieAt}, beside a worker ${skewMs} ms off`);
    }
  });

  it("holds when the connection breaks as well, and the network takes the post a minute later", async () => {
    // Hard end 35 s and settle window 30 s after the intent: the latest that a text may be taken.
    const prepare = (world: CrashRun["world"]): void =>
      network.faults(world.sandbox).add({ kind: "accept_late", seconds: 60, operation: "commit" });
    await dieEverywhere(network, kind, prepare, "taken late");
  });

  it("holds when the answer is lost as well, and what was posted shows up after the first look", async () => {
    const prepare = (world: CrashRun["world"]): void => {
      network.lagReads(world.sandbox, 90);
      network.faults(world.sandbox).add({ kind: "drop_after", operation: "commit" });
    };
    await dieEverywhere(network, kind, prepare, "shown late");
  });

  it.each([
    ["ahead of", 600_000],
    ["behind", -600_000],
  ])("holds on a machine whose clock is ten minutes %s the network's, answers lost", async (_, skewMs) => {
    const prepare = (world: CrashRun["world"]): void =>
      network.faults(world.sandbox).add({ kind: "drop_after", operation: "commit" });
    const machine = { skewMs, storeOnMachine: true };
    expectRight(network, kind, await crashRun(network, kind, { prepare, machine }), `${skewMs} ms off`);
  });
});

async function dieEverywhere(
  network: CrashNetwork,
  kind: PostKind,
  prepare: (world: CrashRun["world"]) => void,
  what: string,
): Promise<void> {
  const whole = await crashRun(network, kind, { prepare });
  expectRight(network, kind, whole, `${what}, no crash`);
  for (let dieAt = 0; dieAt < whole.process.moments(); dieAt++) {
    expectRight(network, kind, await crashRun(network, kind, { dieAt, prepare }), `${what}, died at moment ${dieAt}`);
  }
}

/** Never stored and nowhere, or there exactly once, in order, and the store says so. */
function expectRight(network: CrashNetwork, kind: PostKind, run: CrashRun, when: string): void {
  if (run.post === null) expect(network.posts(run.world.sandbox), when).toEqual([]);
  else if (network.canBeAsked || run.post.status === "published") expectPublished(network, kind, run, when);
  else expectUndecided(network, run, when);
}

function expectPublished(network: CrashNetwork, kind: PostKind, { world, post }: CrashRun, when: string): void {
  const shown = network.posts(world.sandbox);
  expect(
    shown.map(({ text }) => text),
    when,
  ).toEqual(textsFor(kind));
  const ids = shown.map(({ id }) => id);
  expect(post?.targets[0], when).toMatchObject({ status: "published", error: null, post_ids: ids });
  expect(post?.status, when).toBe("published");
  shown.forEach((part, index) => {
    expect(part.reply_to, when).toBe(ids[index - 1] ?? null);
  });
}

/** Nobody can look: the target says that the post may be live, and it is there at most once. */
function expectUndecided(network: CrashNetwork, { world, post }: CrashRun, when: string): void {
  expect(network.posts(world.sandbox).length, when).toBeLessThanOrEqual(1);
  expect(post?.targets[0], when).toMatchObject({ status: "failed", error: { code: "timeout" } });
  expect(post?.targets[0]?.error?.message, when).toContain("may be live");
}
