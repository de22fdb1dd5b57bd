import { afterEach, describe, expect, it } from "vitest";
import { discord } from "../../../src/networks/discord/index.ts";
import { parseWebhookAddress } from "../../../src/networks/discord/webhook.ts";
import type { ChannelKind } from "../../../src/sandbox/discord/state.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { botCredentials, botIn, type DiscordBench, discordBench, webhookIn } from "./bench.ts";
import { contractFindings } from "./openapi.ts";

const benches: DiscordBench[] = [];

function bench(): DiscordBench {
  const made = discordBench();
  benches.push(made);
  return made;
}

afterEach(async () => {
  for (const { seen } of benches.splice(0)) expect(await contractFindings(seen)).toEqual([]);
});

function login(on: DiscordBench, credentials: JsonObject): Promise<unknown> {
  return on.run(() => on.adapter.connect.login(on.login, credentials));
}

describe("connecting a bot", () => {
  it.each<[ChannelKind]>([["text"], ["announcement"], ["forum"], ["media"]])(
    "learns the channel and the posting bot in a %s channel",
    async (type) => {
      const on = bench();
      const guild = on.network.addGuild({ name: "Bakers" });
      const channel = on.network.addChannel({ type, name: "news", guild });
      const bot_token = on.network.addBot({ username: "baker" });
      const { identity, credentials } = await on.run(() =>
        on.adapter.connect.login(on.login, { bot_token, channel_id: channel }),
      );
      expect(identity).toMatchObject({
        external_id: `${guild}:${channel}`,
        name: "Bakers #news",
        handle: "baker",
        url: `https://discord.com/channels/${guild}/${channel}`,
        scopes: ["VIEW_CHANNEL", "SEND_MESSAGES", "EMBED_LINKS", "ATTACH_FILES", "READ_MESSAGE_HISTORY"],
        account_facts: { kind: "bot", guild_id: guild, channel_id: channel, channel_type: type, needs_tag: false },
      });
      expect(credentials).toEqual({ secret: { bot_token }, expires_at: null });
      expect(JSON.stringify(identity)).not.toContain(bot_token);
    },
  );

  it.each<[ChannelKind, string]>([
    ["voice", "voice"],
    ["category", "category"],
  ])("rejects a %s channel and names its type", async (type, name) => {
    const on = bench();
    await expect(login(on, botCredentials(on, type).credentials)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(`a ${name} channel`),
    });
  });

  it("reports a wrong token if Discord does not know it", async () => {
    const on = bench();
    const { credentials } = botCredentials(on);
    const wrong = { ...credentials, bot_token: "wrong-token-wrong-token-wrong-token" };
    await expect(login(on, wrong)).rejects.toMatchObject({ code: "reauthentication_required" });
  });

  it("names the channel that the bot cannot see", async () => {
    const on = bench();
    const { channel, credentials } = botCredentials(on);
    on.network.deny({ channel, permissions: ["VIEW_CHANNEL"] });
    const expected = {
      code: "invalid_request",
      message: expect.stringMatching(/^channel_id: .*cannot see the channel/),
    };
    await expect(login(on, credentials)).rejects.toMatchObject(expected);
    await expect(login(on, { ...credentials, channel_id: "123456789" })).rejects.toMatchObject(expected);
  });

  it("names the permission that the bot lacks", async () => {
    const on = bench();
    const { channel, credentials } = botCredentials(on);
    on.network.deny({ channel, permissions: ["SEND_MESSAGES"] });
    await expect(login(on, credentials)).rejects.toMatchObject({
      code: "invalid_request",
      message: "channel_id: the bot lacks Send Messages in #general.",
    });
  });

  it("reports later that the bot was removed from the server, or its token reset", async () => {
    const { bench: on, connected, credentials } = await botIn();
    benches.push(on);
    const inspect = (): Promise<unknown> => on.run(() => on.adapter.connect.inspect(connected.context));
    await expect(inspect()).resolves.toMatchObject({ external_id: connected.profile.external_id });
    on.network.removeBots(String(connected.profile.account_facts.guild_id));
    await expect(inspect()).rejects.toMatchObject({ refusal: { code: "profile_unavailable" } });
    on.network.revokeBot(String(credentials.bot_token));
    await expect(inspect()).rejects.toMatchObject({ refusal: { code: "reauthentication_required" } });
  });

  it.each([
    ["a line break in the token", { bot_token: "aaaaaaaaaaaaaaaaaaaaaaaa\r\nx: y", channel_id: "12345678" }],
    ["a channel that is not an id", { bot_token: "aaaaaaaaaaaaaaaaaaaaaaaa", channel_id: "../users/@me" }],
    [
      "a bot token beside a webhook",
      { bot_token: "aaaaaaaaaaaaaaaaaaaaaaaa", channel_id: "12345678", webhook_url: "https://x.example" },
    ],
    ["nothing", {}],
  ])("rejects %s", (_, credentials) => {
    expect(discord().connect.credentials.safeParse(credentials).success).toBe(false);
  });
});

describe("a connected webhook", () => {
  it("is identified by the webhook's id, and keeps the token in the secret only", async () => {
    const { bench: on, connected, channel, token, url } = await webhookIn();
    benches.push(on);
    const { profile } = connected;
    expect(profile.external_id).toMatch(/^webhook:\d+$/);
    expect(profile.url).toContain(channel);
    expect(profile.account_facts).toMatchObject({ kind: "webhook", channel_id: channel });
    expect(JSON.stringify(profile)).not.toContain(token);
    expect(connected.secret()).toEqual({ webhook_token: token });
    on.network.deleteWebhook(url);
    const gone = await on.run(() => on.adapter.connect.inspect(connected.context)).catch((error: unknown) => error);
    expect(gone).toMatchObject({ refusal: { code: "reauthentication_required" } });
    expect(`${gone}${JSON.stringify(gone)}`).not.toContain(token);
  });

  it("sends no authorization header: its URL is the credential", async () => {
    const { bench: on } = await webhookIn();
    expect(on.seen.map(({ headers }) => headers.get("authorization"))).toEqual([null]);
  });

  it("is not revoked on disconnect, because other software may use its URL", () => {
    expect(discord().connect.revoke).toBeUndefined();
  });

  const id = "123456789012345678";
  const token = "a".repeat(68);

  it.each([
    `https://discord.com/api/webhooks/${id}/${token}`,
    ` https://discord.com/api/v10/webhooks/${id}/${token}/ `,
    `https://ptb.discord.com/api/webhooks/${id}/${token}`,
    `https://canary.discord.com/api/v9/webhooks/${id}/${token}`,
    `https://discordapp.com/api/webhooks/${id}/${token}`,
  ])("may be given as %s", (address) => {
    expect(parseWebhookAddress(address)).toEqual({ id, token });
  });

  it.each([
    `http://discord.com/api/webhooks/${id}/${token}`,
    `https://discord.com.evil.example/api/webhooks/${id}/${token}`,
    `https://discord.com@evil.example/api/webhooks/${id}/${token}`,
    `https://user@discord.com/api/webhooks/${id}/${token}`,
    `https://discord.com:8443/api/webhooks/${id}/${token}`,
    `https://discord.com/api/webhooks/${id}/${token}/slack`,
    `https://discord.com/api/webhooks/${id}/${token}?wait=true`,
    `https://discord.com/api/webhooks/${id}/${token}/../../../users/@me`,
    `https://discord.com/api/webhooks/${id}`,
    `https://discord.com/api/channels/${id}/${token}`,
    "not an address",
  ])("cannot be given as %s, and the error does not repeat that", async (address) => {
    expect(parseWebhookAddress(address)).toBeNull();
    const error = await login(bench(), { webhook_url: address }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "invalid_request" });
    expect(String(error)).not.toContain(token);
  });
});
