import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type FacebookSettings, facebook } from "../../../src/networks/facebook/index.ts";
import { type FacebookOptions, options } from "../../../src/networks/facebook/options.ts";
import { type FacebookSandbox, facebookSandbox } from "../../../src/sandbox/facebook/network.ts";
import type { NewPage } from "../../../src/sandbox/facebook/pages.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export interface FacebookBench extends NetworkBench<FacebookSandbox> {
  /** The bakery's token. */
  token: string;
  pageId: string;
}

export function facebookBench(given: Partial<NewPage> = {}, settings: FacebookSettings = {}): FacebookBench {
  const bench = networkBench({ adapter: facebook(settings), network: facebookSandbox });
  const { access_token, external_id } = bench.network.addPage({ name: "Bakery", username: "bakery", ...given });
  return { ...bench, token: access_token, pageId: external_id };
}

export async function connectedBench(given: Partial<NewPage> = {}): Promise<Desk<FacebookBench>> {
  const bench = facebookBench(given);
  return { bench, connected: await bench.connect({ access_token: bench.token }) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<FacebookOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench and the network find them. */
export function pictures(bench: FacebookBench, count: number): PlannedMedia[] {
  const fileAt = (index: number) => ({ name: `${index}.jpg`, bytes: jpeg(80 + index, 80) });
  return putPictures(bench, count, fileAt, { mime_type: "image/jpeg", height: 800 });
}

const videoBytes = new TextEncoder().encode("\0\0\0\x10ftypisom a film of some bytes");

export function video(bench: FacebookBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const facts = { ...videoFacts, height: 800, size_bytes: videoBytes.length };
  return putFile(bench, { name: "film.mp4", bytes: videoBytes }, { ...facts, ...given });
}
