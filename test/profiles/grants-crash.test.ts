import { expect, it } from "vitest";
import type { SimulatedProcess } from "../support/process.ts";
import { rotatingWorld } from "../support/rotating/world.ts";

/** Two profiles of one person, on one grant; a process dies at a moment of the disconnection of the last. */
async function disconnectAndDie(dieAt: number) {
  const world = rotatingWorld();
  const { clock, network, storage } = world;
  return clock.run(async () => {
    const first = world.start();
    const ids: string[] = [];
    for (const name of ["alice", "alice/page"]) ids.push((await world.connect(first, name)).id);
    const disconnect = async (process: SimulatedProcess, id = ""): Promise<unknown> =>
      Promise.race([process.social.profiles.disconnect(id).catch(() => undefined), process.died]);
    await disconnect(first, ids[0]);
    expect(network.takenBack()).toEqual([]);
    const process = world.start({ dieAt });
    await disconnect(process, ids[1]);
    const { social } = world.start();
    const wasMarked = (await world.row(ids[1] ?? "")).status === "disconnected";
    for (let sweep = 0; sweep < 3; sweep++) {
      await clock.sleep(30_000);
      await social.runDue();
    }
    const { total } = await storage.find("grants", { where: {}, order: { column: "id", direction: "asc" } });
    const { secret } = (await world.row(ids[1] ?? "")).private;
    return { isOver: !process.isDead(), wasMarked, total, secret, takenBack: network.takenBack() };
  });
}

it("a process that dies anywhere in the disconnection of a grant's last profile leaves nothing behind", async () => {
  let isOver = false;
  for (let dieAt = 0; !isOver; dieAt++) {
    const end = await disconnectAndDie(dieAt);
    isOver = end.isOver;
    const where = `moment ${dieAt}`;
    if (!end.wasMarked) {
      expect(end, where).toMatchObject({ total: 1, takenBack: [] });
      continue;
    }
    // Revoked at least once; a second time has no effect.
    expect(end, where).toMatchObject({ total: 0, secret: null });
    expect(end.takenBack.length, where).toBeGreaterThanOrEqual(1);
    expect(new Set(end.takenBack), where).toEqual(new Set(["alice/page"]));
  }
});
