import type { Inbox } from "../contract/inbox.ts";
import type { ProfileFacts } from "../contract/profile.ts";
import { accessWithout } from "../shared/inbox-access.ts";
import { whisperScope } from "./oauth.ts";

/** True: Twitch sends the whispers to the account, and the account may answer. */
export function mayWhisper({ scopes }: Pick<ProfileFacts, "scopes">): boolean {
  return scopes.includes(whisperScope);
}

/** Every profile has the scopes for chat lines, because connecting requires them. */
export const access: NonNullable<Inbox["access"]> = (profile) => ({
  dm: accessWithout({ toRead: mayWhisper(profile) ? [] : [whisperScope], toReply: [] }),
  comment: "reply",
  mention: "reply",
});
