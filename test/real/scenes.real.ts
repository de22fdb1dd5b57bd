import { afterAll, describe, expect, it } from "vitest";
import { playScene } from "../scenes/play.ts";
import { readRecorded } from "../scenes/recorded.ts";
import { createStores } from "../scenes/stores.ts";
import { shareOf } from "../support/share.ts";

const stores = await createStores("postgres");
const skipped = typeof stores === "string" ? ` (skipped: ${stores})` : "";

afterAll(async () => {
  if (typeof stores !== "string") await stores.close();
});

describe.skipIf(skipped !== "")(`scenes on Postgres${skipped}`, () => {
  // Every fourth; `npm run scenes -- --store postgres` plays all.
  const some = [...readRecorded()].filter((_, place) => place % 4 === 1);

  it.each(shareOf(some, 2))("send, write and report what is recorded: scene %i", async (seed, digests) => {
    if (typeof stores === "string") throw new Error(stores);
    expect((await playScene(seed, stores.open)).digests()).toEqual(digests);
  });
});
