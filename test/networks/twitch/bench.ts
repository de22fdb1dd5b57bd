import { type TwitchSettings, twitch } from "../../../src/networks/twitch/index.ts";
import { sandboxApp } from "../../../src/sandbox/twitch/logins.ts";
import { type TwitchSandbox, twitchSandbox } from "../../../src/sandbox/twitch/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";

export type TwitchBench = NetworkBench<TwitchSandbox>;

/** The app, as registered in the sandbox. */
export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export function twitchBench(settings: TwitchSettings = { app }): TwitchBench {
  return networkBench({ adapter: twitch(settings), network: twitchSandbox });
}

export interface Desk {
  bench: TwitchBench;
  connected: ConnectedProfile;
  /** The channel's id. */
  channel: string;
}

/** A connected channel. */
export async function connectedBench(settings?: TwitchSettings): Promise<Desk> {
  const bench = twitchBench(settings);
  const { external_id: channel, ...tokens } = bench.network.addChannel("fox", { name: "The Fox" });
  return { bench, channel, connected: await bench.connect(tokens) };
}
