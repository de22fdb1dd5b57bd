import { bluesky } from "../../../src/networks/bluesky/index.ts";
import { type BlueskyOptions, options } from "../../../src/networks/bluesky/options.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type BlueskySandbox, blueskySandbox } from "../../../src/sandbox/bluesky/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export const alice = { handle: "alice.bsky.social", password: "abcd-efgh-ijkl-mnop" };

export function blueskyBench(): NetworkBench<BlueskySandbox> {
  const bench = networkBench({ adapter: bluesky(), network: blueskySandbox });
  bench.network.addAccount(alice);
  return bench;
}

export function credentials(given: JsonObject = {}): JsonObject {
  return { identifier: alice.handle, app_password: alice.password, ...given };
}

export async function connectedBench(): Promise<Desk<NetworkBench<BlueskySandbox>>> {
  const bench = blueskyBench();
  return { bench, connected: await bench.connect(credentials()) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<BlueskyOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench finds them. */
export function pictures(bench: NetworkBench<BlueskySandbox>, count: number): PlannedMedia[] {
  return putPictures(bench, count, (index) => ({
    name: `${index}.png`,
    bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index),
  }));
}

export function video(bench: NetworkBench<BlueskySandbox>): PlannedMedia {
  const bytes = Uint8Array.of(0, 0, 0, 8, 0x66, 0x74, 0x79, 0x70, 1, 2, 3);
  return putFile(bench, { name: "film.mp4", bytes }, { ...videoFacts, alt: "a film" });
}
