import { expect, it } from "vitest";
import { shareOf } from "../support/share.ts";
import { playScene } from "./play.ts";
import { readRecorded } from "./recorded.ts";
import { createStores, type StoreName } from "./stores.ts";

const recorded = [...readRecorded()];

async function digestsOf(name: StoreName, seed: number): Promise<Record<string, string>> {
  const stores = await createStores(name);
  if (typeof stores === "string") throw new Error(stores);
  return (await playScene(seed, stores.open)).digests();
}

/** What differs is seen by `npm run scenes -- --print <number>`, here and before the change. */
it.each(shareOf(recorded, 12))("sends, writes and tells what is recorded: scene %i", async (seed, digests) => {
  expect(await digestsOf("memory", seed)).toEqual(digests);
});

it.each(
  shareOf(
    recorded.filter((_, place) => place % 4 === 0),
    6,
  ),
)("does the same on SQLite: scene %i", async (seed, digests) => {
  expect(await digestsOf("sqlite", seed)).toEqual(digests);
});
