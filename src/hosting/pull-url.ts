import { z } from "zod";
import type { HostingPorts } from "./ports.ts";
import type { ShownMedia } from "./rows.ts";

export const pullUrlSchema = z.strictObject({
  seconds: z.int().min(1).max(604_800),
  own_host: z.boolean().default(false),
});

/** What an address is to hold for. */
export interface PullUrl {
  /** How long it is good, 1 to 604,800 (a week). */
  seconds: number;
  /** True: an address below `baseUrl`, for networks that fetch from hosts that they know. @default false */
  own_host?: boolean | undefined;
}

/** An address from which anyone can fetch the file for a time. */
export async function pullAddress(
  { store, addresses, signer, clock, isPrivate }: HostingPorts,
  { id, private: { facts } }: ShownMedia,
  { seconds, own_host }: PullUrl,
): Promise<string> {
  if (store.address !== undefined && own_host !== true) {
    return store.address(id, { seconds, contentType: facts.mime_type });
  }
  const url = addresses.urlOf(id);
  if (!isPrivate) return url;
  const until = Math.ceil(clock.now() / 1_000) + seconds;
  return `${url}?${signer.sign(id, until)}`;
}
