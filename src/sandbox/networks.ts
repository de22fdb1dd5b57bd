import { blueskySandbox } from "./bluesky/network.ts";
import { discordSandbox } from "./discord/network.ts";
import { facebookSandbox } from "./facebook/network.ts";
import { googleBusinessSandbox } from "./google_business/network.ts";
import { instagramSandbox } from "./instagram/network.ts";
import { linkedinSandbox } from "./linkedin/network.ts";
import { mastodonSandbox } from "./mastodon/network.ts";
import type { SandboxNetwork, SandboxPorts } from "./network.ts";
import { pinterestSandbox } from "./pinterest/network.ts";
import { threadsSandbox } from "./threads/network.ts";
import { tiktokSandbox } from "./tiktok/network.ts";
import { twitchSandbox } from "./twitch/network.ts";
import { xSandbox } from "./x/network.ts";
import { youtubeSandbox } from "./youtube/network.ts";

/**
 * The simulated networks, one per row. `sandbox.bluesky`, its type, and the host that responds to a request derive from
 * it.
 */
export const simulations = {
  bluesky: blueskySandbox,
  mastodon: mastodonSandbox,
  discord: discordSandbox,
  x: xSandbox,
  youtube: youtubeSandbox,
  instagram: instagramSandbox,
  threads: threadsSandbox,
  facebook: facebookSandbox,
  linkedin: linkedinSandbox,
  tiktok: tiktokSandbox,
  pinterest: pinterestSandbox,
  google_business: googleBusinessSandbox,
  twitch: twitchSandbox,
} satisfies Readonly<Record<string, (ports: SandboxPorts) => SandboxNetwork>>;

/** The simulated networks, by name. */
export type SimulatedNetworks = { [Name in keyof typeof simulations]: ReturnType<(typeof simulations)[Name]> };

/** In the order of the rows. */
export function createNetworks(ports: SandboxPorts): SimulatedNetworks {
  const made = Object.entries(simulations).map(([name, simulate]) => [name, simulate(ports)]);
  return Object.fromEntries(made) as SimulatedNetworks;
}
