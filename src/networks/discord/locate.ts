import { z } from "zod";
import type { LocateInput, PublishedPart, Sighting } from "../adapter.ts";
import type { NetworkContext } from "../request.ts";
import { endpoint, permalink, readAnswer } from "./api.ts";
import { mayReadHistory } from "./bot.ts";
import { holdsThreads, type KnownBot, readKnown } from "./known.ts";
import { type FoundMessage, isOurs, messageSchema } from "./match.ts";
import { snowflakeAt } from "./snowflake.ts";
import { findThreads } from "./threads.ts";

/** Did a part whose answer was lost go out? Only a bot can look. */
export async function locate(context: NetworkContext, input: LocateInput): Promise<Sighting> {
  const known = readKnown(input.profile);
  if (known.kind === "webhook")
    return { cannot_tell: "Discord does not show what a webhook has posted, so it may be in the channel." };
  const found = holdsThreads(known)
    ? await findThreads(context, input, known)
    : await findMessages(context, input, known);
  if (found.candidates.length > 0 || (await mayReadHistory(context, known))) return found;
  return { cannot_tell: "The bot lacks Read Message History, so Discord shows it none of the channel's messages." };
}

/** https://docs.discord.com/developers/resources/message, "Get Channel Messages" (2026-08) */
const pageSize = 100;
/** A thousand messages since the request: beyond that the look is given up as incomplete. */
const mostPages = 10;

const pageSchema = z.array(messageSchema);

/** Reads back from the newest message to the lower bound. */
async function findMessages(
  context: NetworkContext,
  input: LocateInput,
  known: KnownBot,
): Promise<{ candidates: PublishedPart[]; complete: boolean }> {
  const lowerBound = snowflakeAt(input.since);
  const candidates: PublishedPart[] = [];
  let before: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const messages = await readPage(context, known.channel_id, before);
    const recent = messages.filter(({ id }) => BigInt(id) >= lowerBound);
    candidates.push(...recent.filter((message) => isOurs(message, input, known)).map(toPart));
    before = messages.at(-1)?.id;
    if (messages.length < pageSize || recent.length < messages.length) return { candidates, complete: true };
  }
  return { candidates, complete: false };

  function toPart({ id, channel_id }: FoundMessage): PublishedPart {
    return { id, url: permalink(known.guild_id, channel_id, id), ref: { channel_id } };
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
