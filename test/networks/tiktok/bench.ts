import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { options, type TiktokOptions } from "../../../src/networks/tiktok/options.ts";
import { type NewAccount, type TiktokSandbox, tiktokSandbox } from "../../../src/sandbox/tiktok/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";
import { adapter, film } from "./film.ts";

export type TiktokBench = NetworkBench<TiktokSandbox>;

export function tiktokBench(): TiktokBench {
  return networkBench({ adapter: adapter(), network: tiktokSandbox });
}

export function credentials(bench: TiktokBench, given: NewAccount = {}): JsonObject {
  const { access_token, refresh_token } = bench.network.addAccount(given);
  return { access_token, refresh_token };
}

export async function connectedBench(
  given: NewAccount = {},
): Promise<{ bench: TiktokBench; connected: ConnectedProfile }> {
  const bench = tiktokBench();
  return { bench, connected: await bench.connect(credentials(bench, given)) };
}

const file = { alt: null, thumbnail_url: null, duration_seconds: null } as const;

/** A film of so many pieces, put where the bench finds it. */
export function filmOn(
  bench: TiktokBench,
  { chunks = 3, ...given }: Partial<PlannedMedia> & { chunks?: number } = {},
): PlannedMedia {
  const bytes = film(chunks);
  const url = "https://media.example/film.mp4";
  bench.files.set(url, bytes);
  const size = { size_bytes: bytes.length, width: 640, height: 360, duration_seconds: 0.4 };
  return { ...file, url, type: "video", mime_type: "video/mp4", ...size, ...given };
}

/** So many photos, put where the bench finds them. */
export function photosOn(bench: TiktokBench, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = jpeg(8, 8);
    const url = `https://media.example/photo-${index}.jpg`;
    bench.files.set(url, bytes);
    const size = { size_bytes: bytes.length, width: 8, height: 8 };
    return { ...file, url, type: "image", mime_type: "image/jpeg", ...size };
  });
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part(media: PlannedMedia[], { options: given = {}, ...rest }: Partial<Part> = {}): Part<TiktokOptions> {
  const isDraft = given.inbox === true;
  const own = options.parse({ ...(isDraft ? {} : { privacy_level: "PUBLIC_TO_EVERYONE" }), ...given });
  return { text: "Hello", title: null, media, link: null, post_type: "post", options: own, ...rest };
}

export function commitInput(
  { bench, connected }: { bench: TiktokBench; connected: ConnectedProfile },
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
