import { describe, expect, it } from "vitest";
import type { CrashRun } from "../support/crash.ts";
import { type CrashCase, type CrashFamily, crashCases, crashFamilies, crashRuns } from "../support/crash-families.ts";
import { expectAgreement, hourMs, mediaRows } from "../support/hosting.ts";
import { isWhole, shareNumber } from "../support/share.ts";
import { verdictOn } from "../support/verdict.ts";

/** A share of each run's moments, different for each family. For all: `npm run prove -- crash --full`. */
function maxMoments({ name }: CrashFamily, { networks }: CrashCase): number {
  // Each run on all networks takes as long as ten others.
  if (networks.length > 1) return name === "dies" ? share(12) : share(3);
  return name === "dies" ? share(20) : share(4);
}

/** A share of the cases, too: different ones for each family. */
function casesFor(family: CrashFamily): CrashCase[] {
  const from = crashFamilies.indexOf(family) + shareNumber;
  return crashCases.filter((_, place) => isWhole || (place + from) % 8 === 0);
}

function share(moments: number): number {
  return isWhole ? moments : Math.ceil(moments / 4);
}

describe.each(crashFamilies)("a process that publishes: $name", (family) => {
  it.each(casesFor(family))("publishes no post twice, and leaves none lost or stuck: $name", async (crashCase) => {
    let runs = 0;
    const given = { max: maxMoments(family, crashCase), share: shareNumber };
    for await (const { name, run } of crashRuns(family, crashCase, given)) {
      runs += 1;
      expect(verdictOn(run), name).toMatchObject({ findings: [], undecided: 0, givenUp: 0 });
      if (runs === 1) expectPublished(run, name);
      if (run.kind === "fitted") await expectNothingKept(run, name);
    }
    expect(runs).toBeGreaterThan(family.everyMoment ? 1 : 0);
  });
});

/** Files kept only for the post are deleted two days later, and until then rows refer to them. */
async function expectNothingKept({ world, recovery }: CrashRun, name: string): Promise<void> {
  const { clock, storage, kept } = world;
  await expectAgreement(storage, kept, name);
  for (let hours = 0; hours < 50; hours += 10) {
    await clock.advance(10 * hourMs);
    await clock.run(async () => void (await recovery.social.runDue()));
  }
  expect(await mediaRows(storage), name).toEqual([]);
  expect(kept.names(), name).toEqual([]);
}

/** Without a death, only networks that cannot be asked stay undecided, whatever else goes wrong. */
function expectPublished({ post, world }: CrashRun, name: string): void {
  const ended = world.accounts.map(({ profileId, network }) => {
    const status = post?.targets.find((target) => target.profile_id === profileId)?.status;
    return network.canBeAsked ? status : "published";
  });
  expect(new Set(ended), name).toEqual(new Set(["published"]));
}
