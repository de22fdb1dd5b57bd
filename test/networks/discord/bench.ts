import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { discord } from "../../../src/networks/discord/index.ts";
import { type DiscordSandbox, discordSandbox } from "../../../src/sandbox/discord/network.ts";
import type { ChannelKind } from "../../../src/sandbox/discord/state.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import {
  type ConnectedProfile,
  type NetworkBench,
  networkBench,
  type SeenRequest,
} from "../../support/network-context.ts";
import { contractFile, type Node, type OpenApiChecker, openApiChecker } from "../../support/openapi.ts";

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

export function part(given: Partial<Part> = {}): Part {
  return { text: "Hello", media: [], link: null, title: null, post_type: "post", options: {}, ...given };
}

/** `count` pictures, put where the bench finds them. */
export function pictures(bench: DiscordBench, count: number, given: Partial<PlannedMedia> = {}): PlannedMedia[] {
  return Array.from({ length: count }, (_, index) => {
    const url = `https://media.example/folder/picture ${index}.png`;
    const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, index);
    bench.files.set(url, bytes);
    return {
      url,
      type: "image",
      mime_type: "image/png",
      size_bytes: bytes.length,
      alt: `picture ${index}`,
      thumbnail_url: null,
      width: 800,
      height: 600,
      duration_seconds: null,
      ...given,
    };
  });
}

export function commitInput(
  { connected, bench }: Pick<Place, "connected" | "bench">,
  given: { part: Part; bodyHash?: string; subjectId?: string },
): CommitInput {
  const createdAt = bench.clock.now();
  const subject = { subjectId: given.subjectId ?? "tgt_1", createdAt, part: 0, bodyHash: given.bodyHash ?? "1" };
  return {
    profile: connected.profile,
    secret: connected.secret(),
    part: given.part,
    index: 0,
    staged: {},
    first: null,
    previous: null,
    key: bench.adapter.publish?.key?.(subject) ?? "",
    created_at: new Date(createdAt).toISOString(),
  };
}

const contract = contractFile("discord.json");
/** Why exchanges are not checked against Discord's own OpenAPI document; null when they are. */
export const contractAbsent: string | null = "skip" in contract ? contract.skip : null;

let checker: OpenApiChecker | null = null;

/** Every exchange that Discord's own OpenAPI document does not allow, one line a finding. */
export async function contractFindings(seen: readonly SeenRequest[]): Promise<string[]> {
  if ("skip" in contract) return [];
  checker ??= openApiChecker(contract.file, { amend });
  const findings: string[] = [];
  for (const { method, url, headers, bytes, answer } of seen) {
    const path = url.pathname.replace("/api/v10", "");
    const body = bytes.length === 0 ? undefined : await jsonOf(headers, bytes);
    const lines = answer !== null && answer.status >= 400 ? [] : checker.request(method, path, body);
    if (answer !== null) lines.push(...checker.reply(method, path, answer.status, answer.json));
    findings.push(...lines.map((line) => `${method} ${path} ${answer?.status}: ${line}`));
  }
  return findings;
}

async function jsonOf(headers: Headers, bytes: Uint8Array): Promise<unknown> {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return JSON.parse(new TextDecoder().decode(bytes));
  const form = await new Response(bytes.slice(), { headers: { "content-type": type } }).formData();
  return JSON.parse(String(form.get("payload_json")));
}

/**
 * What the documentation has and the document lacks: names as codes of single
 * fields, and media channels (type 16).
 * https://docs.discord.com/developers/reference, https://docs.discord.com/developers/resources/channel (2026-08)
 */
function amend(document: { components: Node }): void {
  const schemas = document.components.schemas as Record<string, { properties: Record<string, Node> } & Node>;
  const fieldError = { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } };
  if (schemas.InnerErrors?.properties) schemas.InnerErrors.properties._errors = { type: "array", items: fieldError };
  if (schemas.GuildChannelResponse?.properties)
    schemas.GuildChannelResponse.properties.type = { type: "integer", enum: [0, 2, 4, 5, 13, 14, 15, 16] };
}
