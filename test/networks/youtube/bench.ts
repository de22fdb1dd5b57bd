import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { youtube } from "../../../src/networks/youtube/index.ts";
import { options, type YoutubeOptions } from "../../../src/networks/youtube/options.ts";
import { sandboxApp } from "../../../src/sandbox/youtube/logins.ts";
import { type YoutubeSandbox, youtubeSandbox } from "../../../src/sandbox/youtube/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, videoFacts } from "../parts.ts";
import { chunkBytes, videoBytes } from "./video.ts";

export type YoutubeBench = NetworkBench<YoutubeSandbox>;

export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export function youtubeBench(): YoutubeBench {
  return networkBench({ adapter: youtube({ app, chunkBytes }), network: youtubeSandbox });
}

export function credentials(bench: YoutubeBench, given: Parameters<YoutubeSandbox["addChannel"]>[0] = {}): JsonObject {
  const { access_token, refresh_token } = bench.network.addChannel(given);
  return { access_token, refresh_token };
}

export async function connectedBench(): Promise<Desk<YoutubeBench>> {
  const bench = youtubeBench();
  return { bench, connected: await bench.connect(credentials(bench)) };
}

/** A video of this many chunks, put where the bench finds it. */
export function videoOn(
  bench: YoutubeBench,
  { chunks = 2, ...given }: Partial<PlannedMedia> & { chunks?: number } = {},
): PlannedMedia {
  const bytes = videoBytes(chunks);
  const size = { size_bytes: bytes.length, width: 64, height: 48, duration_seconds: 1 };
  return putFile(bench, { name: "film.mp4", bytes }, { ...videoFacts, ...size, ...given });
}

/** A part with parsed options, as the plan passes it on. */
export function part(media: PlannedMedia[], given: Partial<Part> = {}): Part<YoutubeOptions> {
  return partOf(options, { title: "Title", media, ...given });
}
