import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type PinterestSettings, pinterest } from "../../../src/networks/pinterest/index.ts";
import { options, type PinterestOptions } from "../../../src/networks/pinterest/options.ts";
import { sandboxApp } from "../../../src/sandbox/pinterest/logins.ts";
import {
  type NewPinterestAccount,
  type PinterestSandbox,
  pinterestSandbox,
} from "../../../src/sandbox/pinterest/network.ts";
import { groupBoardId } from "../../../src/sandbox/pinterest/state.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";

export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export interface PinterestBench extends NetworkBench<PinterestSandbox> {
  /** Alice's. */
  credentials: { access_token: string; refresh_token: string };
  accountId: string;
}

export function pinterestBench(
  given: Partial<NewPinterestAccount> = {},
  settings: PinterestSettings = { app },
): PinterestBench {
  const bench = networkBench({ adapter: pinterest(settings), network: pinterestSandbox });
  const { access_token, refresh_token, external_id } = bench.network.addAccount({ username: "alice", ...given });
  return { ...bench, credentials: { access_token, refresh_token: refresh_token ?? "" }, accountId: external_id };
}

export async function connectedBench(
  given: Partial<NewPinterestAccount> = {},
): Promise<{ bench: PinterestBench; connected: ConnectedProfile }> {
  const bench = pinterestBench(given);
  return { bench, connected: await bench.connect(bench.credentials) };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<PinterestOptions> {
  const own = options.parse({ board_id: groupBoardId, ...given });
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** `count` pictures, put where the bench and the network find them. */
export function pictures(bench: PinterestBench, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://media.example/${index}.jpg`;
    bench.files.set(url, jpeg(200, 300));
    return file(url, { alt: `picture ${index}` });
  });
}

export function video(bench: PinterestBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const url = "https://media.example/film.mp4";
  bench.files.set(url, new TextEncoder().encode("\0\0\0\x10ftypisom film"));
  return file(url, { type: "video", mime_type: "video/mp4", duration_seconds: 5, ...given });
}

function file(url: string, given: Partial<PlannedMedia> = {}): PlannedMedia {
  return {
    ...{ url, type: "image", mime_type: "image/jpeg", size_bytes: null, alt: null, thumbnail_url: null },
    ...{ width: 200, height: 300, duration_seconds: null },
    ...given,
  };
}
