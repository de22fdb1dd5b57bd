import type { JsonObject } from "../../wire/json.ts";
import { bearerOf, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type Person } from "../parts/login-pages.ts";
import { refusal } from "./refusal.ts";
import type { Guild, State } from "./state.ts";

export interface Logins {
  /** The page for the browser. */
  authorize(request: SandboxRequest): SandboxAnswer;
  token(request: SandboxRequest): Promise<SandboxAnswer>;
  /** The servers of whoever logged in. */
  ownGuilds(request: SandboxRequest): SandboxAnswer;
}

/** https://docs.discord.com/developers/topics/oauth2 (2026-08): a code lives for ten minutes (unconfirmed), a token for a week. */
const rules = { codeSeconds: 600, accessSeconds: 604_800, refresh: "single_use", pkce: "ignored" } as const;

/** MANAGE_GUILD. https://docs.discord.com/developers/topics/permissions (2026-08) */
const manageGuild = String(1n << 5n);

export function createLogins(state: State, ports: SandboxPorts): Logins {
  const scopes = ["bot", "identify", "guilds", "webhook.incoming"];
  const pages = createLoginPages({ ...rules, scopes, apps: state.apps }, ports);

  /** On the page of a bot a server is chosen, on that of a webhook a channel. */
  function choices(scope: string): Person[] {
    if (!scope.split(" ").includes("webhook.incoming"))
      return state.guilds.map(({ id, name }) => ({ account: id, name: `owner of ${name}` }));
    return state.channels.map(({ id, name }) => ({ account: id, name: `owner of #${name}` }));
  }

  function whatCameWith(scopesGiven: readonly string[], chosen: string): JsonObject {
    const guild = state.guilds.find(({ id }) => id === chosen);
    if (guild !== undefined) {
      guild.closed = false;
      return scopesGiven.includes("bot") ? { guild: { id: guild.id, name: guild.name, icon: null } } : {};
    }
    const channel = state.channels.find(({ id }) => id === chosen);
    if (channel === undefined || !scopesGiven.includes("webhook.incoming")) return {};
    const webhook = { id: state.snowflake(), token: state.token(68), name: "Spidey Bot", channel };
    state.webhooks.push(webhook);
    const { id, token, name } = webhook;
    const url = `https://discord.com/api/webhooks/${id}/${token}`;
    const place = { channel_id: channel.id, guild_id: channel.guild.id };
    return { webhook: { application_id: null, avatar: null, id, token, name, type: 1, url, ...place } };
  }

  return {
    authorize: (request) => pages.visit(request, choices(request.url.searchParams.get("scope") ?? "")),

    async token(request) {
      const answer = await pages.token(request);
      if (answer.status !== 200) return answer;
      const json = answer.json as JsonObject;
      const grant = pages.grantOf(String(json.access_token));
      return { ...answer, json: { ...json, ...whatCameWith(grant?.scopes ?? [], grant?.account ?? "") } };
    },

    ownGuilds(request) {
      const grant = pages.grantOf(bearerOf(request));
      if (grant === null) throw refusal(401, 0, "401: Unauthorized");
      if (!grant.scopes.includes("guilds")) throw refusal(403, 50026, "Missing required OAuth2 scope");
      return { status: 200, json: state.guilds.map(ownGuild) };
    },
  };
}

function ownGuild({ id, name, isManaged }: Guild): JsonObject {
  const permissions = isManaged ? manageGuild : "0";
  return { id, name, icon: null, banner: null, owner: false, permissions, features: [] };
}
