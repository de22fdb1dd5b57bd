import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { youtube } from "../../../src/networks/youtube/index.ts";
import { options, type YoutubeOptions } from "../../../src/networks/youtube/options.ts";
import { sandboxApp } from "../../../src/sandbox/youtube/logins.ts";
import { type YoutubeSandbox, youtubeSandbox } from "../../../src/sandbox/youtube/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { chunkBytes, film } from "./film.ts";

export type YoutubeBench = NetworkBench<YoutubeSandbox>;

export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export function youtubeBench(): YoutubeBench {
  return networkBench({ adapter: youtube({ app, chunkBytes }), network: youtubeSandbox });
}

export function credentials(bench: YoutubeBench, given: Parameters<YoutubeSandbox["addChannel"]>[0] = {}): JsonObject {
  const { access_token, refresh_token } = bench.network.addChannel(given);
  return { access_token, refresh_token };
}

export async function connectedBench(): Promise<{ bench: YoutubeBench; connected: ConnectedProfile }> {
  const bench = youtubeBench();
  return { bench, connected: await bench.connect(credentials(bench)) };
}

const filmUrl = "https://media.example/film.mp4";

/** A film of so many chunks, put where the bench finds it. */
export function filmOn(
  bench: YoutubeBench,
  { chunks = 2, ...given }: Partial<PlannedMedia> & { chunks?: number } = {},
): PlannedMedia {
  const bytes = film(chunks);
  bench.files.set(filmUrl, bytes);
  return {
    url: filmUrl,
    type: "video",
    mime_type: "video/mp4",
    size_bytes: bytes.length,
    alt: null,
    thumbnail_url: null,
    width: 64,
    height: 48,
    duration_seconds: 1,
    ...given,
  };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part(
  media: PlannedMedia[],
  { options: given = {}, ...rest }: Partial<Part> = {},
): Part<YoutubeOptions> {
  const own = options.parse(given);
  return { text: "Hello", title: "Title", media, link: null, post_type: "post", options: own, ...rest };
}

export function commitInput(
  { bench, connected }: { bench: YoutubeBench; connected: ConnectedProfile },
  given: Pick<CommitInput, "part"> & Partial<CommitInput>,
): CommitInput {
  return {
    profile: connected.profile,
    secret: connected.secret(),
    index: 0,
    staged: {},
    first: null,
    previous: null,
    key: "",
    created_at: new Date(bench.clock.now()).toISOString(),
    ...given,
  };
}
