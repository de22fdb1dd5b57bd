import { bluesky } from "../../../src/networks/bluesky/index.ts";
import { type BlueskyOptions, options } from "../../../src/networks/bluesky/options.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type BlueskySandbox, blueskySandbox } from "../../../src/sandbox/bluesky/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";

export const alice = { handle: "alice.bsky.social", password: "abcd-efgh-ijkl-mnop" };

export function blueskyBench(): NetworkBench<BlueskySandbox> {
  const bench = networkBench({ adapter: bluesky(), network: blueskySandbox });
  bench.network.addAccount(alice);
  return bench;
}

export function credentials(given: JsonObject = {}): JsonObject {
  return { identifier: alice.handle, app_password: alice.password, ...given };
}

export async function connectedBench(): Promise<{ bench: NetworkBench<BlueskySandbox>; connected: ConnectedProfile }> {
  const bench = blueskyBench();
  return { bench, connected: await bench.connect(credentials()) };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<BlueskyOptions> {
  const own = options.parse(given);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** `count` pictures, put where the bench finds them. */
export function pictures(bench: NetworkBench<BlueskySandbox>, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://media.example/${index}.png`;
    bench.files.set(url, Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index));
    return file(url, { alt: `picture ${index}` });
  });
}

export function video(bench: NetworkBench<BlueskySandbox>): PlannedMedia {
  const url = "https://media.example/film.mp4";
  bench.files.set(url, Uint8Array.of(0, 0, 0, 8, 0x66, 0x74, 0x79, 0x70, 1, 2, 3));
  return file(url, { type: "video", mime_type: "video/mp4", alt: "a film", duration_seconds: 5 });
}

function file(url: string, given: Partial<PlannedMedia>): PlannedMedia {
  return {
    url,
    type: "image",
    mime_type: "image/png",
    size_bytes: null,
    alt: null,
    thumbnail_url: null,
    width: 800,
    height: 600,
    duration_seconds: null,
    ...given,
  };
}
