import type { SandboxPorts } from "../network.ts";
import { createIds } from "../parts/ids.ts";
import { withId } from "../parts/known.ts";
import { randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

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

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  const hex = (length: number): string => randomText(ports, length, "0123456789abcdef");
  const users: TwitchUser[] = [];
  const lines: TwitchLine[] = [];
  const ways: TwitchWays = { namesWhomIsAnswered: true, dropsLines: null };
  return {
    ...createBasics(ports),
    users,
    lines,
    whispers: [] as TwitchWhisper[],
    ways,
    /** As ids of lines look, and of whatever else Twitch numbers. */
    uuid: (): string => [8, 4, 4, 4, 12].map(hex).join("-"),
    /** Digits. */
    number: createIds(104_000_000n, 37n),
    user: (id: string): TwitchUser => withId(users, id, "user"),
    line: (id: string): TwitchLine | undefined => lines.find((each) => each.id === id),
  };
}
