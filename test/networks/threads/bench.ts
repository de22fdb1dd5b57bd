import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type ThreadsSettings, threads } from "../../../src/networks/threads/index.ts";
import { options, type ThreadsOptions } from "../../../src/networks/threads/options.ts";
import type { NewThreadsAccount } from "../../../src/sandbox/threads/accounts.ts";
import { type ThreadsSandbox, threadsSandbox } from "../../../src/sandbox/threads/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export interface ThreadsBench extends NetworkBench<ThreadsSandbox> {
  /** Alice's token. */
  token: string;
  accountId: string;
}

export function threadsBench(given: Partial<NewThreadsAccount> = {}, settings: ThreadsSettings = {}): ThreadsBench {
  const bench = networkBench({ adapter: threads(settings), network: threadsSandbox });
  const { access_token, external_id } = bench.network.addAccount({ username: "alice", name: "Alice", ...given });
  return { ...bench, token: access_token, accountId: external_id };
}

export async function connectedBench(given: Partial<NewThreadsAccount> = {}): Promise<Desk<ThreadsBench>> {
  const bench = threadsBench(given);
  return { bench, connected: await bench.connect({ access_token: bench.token }) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<ThreadsOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench and the network find them. */
export function pictures(bench: ThreadsBench, count: number): PlannedMedia[] {
  const fileAt = (index: number) => ({ name: `${index}.jpg`, bytes: jpeg(80 + index, 80) });
  return putPictures(bench, count, fileAt, { mime_type: "image/jpeg", height: 800 });
}

export function video(bench: ThreadsBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const file = { name: "film.mp4", bytes: new TextEncoder().encode("\0\0\0\x10ftypisom film") };
  return putFile(bench, file, { ...videoFacts, height: 800, ...given });
}
