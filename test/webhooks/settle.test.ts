import { describe, expect, it } from "vitest";
import { webhookBench } from "../support/webhooks.ts";

describe("outcomes that are recorded together", () => {
  it.each([0, 1, 2])("are recorded without number %i when that one is gone by then, and sent once", async (gone) => {
    const bench = webhookBench();
    const { id } = await bench.endpoint("a");
    await bench.happen(3);
    const before = (await bench.log(id)).reverse();
    let arrived = 0;
    bench.answer("a", async () => {
      arrived += 1;
      // All three are under way, and end together.
      if (arrived === 3) {
        await bench.storage.write([{ kind: "delete", collection: "deliveries", id: before[gone]?.id ?? "" }]);
      }
      await bench.clock.sleep(10);
      return new Response(null, { status: 204 });
    });
    await bench.deliver();
    await bench.clock.advance(60_000);
    await bench.deliver();
    const left = before.filter((_, place) => place !== gone);
    expect((await bench.log(id)).reverse()).toMatchObject(
      left.map((delivery) => ({ id: delivery.id, status: "delivered", attempts: 1, response_status: 204 })),
    );
    expect(bench.sent).toHaveLength(3);
  });
});
