import type { NetworkContext } from "./request.ts";

/** A value of an option that only the account itself knows: one of its playlists, of its boards. */
export interface OptionChoice {
  /** What the option takes. */
  value: string;
  /** What people call it. */
  name: string;
}

/** What the network shows of an option, in its order: at most a few hundred values. Only reads. */
export type OptionList = (context: NetworkContext) => Promise<OptionChoice[]>;

/** An option whose values the network searches, as there are too many to list. */
export interface OptionSearch {
  /** What the network finds; without words, what it shows of itself. */
  search(context: NetworkContext, words: string | null): Promise<OptionChoice[]>;
}

/** Options whose values depend on the account, each with what reads them. Names of fields within an option stand behind a dot. */
export type OptionChoices = Readonly<Record<string, OptionList | OptionSearch>>;
