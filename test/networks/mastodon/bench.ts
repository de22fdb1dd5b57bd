import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { mastodon } from "../../../src/networks/mastodon/index.ts";
import { type MastodonOptions, options } from "../../../src/networks/mastodon/options.ts";
import { type MastodonSandbox, mastodonSandbox } from "../../../src/sandbox/mastodon/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export const host = "mastodon.sandbox.example";

export interface MastodonBench extends NetworkBench<MastodonSandbox> {
  /** Alice's token. */
  token: string;
}

export function mastodonBench(): MastodonBench {
  const bench = networkBench({ adapter: mastodon(), network: mastodonSandbox });
  const { access_token } = bench.network.addAccount({ username: "alice", display_name: "Alice" });
  return { ...bench, token: access_token };
}

export function credentials(bench: MastodonBench, given: JsonObject = {}): JsonObject {
  return { instance: host, access_token: bench.token, ...given };
}

export async function connectedBench(): Promise<Desk<MastodonBench>> {
  const bench = mastodonBench();
  return { bench, connected: await bench.connect(credentials(bench)) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<MastodonOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench finds them. */
export function pictures(bench: MastodonBench, count: number): PlannedMedia[] {
  return putPictures(bench, count, (index) => ({
    name: `${index}.png`,
    bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index),
  }));
}

export function video(bench: MastodonBench): PlannedMedia {
  const bytes = new TextEncoder().encode("\0\0\0\x10ftypisom film");
  return putFile(bench, { name: "film.mp4", bytes }, videoFacts);
}
