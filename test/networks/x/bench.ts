import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type XSettings, x } from "../../../src/networks/x/index.ts";
import { options, type XOptions } from "../../../src/networks/x/options.ts";
import { type NewXAccount, type XSandbox, xSandbox } from "../../../src/sandbox/x/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import type { Desk as AnyDesk } from "../desk.ts";
import { partOf, putFile, putPictures, videoFacts } from "../parts.ts";

export type XBench = NetworkBench<XSandbox>;

/** The app, as registered in the sandbox. */
export const app = { client_id: "sandbox-app", client_secret: "sandbox-secret" };

export function xBench(settings: XSettings = { app }): XBench {
  return networkBench({ adapter: x(settings), network: xSandbox });
}

/** Tokens of a new account. */
export function credentials(bench: XBench, given: Partial<NewXAccount> = {}): JsonObject {
  const { access_token, refresh_token, client_id } = bench.network.addAccount({ username: "alice", ...given });
  return { access_token, refresh_token, client_id };
}

export type Desk = AnyDesk<XBench>;

export async function connectedBench(given: Partial<NewXAccount> = {}): Promise<Desk> {
  const bench = xBench();
  return { bench, connected: await bench.connect(credentials(bench, given)) };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<XOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench finds them. */
export function pictures(bench: XBench, count: number, given: Partial<PlannedMedia> = {}): PlannedMedia[] {
  const fileAt = (index: number) => ({ name: `${index}.png`, bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index) });
  return putPictures(bench, count, fileAt, { size_bytes: 5, ...given });
}

/** @param bytes its length */
export function video(bench: XBench, bytes = 20): PlannedMedia {
  const content = new Uint8Array(bytes);
  content.set(new TextEncoder().encode("\0\0\0\x10ftypisom"));
  return putFile(bench, { name: "film.mp4", bytes: content }, { ...videoFacts, size_bytes: bytes });
}
