import { tiktok } from "../../../src/networks/tiktok/index.ts";
import { createPublisher } from "../../../src/networks/tiktok/publish.ts";
import { sandboxApp } from "../../../src/sandbox/tiktok/logins.ts";
import { fixture } from "../../media/fixtures.ts";

/** On the simulated network, videos are uploaded in pieces of a ten-thousandth of TikTok's size. */
export const pieces = { wholeBytes: 1_999, chunkBytes: 1_000 };

export const app = { client_key: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

/** TikTok's adapter, set to cut even small videos into several pieces. */
export function adapter(settings: Parameters<typeof tiktok>[0] = {}): ReturnType<typeof tiktok> {
  return { ...tiktok({ app, ...settings }), publish: createPublisher(pieces) };
}

/** A video of an allowed size, this many and a half pieces long: a real file, padded with an empty box. */
export function videoBytes(chunks = 3): Uint8Array {
  const played = fixture("large.mp4");
  const missing = Math.round((chunks + 0.5) * pieces.chunkBytes) - played.length;
  if (missing < 8) return played;
  // An empty box that fills the rest.
  const nothing = new Uint8Array(missing);
  new DataView(nothing.buffer).setUint32(0, nothing.length);
  nothing.set(new TextEncoder().encode("free"), 4);
  return new Uint8Array(Buffer.concat([played, nothing]));
}
