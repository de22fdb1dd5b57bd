import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type FacebookSettings, facebook } from "../../../src/networks/facebook/index.ts";
import { type FacebookOptions, options } from "../../../src/networks/facebook/options.ts";
import { type FacebookSandbox, facebookSandbox } from "../../../src/sandbox/facebook/network.ts";
import type { NewPage } from "../../../src/sandbox/facebook/pages.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";

export interface FacebookBench extends NetworkBench<FacebookSandbox> {
  /** The bakery's. */
  token: string;
  pageId: string;
}

export function facebookBench(given: Partial<NewPage> = {}, settings: FacebookSettings = {}): FacebookBench {
  const bench = networkBench({ adapter: facebook(settings), network: facebookSandbox });
  const { access_token, external_id } = bench.network.addPage({ name: "Bakery", username: "bakery", ...given });
  return { ...bench, token: access_token, pageId: external_id };
}

export async function connectedBench(
  given: Partial<NewPage> = {},
): Promise<{ bench: FacebookBench; connected: ConnectedProfile }> {
  const bench = facebookBench(given);
  return { bench, connected: await bench.connect({ access_token: bench.token }) };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<FacebookOptions> {
  const own = options.parse(given);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** `count` pictures, put where the bench and the network find them. */
export function pictures(bench: FacebookBench, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://media.example/${index}.jpg`;
    bench.files.set(url, jpeg(80 + index, 80));
    return file(url, { alt: `picture ${index}` });
  });
}

const filmBytes = new TextEncoder().encode("\0\0\0\x10ftypisom a film of some bytes");

export function film(bench: FacebookBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const url = "https://media.example/film.mp4";
  bench.files.set(url, filmBytes);
  const size_bytes = filmBytes.length;
  return file(url, { type: "video", mime_type: "video/mp4", duration_seconds: 5, size_bytes, ...given });
}

function file(url: string, given: Partial<PlannedMedia> = {}): PlannedMedia {
  return {
    ...{ url, type: "image", mime_type: "image/jpeg", size_bytes: null, alt: null, thumbnail_url: null },
    ...{ width: 800, height: 800, duration_seconds: null },
    ...given,
  };
}
