import { describe, expect, it } from "vitest";
import { deliveryDeaths } from "../prove/delivery-deaths.ts";
import { hangingRun } from "../prove/delivery-hanging.ts";
import { outageRun } from "../prove/delivery-outage.ts";
import { wakesRun } from "../prove/delivery-wakes.ts";
import { isWhole, shareOf } from "../support/share.ts";

// The runs of `npm run prove -- webhooks`, fewer and smaller.

describe("a delivery", () => {
  // Half a minute of machine time; `npm run prove -- webhooks` has the longer outage.
  it.runIf(isWhole)(
    "waits for a receiver that is down for 36 hours, until its endpoint is disabled and resumed",
    async () => {
      const run = await outageRun({ seed: 1, hours: 36, everyHours: 0.15 });
      expect(run).toMatchObject({ findings: [], again: 0 });
      expect(run.deliveries).toBeGreaterThan(400);
      // No day can be left out: the seventh attempt comes after 35 hours.
    },
    300_000,
  );

  it("reaches 95 endpoints as fast as ever while 5 others hang", async () => {
    const run = await hangingRun({ seed: 1, endpoints: 100, hanging: 5 });
    expect(run).toMatchObject({ findings: [], again: 0, deliveries: 600 });
  });

  it.each([1, 2, 3])("arrives once by alarms that ring twice, early, late or never, seed %i", async (seed) => {
    const run = await wakesRun({ seed, posts: 40 });
    expect(run).toMatchObject({ findings: [], again: 0, deliveries: 123 });
  });

  it.each(shareOf([1, 2, 6], 3))("arrives whenever the process that delivers it dies, series %i", async (series) => {
    let runs = 0;
    for await (const { name, findings, deliveries } of deliveryDeaths(1, series)) {
      expect({ name, findings }).toEqual({ name, findings: [] });
      expect(deliveries).toBeGreaterThan(0);
      runs += 1;
    }
    expect(runs).toBeGreaterThan(20);
  });
});
