import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { discord } from "../../../src/networks/discord/index.ts";
import { type DiscordOptions, options } from "../../../src/networks/discord/options.ts";
import { type DiscordSandbox, discordSandbox } from "../../../src/sandbox/discord/network.ts";
import type { ChannelKind } from "../../../src/sandbox/discord/state.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { commitInputOf, partOf, putPictures } from "../parts.ts";

export type DiscordBench = NetworkBench<DiscordSandbox>;

/** A bench on which a bot has one channel. */
export function discordBench(): DiscordBench {
  return networkBench({ adapter: discord(), network: discordSandbox });
}

export interface Place {
  bench: DiscordBench;
  connected: ConnectedProfile;
  channel: string;
  credentials: JsonObject;
}

/** A bot, connected to a new channel. */
export async function botIn(type: ChannelKind = "text", given: { needs_tag?: boolean } = {}): Promise<Place> {
  const bench = discordBench();
  const { channel, credentials } = botCredentials(bench, type, given);
  return { bench, connected: await bench.connect(credentials), channel, credentials };
}

export function botCredentials(
  bench: DiscordBench,
  type: ChannelKind = "text",
  given: { needs_tag?: boolean } = {},
): { channel: string; credentials: JsonObject } {
  const channel = bench.network.addChannel({ type, ...given });
  return { channel, credentials: { bot_token: bench.network.addBot(), channel_id: channel } };
}

/** A webhook, connected. */
export async function webhookIn(type: ChannelKind = "text"): Promise<Place & { url: string; token: string }> {
  const bench = discordBench();
  const channel = bench.network.addChannel({ type });
  const url = bench.network.addWebhook({ channel });
  const credentials = { webhook_url: url };
  const token = url.slice(url.lastIndexOf("/") + 1);
  return { bench, connected: await bench.connect(credentials), channel, credentials, url, token };
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<DiscordOptions> {
  return partOf(options, given);
}

/** `count` images, put where the bench finds them. */
export function pictures(bench: DiscordBench, count: number, given: Partial<PlannedMedia> = {}): PlannedMedia[] {
  const bytes = (index: number) => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index);
  const fileAt = (index: number) => ({ name: `folder/picture ${index}.png`, bytes: bytes(index) });
  return putPictures(bench, count, fileAt, { size_bytes: 5, ...given });
}

export function commitInput(
  { connected, bench }: Pick<Place, "connected" | "bench">,
  given: { part: Part; bodyHash?: string; subjectId?: string },
): CommitInput {
  const createdAt = bench.clock.now();
  const subject = { subjectId: given.subjectId ?? "tgt_1", createdAt, part: 0, bodyHash: given.bodyHash ?? "1" };
  const key = bench.adapter.publish?.key?.(subject) ?? "";
  return commitInputOf(connected, { part: given.part, key });
}
