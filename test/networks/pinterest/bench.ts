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
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export interface PinterestBench extends NetworkBench<PinterestSandbox> {
  /** Alice's credentials. */
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

export async function connectedBench(given: Partial<NewPinterestAccount> = {}): Promise<Desk<PinterestBench>> {
  const bench = pinterestBench(given);
  return { bench, connected: await bench.connect(bench.credentials) };
}

/** A part with parsed options, as the plan passes it on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<PinterestOptions> {
  return partOf(options, { options: { board_id: groupBoardId, ...given }, ...rest });
}

const size = { width: 200, height: 300 };

/** `count` images, put where the bench and the network find them. */
export function pictures(bench: PinterestBench, count: number): PlannedMedia[] {
  const fileAt = (index: number) => ({ name: `${index}.jpg`, bytes: jpeg(200, 300) });
  return putPictures(bench, count, fileAt, { ...size, mime_type: "image/jpeg" });
}

export function video(bench: PinterestBench, given: Partial<PlannedMedia> = {}): PlannedMedia {
  const file = { name: "film.mp4", bytes: new TextEncoder().encode("\0\0\0\x10ftypisom film") };
  return putFile(bench, file, { ...videoFacts, ...size, ...given });
}
