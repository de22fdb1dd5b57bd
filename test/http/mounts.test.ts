import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { windowMs } from "../../src/http/limits.ts";
import type { ManualClock } from "../../src/testing/clock.ts";
import { type MountCase, mountCases } from "./mounts-cases.ts";
import { bare, type Mount, type MountAnswer, mounts, type OpenMount } from "./mounts-hosts.ts";
import { createMountWorld } from "./mounts-world.ts";

// One list of requests. Every mount must give the responses of the handler itself.
const cases = mountCases(await createMountWorld());
const expected = new Map<string, MountAnswer>();

describe("the handler itself", () => {
  const { send } = opened(bare);

  it.each(named(cases))("responds to %s: %d", async (_name, _status, mountCase) => {
    const answer = await send(mountCase);
    expected.set(mountCase.name, answer);
    expect(answer.status, answer.body).toBe(mountCase.status);
    expect(answer.body === "").toBe(mountCase.method === "HEAD" || mountCase.status === 204);
  });
});

describe.each(mounts)("$name", (mount) => {
  const { send } = opened(mount);

  it.each(named(cases))("responds like the handler itself: %s", async (_name, _status, mountCase) => {
    const answer = await send(mountCase);
    const reason = mount.answersItself[mountCase.name];
    if (reason === undefined) expect(answer).toEqual(expected.get(mountCase.name));
    else expect(answer, reason).not.toEqual(expected.get(mountCase.name));
  });
});

describe("the exceptions", () => {
  it("all name an existing case", () => {
    const names = new Set(cases.map(({ name }) => name));
    const unknown = mounts.flatMap(({ answersItself }) =>
      Object.keys(answersItself).filter((name) => !names.has(name)),
    );
    expect(unknown).toEqual([]);
  });
});

/** Each case behind its name, because a template cuts long names. */
function named(list: readonly MountCase[]): [string, number, MountCase][] {
  return list.map((mountCase) => [mountCase.name, mountCase.status, mountCase]);
}

/** A mount with its own world, open while its tests run. */
function opened(mount: Mount): Pick<OpenMount, "send"> {
  let open: OpenMount | undefined;
  let clock: ManualClock | undefined;
  beforeAll(async () => {
    const world = await createMountWorld();
    open = await mount.open(world.handler);
    clock = world.clock;
  });
  afterAll(() => open?.close());
  return {
    async send(mountCase: MountCase) {
      // A separate minute, so that its limits do not depend on the cases before it.
      await clock?.advance(windowMs);
      let answer: MountAnswer | undefined;
      for (let time = 0; time < mountCase.times; time++) answer = await open?.send(mountCase);
      if (answer === undefined) throw new Error("The mount is not open.");
      return answer;
    },
  };
}
