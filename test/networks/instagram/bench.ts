import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type InstagramSettings, instagram } from "../../../src/networks/instagram/index.ts";
import { type InstagramOptions, options } from "../../../src/networks/instagram/options.ts";
import type { NewAccount } from "../../../src/sandbox/instagram/accounts.ts";
import { type InstagramSandbox, instagramSandbox } from "../../../src/sandbox/instagram/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export interface InstagramBench extends NetworkBench<InstagramSandbox> {
  /** Alice's token. */
  token: string;
  accountId: string;
}

export function instagramBench(given: Partial<NewAccount> = {}, settings: InstagramSettings = {}): InstagramBench {
  const bench = networkBench({ adapter: instagram(settings), network: instagramSandbox });
  const { access_token, external_id } = bench.network.addAccount({ username: "alice", name: "Alice", ...given });
  return { ...bench, token: access_token, accountId: external_id };
}

export async function connectedBench(given: Partial<NewAccount> = {}): Promise<Desk<InstagramBench>> {
  const bench = instagramBench(given);
  return { bench, connected: await bench.connect({ access_token: bench.token }) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<InstagramOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench and the network find them. */
export function pictures(bench: InstagramBench, count: number): PlannedMedia[] {
  const fileAt = (index: number) => ({ name: `${index}.jpg`, bytes: jpeg(80 + index, 80) });
  return putPictures(bench, count, fileAt, { mime_type: "image/jpeg", height: 800 });
}

const content = new TextEncoder().encode("\0\0\0\x10ftypisom film");

/** The length of `video`, which its host announces only if it is given. */
export const videoBytes = content.length;

export function video(bench: InstagramBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  return putFile(bench, { name: "film.mp4", bytes: content }, { ...videoFacts, height: 800, ...given });
}
