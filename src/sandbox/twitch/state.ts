import type { SandboxPorts } from "../network.ts";
import { createIds } from "../parts/ids.ts";
import { withId } from "../parts/known.ts";
import { randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

/** A user of Twitch; each has a channel with the same id. */
export interface TwitchUser {
  id: string;
  login: string;
  display_name: string;
}

/** A line in a channel's chat. */
export interface TwitchLine {
  /** Its id. */
  id: string;
  /** The channel's id. */
  channel: string;
  /** The id of its author. */
  author: string;
  /** Its text. */
  text: string;
  /** The line that it replies to; null: none. */
  reply_to: string | null;
  /** The first line of its thread: its own id if it replies to none. */
  thread: string;
  /** When it was sent, milliseconds since 1970. */
  at: number;
}

/** A private message. */
export interface TwitchWhisper {
  /** Its id. */
  id: string;
  /** The id of its author. */
  from: string;
  /** The id of its recipient. */
  to: string;
  /** Its text. */
  text: string;
}

/** Behaviours that can vary. */
export interface TwitchWays {
  /** True: a reply begins with the name of the author that it replies to. @default true */
  namesWhomIsAnswered: boolean;
  /** The next lines are dropped with this reason, in a successful response; null: none. @default null */
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
    /** The format of line ids and of Twitch's other ids. */
    uuid: (): string => [8, 4, 4, 4, 12].map(hex).join("-"),
    /** Digits. */
    number: createIds(104_000_000n, 37n),
    user: (id: string): TwitchUser => withId(users, id, "user"),
    line: (id: string): TwitchLine | undefined => lines.find((each) => each.id === id),
  };
}
