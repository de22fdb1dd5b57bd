import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type InstagramSettings, instagram } from "../../../src/networks/instagram/index.ts";
import { type InstagramOptions, options } from "../../../src/networks/instagram/options.ts";
import type { NewAccount } from "../../../src/sandbox/instagram/accounts.ts";
import { type InstagramSandbox, instagramSandbox } from "../../../src/sandbox/instagram/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";

export interface InstagramBench extends NetworkBench<InstagramSandbox> {
  /** Alice's. */
  token: string;
  accountId: string;
}

export function instagramBench(given: Partial<NewAccount> = {}, settings: InstagramSettings = {}): InstagramBench {
  const bench = networkBench({ adapter: instagram(settings), network: instagramSandbox });
  const { access_token, external_id } = bench.network.addAccount({ username: "alice", name: "Alice", ...given });
  return { ...bench, token: access_token, accountId: external_id };
}

export async function connectedBench(
  given: Partial<NewAccount> = {},
): Promise<{ bench: InstagramBench; connected: ConnectedProfile }> {
  const bench = instagramBench(given);
  return { bench, connected: await bench.connect({ access_token: bench.token }) };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<InstagramOptions> {
  const own = options.parse(given);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** `count` pictures, put where the bench and the network find them. */
export function pictures(bench: InstagramBench, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://media.example/${index}.jpg`;
    bench.files.set(url, jpeg(80 + index, 80));
    return file(url, { alt: `picture ${index}` });
  });
}

const filmBytes = new TextEncoder().encode("\0\0\0\x10ftypisom film");

/** How long `video` is, which its host does not say unless it is given. */
export const videoBytes = filmBytes.length;

export function video(bench: InstagramBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const url = "https://media.example/film.mp4";
  bench.files.set(url, filmBytes);
  return file(url, { type: "video", mime_type: "video/mp4", duration_seconds: 5, ...given });
}

function file(url: string, given: Partial<PlannedMedia> = {}): PlannedMedia {
  return {
    ...{ url, type: "image", mime_type: "image/jpeg", size_bytes: null, alt: null, thumbnail_url: null },
    ...{ width: 800, height: 800, duration_seconds: null },
    ...given,
  };
}
