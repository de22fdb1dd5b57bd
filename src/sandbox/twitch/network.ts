import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxNetwork, SandboxPorts } from "../network.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { route } from "../parts/routes.ts";
import { createSimulation } from "../parts/simulation.ts";
import { createChat } from "./chat.ts";
import { createEventSub, type EventSubWays } from "./eventsub.ts";
import { createLogins, type Logins, loginHost, sandboxApp } from "./logins.ts";
import { type TwitchPeople, twitchPeople } from "./people.ts";
import { refusal } from "./refusal.ts";
import {
  createState,
  type State,
  type TwitchLine,
  type TwitchUser,
  type TwitchWays,
  type TwitchWhisper,
} from "./state.ts";

/** Twitch, simulated: channels with their chats, whispers, and events. */
export interface TwitchSandbox extends SandboxNetwork {
  /** Registers an app; one exists from the start. */
  addApp(app: LoginApp): void;
  /** Changes the secret of the app with this id. */
  changeSecret(clientId: string, secret: string): void;
  /**
   * Creates a user with a channel; connect it with the tokens. They are issued to the first app, unless another is
   * named.
   */
  addChannel(
    login: string,
    options?: { name?: string; client_id?: string; scopes?: readonly string[] },
  ): { external_id: string; access_token: string; refresh_token: string };
  /** A channel's owner signs in again; connect it with the new tokens. */
  logIn(externalId: string): { access_token: string; refresh_token: string };
  /** Creates a viewer; returns their id. */
  addViewer(login: string, name?: string): string;
  /** A user writes in a channel's chat; returns the line's id. `source`: another channel that shares the chat. */
  lineAs(author: string, channel: string, line: { text: string; reply_to?: string; source?: string }): string;
  /** A user whispers to a channel's owner; returns the whisper's id. */
  whisperAs(from: string, to: string, text: string): string;
  /** A moderator removes a line. */
  removeLine(id: string): void;
  /** All lines in the chats, in order. */
  lines(): TwitchLine[];
  /** All whispers, in order. */
  whispers(): TwitchWhisper[];
  /** Sets the receiver behind the app's callback URL. */
  sendHooksTo(handler: (request: Request) => Promise<Response>): void;
  /** Changes how events are sent. */
  changeHooks(ways: Partial<EventSubWays>): void;
  /** The response statuses of the events, in order; 0: no response. */
  hookAnswers(): readonly number[];
  /** The present subscriptions of an account. */
  sentOf(externalId: string): string[];
  /** Twitch ends the subscriptions of an account, and reports it. */
  endSubscriptions(externalId: string, status: string): void;
  /** Changes these behaviours; the others stay the same. */
  change(ways: Partial<TwitchWays>): void;
  /** The account's owner disconnects the app in their settings. */
  revoke(externalId: string): void;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** Creates a channel with viewers who write to it. */
  people(options: { name: string }): TwitchPeople;
}

const apiHost = "api.twitch.tv";

export function twitchSandbox(ports: SandboxPorts): TwitchSandbox {
  const state = createState(ports);
  const logins = createLogins(state, ports);
  const eventsub = createEventSub(state, logins, ports);
  const chat = createChat(state, logins, eventsub);

  function addUser(login: string, name: string): string {
    const id = state.number();
    state.users.push({ id, login, display_name: name });
    return id;
  }

  const there: Omit<TwitchSandbox, "people"> = {
    ...createSimulation({
      network: "twitch",
      hosts: [apiHost, loginHost],
      commits: ["sendLine", "sendWhisper"],
      basics: state,
      routes: [
        ...logins.routes,
        route("getUsers", `GET ${apiHost}/helix/users`, (request) => users(state, logins, request)),
        ...chat.routes,
        ...eventsub.routes,
      ],
      missing: () => refusal(404, "Not Found").answer,
      assertTaken: (request) => assertQuota(state, request),
    }),
    ...logins.switches,
    ...eventsub.switches,
    ...chat.switches,
    posts: () => [],
    lagReads(seconds) {
      eventsub.ways.lateSeconds = seconds;
    },
    changeSecret(clientId, secret) {
      for (const app of logins.apps) if (app.client_id === clientId) app.client_secret = secret;
    },
    addChannel(login, { name = login, client_id = sandboxApp.client_id, scopes } = {}) {
      const id = addUser(login, name);
      return { external_id: id, ...logins.issue(id, client_id, scopes) };
    },
    logIn: (externalId) => logins.issue(externalId, sandboxApp.client_id),
    addViewer: (login, name = login) => addUser(login, name),
    change: (ways) => void Object.assign(state.ways, ways),
    revoke(externalId) {
      logins.end(externalId);
      const { login, display_name } = state.user(externalId);
      for (const { client_id } of logins.apps) {
        const event = { client_id, user_id: externalId, user_login: login, user_name: display_name };
        eventsub.tell("user.authorization.revoke", { client_id }, event);
      }
      eventsub.end(externalId, "authorization_revoked");
    },
  };
  return { ...there, people: (options) => twitchPeople(there, options) };
}

function assertQuota({ quota }: State, { url }: SandboxRequest): void {
  if (url.hostname !== apiHost || !quota.isUsedUp()) return;
  throw refusal(429, "Too Many Requests", {
    "ratelimit-limit": "800",
    "ratelimit-remaining": "0",
    "ratelimit-reset": String(Math.ceil(quota.endsAt() / 1000)),
  });
}

/** The token's user, or the users with these ids. https://dev.twitch.tv/docs/api/reference#get-users (2026-02) */
function users(state: State, logins: Logins, request: SandboxRequest): SandboxAnswer {
  const own = logins.assertUser(request);
  const wanted = request.url.searchParams.getAll("id");
  const found = wanted.length === 0 ? [own] : state.users.filter(({ id }) => wanted.includes(id));
  return ok({ data: found.map(userJson) });
}

function userJson({ id, login, display_name }: TwitchUser): object {
  return {
    id,
    login,
    display_name,
    type: "",
    broadcaster_type: "affiliate",
    description: "",
    view_count: 0,
    profile_image_url: `https://static-cdn.jtvnw.net/${id}.png`,
    offline_image_url: "",
    created_at: "2016-12-14T20:32:28Z",
  };
}
