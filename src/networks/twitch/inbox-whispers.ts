import * as z from "zod";
import type { InboxContext, InboxUpdate } from "../contract/inbox.ts";
import { channelUrl } from "./account.ts";
import { whisperKey } from "./inbox-ids.ts";
import { personIn } from "./inbox-people.ts";

/** https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types#userwhispermessage (2026-02) */
export const whisperSchema = z.object({
  from_user_id: z.string(),
  from_user_login: z.string().nullish(),
  from_user_name: z.string().nullish(),
  whisper_id: z.string(),
  whisper: z.object({ text: z.string() }),
});

/** One conversation with each person. Twitch does not send the account's own whispers (unconfirmed). */
export async function whisperFact(
  context: InboxContext,
  { from_user_id: id, from_user_login, from_user_name, whisper_id, whisper }: z.infer<typeof whisperSchema>,
  at: number,
): Promise<InboxUpdate> {
  const key = whisperKey(id);
  const name = from_user_name ?? null;
  const person = { id, name, handle: from_user_login ?? null, avatar_url: null };
  const participant = await personIn(context, key, person);
  // Whispers have no address: people whisper from the other one's page.
  const url = from_user_login == null ? null : channelUrl(from_user_login);
  return {
    fact: "message",
    at,
    thread: { kind: "dm", key, external_id: id, participant, url, referral: null },
    message: {
      key: whisperKey(whisper_id),
      external_id: whisper_id,
      own: false,
      text: whisper.text,
      attachments: [],
      author: { id, name },
      sent_at: at,
      edited_at: null,
    },
  };
}
