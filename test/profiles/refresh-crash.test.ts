import { describe, expect, it } from "vitest";
import { crashAround } from "../prove/staying-crash.ts";
import { rotatingWorld } from "../support/rotating/world.ts";

describe("a process that dies around the renewal of a login that is good for one use", () => {
  it.each(["a post", "a check", "idleness"] as const)(
    "because of %s: the next one finds the token that the network takes",
    async (occasion) => {
      let isOver = false;
      let lost = 0;
      for (let dieAt = 0; !isOver; dieAt++) {
        const end = await crashAround(occasion, dieAt);
        expect(end.complaint, `${occasion}, moment ${dieAt}`).toBeNull();
        isOver = end.isOver;
        if (!end.wasGood) lost += 1;
      }
      // After the network has acted: its answer has not been heard, or has not been stored. A sweep does more meanwhile.
      expect(lost).toBeGreaterThanOrEqual(2);
    },
  );
});

describe("an answer to a renewal that is lost", () => {
  it("is followed by one try with the stored token, and only the network's word ends the login", async () => {
    const world = rotatingWorld();
    const { clock, network } = world;
    const process = world.start();
    await clock.run(async () => {
      const { id } = await world.connect(process, "alice");
      await clock.sleep(3 * 3_600_000);
      network.faults.add({ kind: "drop_after", operation: "POST /token" });
      await expect(process.social.profiles.check(id)).rejects.toMatchObject({ code: "publish_failed" });
      expect((await world.row(id)).status).toBe("connected");
      await clock.sleep(10_000);
      for (let tries = 0; tries < 3; tries++) await process.social.profiles.choices(id, "album").catch(() => undefined);
      expect((await world.row(id)).status).toBe("needs_attention");
      expect(world.asked).toHaveLength(2);
    });
  });
});
