import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { options, type TiktokOptions } from "../../../src/networks/tiktok/options.ts";
import { type NewAccount, type TiktokSandbox, tiktokSandbox } from "../../../src/sandbox/tiktok/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, videoFacts } from "../parts.ts";
import { adapter, videoBytes } from "./video.ts";

export type TiktokBench = NetworkBench<TiktokSandbox>;

export function tiktokBench(): TiktokBench {
  return networkBench({ adapter: adapter(), network: tiktokSandbox });
}

export function credentials(bench: TiktokBench, given: NewAccount = {}): JsonObject {
  const { access_token, refresh_token } = bench.network.addAccount(given);
  return { access_token, refresh_token };
}

export async function connectedBench(given: NewAccount = {}): Promise<Desk<TiktokBench>> {
  const bench = tiktokBench();
  return { bench, connected: await bench.connect(credentials(bench, given)) };
}

/** A video of this many pieces, put where the bench finds it. */
export function videoOn(
  bench: TiktokBench,
  { chunks = 3, ...given }: Partial<PlannedMedia> & { chunks?: number } = {},
): PlannedMedia {
  const bytes = videoBytes(chunks);
  const size = { size_bytes: bytes.length, width: 640, height: 360, duration_seconds: 0.4 };
  return putFile(bench, { name: "film.mp4", bytes }, { ...videoFacts, ...size, ...given });
}

/** This many photos, put where the bench finds them. */
export function photosOn(bench: TiktokBench, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = jpeg(8, 8);
    const facts = { mime_type: "image/jpeg", size_bytes: bytes.length, width: 8, height: 8 };
    return putFile(bench, { name: `photo-${index}.jpg`, bytes }, facts);
  });
}

/** A part with parsed options, as the plan passes it on. */
export function part(media: PlannedMedia[], { options: given = {}, ...rest }: Partial<Part> = {}): Part<TiktokOptions> {
  const isDraft = given.inbox === true;
  const own = { ...(isDraft ? {} : { privacy_level: "PUBLIC_TO_EVERYONE" }), ...given };
  return partOf(options, { media, options: own, ...rest });
}
