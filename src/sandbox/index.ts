export type { BlueskySandbox } from "./bluesky.ts";
export type { DiscordSandbox } from "./discord.ts";
export type { SandboxAnswer, SandboxRequest } from "./exchange.ts";
export type { Fault, FaultKind, Faults } from "./faults.ts";
export type { MastodonSandbox } from "./mastodon.ts";
export type { MediaHost } from "./media-host.ts";
export type { SandboxNetwork, SandboxPost } from "./network.ts";
export { createSandbox, type Sandbox, type SandboxOptions } from "./sandbox.ts";
export { remoteSandbox, type ServedSandbox, serveSandbox } from "./serve.ts";
