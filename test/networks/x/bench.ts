import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { type XSettings, x } from "../../../src/networks/x/index.ts";
import { options, type XOptions } from "../../../src/networks/x/options.ts";
import { type NewXAccount, type XSandbox, xSandbox } from "../../../src/sandbox/x/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";

export type XBench = NetworkBench<XSandbox>;

/** As the sandbox knows it. */
export const app = { client_id: "sandbox-app", client_secret: "sandbox-secret" };

export function xBench(settings: XSettings = { app }): XBench {
  return networkBench({ adapter: x(settings), network: xSandbox });
}

/** What connects a new account. */
export function credentials(bench: XBench, given: Partial<NewXAccount> = {}): JsonObject {
  const { access_token, refresh_token, client_id } = bench.network.addAccount({ username: "alice", ...given });
  return { access_token, refresh_token, client_id };
}

export interface Desk {
  bench: XBench;
  connected: ConnectedProfile;
}

export async function connectedBench(given: Partial<NewXAccount> = {}): Promise<Desk> {
  const bench = xBench();
  return { bench, connected: await bench.connect(credentials(bench, given)) };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<XOptions> {
  const own = options.parse(given);
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: own, ...rest };
}

/** `count` pictures, put where the bench finds them. */
export function pictures(bench: XBench, count: number, given: Partial<PlannedMedia> = {}): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index);
    return file(bench, { name: `${index}.png`, bytes }, { alt: `picture ${index}`, ...given });
  });
}

/** @param bytes how long it is */
export function video(bench: XBench, bytes = 20): PlannedMedia {
  const content = new Uint8Array(bytes);
  content.set(new TextEncoder().encode("\0\0\0\x10ftypisom"));
  const facts = { type: "video", mime_type: "video/mp4", duration_seconds: 5 } as const;
  return file(bench, { name: "film.mp4", bytes: content }, facts);
}

function file(
  bench: XBench,
  { name, bytes }: { name: string; bytes: Uint8Array },
  given: Partial<PlannedMedia>,
): PlannedMedia {
  const url = `https://media.example/${name}`;
  bench.files.set(url, bytes);
  return {
    url,
    type: "image",
    mime_type: "image/png",
    size_bytes: bytes.length,
    alt: null,
    thumbnail_url: null,
    width: 800,
    height: 600,
    duration_seconds: null,
    ...given,
  };
}
