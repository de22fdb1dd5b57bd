import type { CommitInput } from "../../src/networks/contract/commit.ts";
import type { AnyOptions, Part, PlannedMedia } from "../../src/networks/contract/plan.ts";
import type { ConnectedProfile } from "../../src/testing/network-bench.ts";

/** A part with parsed options, as the plan passes it on. */
export function partOf<Options extends AnyOptions>(
  schema: { parse(given: unknown): Options },
  { options = {}, ...rest }: Partial<Part> = {},
): Part<Options> {
  const own = schema.parse(options);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** The facts about a file: a PNG of 800 × 600, except for the given fields. */
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

/** `count` images, put where the bench and its network find them, each with an alt text. */
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

/** The facts about a video of 5 s. */
export const videoFacts = { type: "video", mime_type: "video/mp4", duration_seconds: 5 } as const;

/** The complete input of the request for a part, sent now. */
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
