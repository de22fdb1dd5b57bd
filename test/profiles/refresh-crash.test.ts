import { describe, expect, it } from "vitest";
import { crashAround } from "../prove/staying-crash.ts";
import { rotatingWorld } from "../support/rotating/world.ts";

describe("a process that dies around the renewal of a refresh token that is valid for one use", () => {
  it.each(["a post", "a check", "idleness"] as const)(
    "because of %s: the next process has the token that the network accepts",
    async (occasion) => {
      let isOver = false;
      let lost = 0;
      for (let dieAt = 0; !isOver; dieAt++) {
        const end = await crashAround(occasion, dieAt);
        expect(end.complaint, `${occasion}, moment ${dieAt}`).toBeNull();
        isOver = end.isOver;
        if (!end.wasGood) lost += 1;
      }
      // After the network has acted: its response was not received, or not stored. A sweep does more meanwhile.
      expect(lost).toBeGreaterThanOrEqual(2);
    },
  );
});

describe("a lost response to a renewal", () => {
  it("is followed by one retry with the stored token, and only an explicit refusal ends the connection", async () => {
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
