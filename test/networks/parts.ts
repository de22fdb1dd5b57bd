import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { AnyOptions, Part, PlannedMedia } from "../../src/networks/contract/plan.ts";
import type { ConnectedProfile } from "../../src/testing/network-bench.ts";

/** A part whose options have been parsed, as the plan hands them on. */
export function partOf<Options extends AnyOptions>(
  schema: { parse(given: unknown): Options },
  { options = {}, ...rest }: Partial<Part> = {},
): Part<Options> {
  const own = schema.parse(options);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** What reading a file found: a PNG of 800 × 600, but for what is given. */
export function fileOf(url: string, given: Partial<PlannedMedia> = {}): PlannedMedia {
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

/** A file, put where the bench and its network find it. */
export function putFile(
  bench: { files: Map<string, Uint8Array> },
  { name, bytes }: { name: string; bytes: Uint8Array },
  given: Partial<PlannedMedia> = {},
): PlannedMedia {
  const url = `https://media.example/${name}`;
  bench.files.set(url, bytes);
  return fileOf(url, given);
}

/** `count` pictures, put where the bench and its network find them, each with words. */
export function putPictures(
  bench: { files: Map<string, Uint8Array> },
  count: number,
  fileAt: (index: number) => { name: string; bytes: Uint8Array },
  given: Partial<PlannedMedia> = {},
): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    return putFile(bench, fileAt(index), { alt: `picture ${index}`, ...given });
  });
}

/** What is known of a film of 5 s. */
export const filmFacts = { type: "video", mime_type: "video/mp4", duration_seconds: 5 } as const;

/** Everything that decides what the request for a part looks like, sent now. */
export function commitInputOf<Options>(
  connected: ConnectedProfile,
  given: { part: Part<Options> } & Partial<CommitInput<Options>>,
): CommitInput<Options> {
  return {
    profile: connected.profile,
    secret: connected.secret(),
    index: 0,
    staged: {},
    first: null,
    previous: null,
    key: "",
    created_at: new Date(connected.context.now()).toISOString(),
    ...given,
  };
}
