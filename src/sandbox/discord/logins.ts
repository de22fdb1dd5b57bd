import type { JsonObject } from "../../wire/json.ts";
import { bearerOf, ok } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLoginPages, type Person } from "../parts/login-pages.ts";
import { type Route, route } from "../parts/routes.ts";
import { refusal } from "./refusal.ts";
import { addWebhook, type Guild, type State, urlOf } from "./state.ts";

/** The path of the page for browsers. */
export const authorizePath = "/oauth2/authorize";

/**
 * https://docs.discord.com/developers/topics/oauth2 (2026-08): a code is valid for ten minutes (unconfirmed), a token
 * for a week.
 */
const rules = { codeSeconds: 600, accessSeconds: 604_800, refresh: "single_use", pkce: "ignored" } as const;

/** MANAGE_GUILD. https://docs.discord.com/developers/topics/permissions (2026-08) */
const manageGuild = String(1n << 5n);

export function loginRoutes(state: State, ports: SandboxPorts): Route[] {
  const scopes = ["bot", "identify", "guilds", "webhook.incoming"];
  const pages = createLoginPages({ ...rules, scopes, apps: state.apps }, ports);

  /** For a bot the user chooses a server on the page, for a webhook a channel. */
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
    const webhook = addWebhook(state, channel, "Spidey Bot");
    const { id, token, name } = webhook;
    const place = { channel_id: channel.id, guild_id: channel.guild.id };
    return {
      webhook: { application_id: null, avatar: null, id, token, name, type: 1, url: urlOf(webhook), ...place },
    };
  }

  return [
    route("authorize", `GET ${authorizePath}`, (request) =>
      pages.visit(request, choices(request.url.searchParams.get("scope") ?? "")),
    ),

    route("token", "POST /api/oauth2/token", async (request) => {
      const answer = await pages.token(request);
      if (answer.status !== 200) return answer;
      const json = answer.json as JsonObject;
      const grant = pages.grantOf(String(json.access_token));
      return { ...answer, json: { ...json, ...whatCameWith(grant?.scopes ?? [], grant?.account ?? "") } };
    }),

    /** The servers of the user who signed in. */
    route("getOwnGuilds", "GET /api/v10/users/@me/guilds", (request) => {
      const grant = pages.grantOf(bearerOf(request));
      if (grant === null) throw refusal(401, 0, "401: Unauthorized");
      if (!grant.scopes.includes("guilds")) throw refusal(403, 50026, "Missing required OAuth2 scope");
      return ok(state.guilds.map(ownGuild));
    }),
  ];
}

function ownGuild({ id, name, isManaged }: Guild): JsonObject {
  const permissions = isManaged ? manageGuild : "0";
  return { id, name, icon: null, banner: null, owner: false, permissions, features: [] };
}
