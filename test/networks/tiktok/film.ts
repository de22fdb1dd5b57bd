import { tiktok } from "../../../src/networks/tiktok/index.ts";
import { createPublisher } from "../../../src/networks/tiktok/publish.ts";
import { sandboxApp } from "../../../src/sandbox/tiktok/logins.ts";
import { fixture } from "../../media/fixtures.ts";

/** On the simulated network films go in pieces of a ten-thousandth of what TikTok takes. */
export const pieces = { wholeBytes: 1_999, chunkBytes: 1_000 };

export const app = { client_key: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

/** TikTok's adapter, which cuts small films into several pieces, too. */
export function adapter(settings: Parameters<typeof tiktok>[0] = {}): ReturnType<typeof tiktok> {
  return { ...tiktok({ app, ...settings }), publish: createPublisher(pieces) };
}

/** A film as large as TikTok wants them, of this many pieces and a half: a real one, with nothing behind it. */
export function film(chunks = 3): Uint8Array {
  const played = fixture("large.mp4");
  const missing = Math.round((chunks + 0.5) * pieces.chunkBytes) - played.length;
  if (missing < 8) return played;
  // A box of nothing, as long as it says.
  const nothing = new Uint8Array(missing);
  new DataView(nothing.buffer).setUint32(0, nothing.length);
  nothing.set(new TextEncoder().encode("free"), 4);
  return new Uint8Array(Buffer.concat([played, nothing]));
}
