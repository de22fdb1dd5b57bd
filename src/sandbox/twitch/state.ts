import type { SandboxPorts } from "../network.ts";
import { createQuota, type Quota } from "../parts/quota.ts";

/** Somebody at Twitch: each has a channel of the same id. */
export interface TwitchUser {
  id: string;
  login: string;
  display_name: string;
}

/** A line in a channel's chat. */
export interface TwitchLine {
  id: string;
  /** The channel's id. */
  channel: string;
  author: string;
  text: string;
  /** The line that it answers; null: none. */
  reply_to: string | null;
  /** The line that began it all; its own where it answers none. */
  thread: string;
  at: number;
}

/** A private message. */
export interface TwitchWhisper {
  id: string;
  from: string;
  to: string;
  text: string;
}

/** What it does in one way or another. */
export interface TwitchWays {
  /** What answers a line begins with the name of whom it answers. @default true */
  namesWhomIsAnswered: boolean;
  /** The next lines are dropped with these words, with a success. @default null, none is */
  dropsLines: string | null;
}

export interface State {
  users: TwitchUser[];
  lines: TwitchLine[];
  whispers: TwitchWhisper[];
  ways: TwitchWays;
  quota: Quota;
  now(): number;
  /** As ids of lines look, and of whatever else Twitch numbers. */
  uuid(): string;
  /** Digits. */
  number(): string;
  user(id: string): TwitchUser;
  line(id: string): TwitchLine | undefined;
}

export function createState({ clock, random }: SandboxPorts): State {
  let count = 0;
  const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  const state: State = {
    users: [],
    lines: [],
    whispers: [],
    ways: { namesWhomIsAnswered: true, dropsLines: null },
    quota: createQuota(clock),
    now: () => clock.now(),
    uuid: () => [8, 4, 4, 4, 12].map(hex).join("-"),
    number() {
      count += 1;
      return String(104_000_000 + count * 37);
    },
    user(id) {
      const user = state.users.find((each) => each.id === id);
      if (user === undefined) throw new Error(`The sandbox has nobody with the id ${id}.`);
      return user;
    },
    line: (id) => state.lines.find((each) => each.id === id),
  };
  return state;
}
