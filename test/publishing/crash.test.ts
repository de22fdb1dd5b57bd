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
    const whole = await crashRun(network, kind, {});
    expectWhole(network, kind, whole, "no crash");
    const moments = whole.process.moments();
    expect(moments).toBeGreaterThan(10);
    for (let dieAt = 0; dieAt < moments; dieAt++) {
      const run = await crashRun(network, kind, { dieAt });
      expect(run.process.isDead(), `moment ${dieAt} was reached`).toBe(true);
      expectWhole(network, kind, run, `died at moment ${dieAt}`);
    }
  });

  it("holds with a second worker at work, its clock five minutes off", async () => {
    const moments = (await crashRun(network, kind, {})).process.moments();
    for (let dieAt = 0; dieAt < moments; dieAt++) {
      const skewMs = dieAt % 2 === 0 ? 300_000 : -300_000;
      const run = await crashRun(network, kind, { dieAt, beside: { skewMs } });
      expectWhole(network, kind, run, `died at moment ${dieAt}, beside a worker ${skewMs} ms off`);
    }
  });
});

/** The post is there exactly once, in order, and the store says so; or it was never stored and is nowhere. */
function expectWhole(network: CrashNetwork, kind: PostKind, { world, post }: CrashRun, when: string): void {
  const shown = network.posts(world.sandbox);
  if (post === null) {
    expect(shown, when).toEqual([]);
    return;
  }
  expect(shown.map(({ text }) => text), when).toEqual(textsFor(kind));
  const [target] = post.targets;
  expect(target, when).toMatchObject({ status: "published", error: null, post_ids: shown.map(({ id }) => id) });
  expect(post.status, when).toBe("published");
  shown.forEach((part, index) => {
    expect(part.reply_to, when).toBe(shown[index - 1]?.id ?? null);
  });
}
