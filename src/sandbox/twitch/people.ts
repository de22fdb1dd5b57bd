import {
  byName,
  type HookWays,
  type InboxScene,
  type OwnerWho,
  type PersonWho,
  type SceneHooks,
} from "../inbox-scene.ts";
import type { TwitchLine, TwitchWhisper } from "./state.ts";

/** The parts of the simulation that people use. */
interface Network {
  addChannel(login: string): { external_id: string; access_token: string; refresh_token: string };
  addViewer(login: string, name: string): string;
  lineAs(author: string, channel: string, line: { text: string; reply_to?: string }): string;
  whisperAs(from: string, to: string, text: string): string;
  removeLine(id: string): void;
  lines(): TwitchLine[];
  whispers(): TwitchWhisper[];
  sendHooksTo(handler: (request: Request) => Promise<Response>): void;
  changeHooks(ways: Partial<HookWays>): void;
  hookAnswers(): readonly number[];
  endSubscriptions(externalId: string, status: string): void;
}

/** A channel, and viewers who write to its owner. */
export interface TwitchPeople extends InboxScene {
  /** The network's id. */
  network: "twitch";
  /** The credentials that connect the account. */
  credentials: { access_token: string; refresh_token: string };
  /** The person with this name, of letters and digits; the first call creates them. */
  person(name: string): PersonWho<"handle" | "dm" | "mention" | "reply" | "unsend">;
  /** The account's owner. */
  owner: OwnerWho<"reply">;
  /** The webhooks of the network. */
  hooks: SceneHooks;
}

export function twitchPeople(there: Network, { name }: { name: string }): TwitchPeople {
  const { external_id: channel, ...credentials } = there.addChannel(name);
  const named = (text: string): string => `@${name} ${text}`;
  const isLine = (id: string): boolean => there.lines().some((line) => line.id === id);
  const stored = () => [...there.lines(), ...there.whispers()];

  const person = byName((who: string) => {
    const login = `${who.toLowerCase()}_${name}`;
    const id = there.addViewer(login, who);
    const dm = (text: string): string => there.whisperAs(id, channel, text);
    return {
      id,
      handle: `@${login}`,
      dm,
      mention: (text: string) => there.lineAs(id, channel, { text: named(text) }),
      reply: (to: string, text: string) =>
        isLine(to) ? there.lineAs(id, channel, { text: named(text), reply_to: to }) : dm(text),
      /** A moderator deletes it. */
      unsend(written: string) {
        const isRemoved = isLine(written);
        if (isRemoved) there.removeLine(written);
        return isRemoved;
      },
    };
  });

  return {
    network: "twitch",
    credentials,
    handle: `@${name}`,
    person,
    owner: {
      id: channel,
      reply: (to: string, text: string) => there.lineAs(channel, channel, { text, reply_to: to }),
    },
    texts: () => stored().map(({ text }) => text),
    idOf: (isWanted: (text: string) => boolean) => stored().find(({ text }) => isWanted(text))?.id ?? null,
    hooks: {
      sendTo: there.sendHooksTo,
      change: there.changeHooks,
      answers: there.hookAnswers,
      end: () => there.endSubscriptions(channel, "notification_failures_exceeded"),
    },
    lists: { messages: false, changes: false },
  };
}
