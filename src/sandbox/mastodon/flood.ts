import type { SandboxAccount } from "./accounts.ts";
import type { Draft } from "./draft.ts";
import { keptText } from "./entities.ts";

/** What a hostile server makes up. */
export interface MentionFlood {
  /** New ones at each look at the newest. */
  mentions: number;
  /** Of each one's text. */
  characters: number;
}

/** What a stranger says to the account this time: it is named once, and no two are the same. */
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
