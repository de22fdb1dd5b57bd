import * as z from "zod";
import type { AccountList, LookInput, LookResult } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, permalink, readAnswer } from "./api.ts";
import { mayReadHistory } from "./bot.ts";
import { holdsThreads, type KnownBot, readKnown } from "./known.ts";
import { type FoundMessage, isByBot, messageSchema, parentOf, toSeen } from "./match.ts";
import type { DiscordOptions } from "./options.ts";
import { snowflakeAt } from "./snowflake.ts";
import { findThreads } from "./threads.ts";

/** Did a part whose answer was lost go out? Only a bot can look. */
export async function lookFor(context: NetworkContext, input: LookInput<DiscordOptions>): Promise<LookResult> {
  const known = readKnown(input.profile);
  if (known.kind === "webhook")
    return { cannot_tell: "Discord does not list a webhook's posts, so the post may be in the channel." };
  const list = holdsThreads(known)
    ? await findThreads(context, input, known)
    : await findMessages(context, input, known);
  const sight = { parent: parentOf(input.part), lists: [list] };
  if (list.posts.length > 0 || (await mayReadHistory(context, known))) return sight;
  return { cannot_tell: "The bot lacks Read Message History, so it cannot read the channel's messages." };
}

/** https://docs.discord.com/developers/resources/message, "Get Channel Messages" (2026-08) */
const pageSize = 100;
/** A thousand messages since the request: beyond that the look is given up as incomplete. */
const maxPages = 10;

const pageSchema = z.array(messageSchema);

/** Reads back from the newest message to the lower bound. */
async function findMessages(
  context: NetworkContext,
  input: LookInput<DiscordOptions>,
  known: KnownBot,
): Promise<AccountList> {
  const lowerBound = snowflakeAt(input.since);
  const messages: FoundMessage[] = [];
  let before: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const found = await readPage(context, known.channel_id, before);
    messages.push(...found);
    before = found.at(-1)?.id;
    const isPast = before === undefined || BigInt(before) < lowerBound;
    if (found.length < pageSize || isPast) return toList(true);
  }
  return toList(false);

  function toList(isWhole: boolean): AccountList {
    const posts = messages
      .filter((message) => isByBot(message, known))
      .map((message) => {
        const { id, channel_id } = message;
        return toSeen(message, input, { id, url: permalink(known.guild_id, channel_id, id), ref: { channel_id } });
      });
    // A bot that may read a channel's history sees all of it.
    return { posts, isWhole, showsSuch: true, name: "channel" };
  }
}

async function readPage(
  context: NetworkContext,
  channelId: string,
  before: string | undefined,
): Promise<FoundMessage[]> {
  const parameters = { limit: String(pageSize), ...(before === undefined ? {} : { before }) };
  const url = endpoint(["channels", channelId, "messages"], parameters);
  const response = await context.request({ method: "GET", url });
  return readAnswer(pageSchema, response).sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
}
