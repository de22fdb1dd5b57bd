import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type ThreadsSettings, threads } from "../../../src/networks/threads/index.ts";
import { options, type ThreadsOptions } from "../../../src/networks/threads/options.ts";
import type { NewThreadsAccount } from "../../../src/sandbox/threads/accounts.ts";
import { type ThreadsSandbox, threadsSandbox } from "../../../src/sandbox/threads/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";

export interface ThreadsBench extends NetworkBench<ThreadsSandbox> {
  /** Alice's. */
  token: string;
  accountId: string;
}

export function threadsBench(given: Partial<NewThreadsAccount> = {}, settings: ThreadsSettings = {}): ThreadsBench {
  const bench = networkBench({ adapter: threads(settings), network: threadsSandbox });
  const { access_token, external_id } = bench.network.addAccount({ username: "alice", name: "Alice", ...given });
  return { ...bench, token: access_token, accountId: external_id };
}

export async function connectedBench(
  given: Partial<NewThreadsAccount> = {},
): Promise<{ bench: ThreadsBench; connected: ConnectedProfile }> {
  const bench = threadsBench(given);
  return { bench, connected: await bench.connect({ access_token: bench.token }) };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<ThreadsOptions> {
  const own = options.parse(given);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** `count` pictures, put where the bench and the network find them. */
export function pictures(bench: ThreadsBench, count: number): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://media.example/${index}.jpg`;
    bench.files.set(url, jpeg(80 + index, 80));
    return file(url, { alt: `picture ${index}` });
  });
}

export function video(bench: ThreadsBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const url = "https://media.example/film.mp4";
  bench.files.set(url, new TextEncoder().encode("\0\0\0\x10ftypisom film"));
  return file(url, { type: "video", mime_type: "video/mp4", duration_seconds: 5, ...given });
}

function file(url: string, given: Partial<PlannedMedia> = {}): PlannedMedia {
  return {
    ...{ url, type: "image", mime_type: "image/jpeg", size_bytes: null, alt: null, thumbnail_url: null },
    ...{ width: 800, height: 800, duration_seconds: null },
    ...given,
  };
}
