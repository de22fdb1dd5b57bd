import type { SandboxAccount } from "./accounts.ts";
import type { Draft } from "./draft.ts";
import { keptText } from "./entities.ts";

/** The mentions that a hostile server invents. */
export interface MentionFlood {
  /** The number of new mentions at each read of the newest. */
  mentions: number;
  /** The length of each text, characters. */
  characters: number;
}

/** The stranger's next post, which mentions the account once; all are different. */
export function floodDraft(
  { username }: SandboxAccount,
  { characters, number }: { characters: number; number: number },
): Draft {
  const text = `@${username} ${number} `.padEnd(characters, "Nobody asked for this. ");
  return {
    sent: text,
    ...keptText(text),
    spoiler_text: "",
    sensitive: false,
    visibility: "public",
    language: null,
    media: [],
    poll: null,
  };
}
