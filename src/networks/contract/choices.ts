import type { NetworkContext } from "./request.ts";

/** A value of an option that depends on the account, such as one of its playlists or boards. */
export interface OptionChoice {
  /** The option's value. */
  value: string;
  /** The display name. */
  name: string;
}

/** Lists an option's values in the network's order, at most a few hundred. Only reads. */
export type OptionList = (context: NetworkContext) => Promise<OptionChoice[]>;

/** An option with too many values to list. The network searches them. */
export interface OptionSearch {
  /** Returns what the network finds. Null: its suggestions. */
  search(context: NetworkContext, words: string | null): Promise<OptionChoice[]>;
}

/** Options whose values depend on the account, and how to read them. A dot separates an option from a field within it. */
export type OptionChoices = Readonly<Record<string, OptionList | OptionSearch>>;
