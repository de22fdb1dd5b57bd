import type { NetworkContext } from "./request.ts";

/** A value of an option that only the account itself knows: one of its playlists, of its boards. */
export interface OptionChoice {
  /** What the option takes. */
  value: string;
  /** What people call it. */
  name: string;
}

/**
 * Options whose values depend on the account, each with what reads them: at most a few hundred, in the order in which
 * the network shows them. Only reads.
 */
export type OptionChoices = Readonly<Record<string, (context: NetworkContext) => Promise<OptionChoice[]>>>;
