import { z } from "zod";
import type { LocateInput, PublishedPart } from "../adapter.ts";
import type { NetworkContext } from "../request.ts";
import { endpoint, permalink, readAnswer } from "./api.ts";
import type { KnownBot } from "./known.ts";
import { folded, isOurs, messageSchema } from "./match.ts";
import { threadName } from "./message.ts";
import { snowflake, snowflakeAt } from "./snowflake.ts";

const threadsSchema = z.object({
  threads: z.array(
    z.object({
      id: snowflake,
      parent_id: z.string().nullish(),
      owner_id: z.string().nullish(),
      name: z.string(),
      thread_metadata: z.object({ archive_timestamp: z.string().nullish() }).nullish(),
    }),
  ),
  has_more: z.boolean().nullish(),
});

type Thread = z.infer<typeof threadsSchema>["threads"][number];

/** The bot's own threads in a forum or media channel that say what the part says. */
export async function findThreads(
  context: NetworkContext,
  input: LocateInput,
  known: KnownBot,
): Promise<{ candidates: PublishedPart[]; complete: boolean }> {
  const lowerBound = snowflakeAt(input.since);
  const name = folded(threadName(input.part) ?? "");
  const active = await readThreads(context, endpoint(["guilds", known.guild_id, "threads", "active"]));
  const archived = await readArchived(context, input, known);
  const likely = new Map(
    [...active.threads, ...archived.threads]
      .filter((thread) => thread.parent_id === known.channel_id && thread.owner_id === known.bot_user_id)
      .filter((thread) => BigInt(thread.id) >= lowerBound && folded(thread.name) === name)
      .map((thread) => [thread.id, thread]),
  );
  const candidates: PublishedPart[] = [];
  for (const id of likely.keys()) {
    const url = permalink(known.guild_id, id, id);
    if (await startsAsOurs(context, input, known, id)) candidates.push({ id, url, ref: { channel_id: id } });
  }
  return { candidates, complete: archived.complete };
}

/** https://docs.discord.com/developers/resources/channel, "List Public Archived Threads" (2026-08) */
const pageSize = 100;
const mostPages = 10;

/** A thread that nobody writes in is archived after an hour at the earliest. Newest archived first. */
async function readArchived(
  context: NetworkContext,
  input: LocateInput,
  known: KnownBot,
): Promise<{ threads: Thread[]; complete: boolean }> {
  const threads: Thread[] = [];
  let before: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const parameters = { limit: String(pageSize), ...(before === undefined ? {} : { before }) };
    const url = endpoint(["channels", known.channel_id, "threads", "archived", "public"], parameters);
    const answer = await readThreads(context, url);
    threads.push(...answer.threads);
    before = answer.threads.at(-1)?.thread_metadata?.archive_timestamp ?? undefined;
    const isPast = before === undefined || Date.parse(before) < input.since;
    if (answer.has_more !== true || isPast) return { threads, complete: true };
  }
  return { threads, complete: false };
}

async function readThreads(context: NetworkContext, url: string): Promise<z.infer<typeof threadsSchema>> {
  return readAnswer(threadsSchema, await context.request({ method: "GET", url }));
}

/** A thread's first message has the thread's id. It may have been deleted since. */
async function startsAsOurs(
  context: NetworkContext,
  input: LocateInput,
  known: KnownBot,
  threadId: string,
): Promise<boolean> {
  const url = endpoint(["channels", threadId, "messages", threadId]);
  const response = await context.request({ method: "GET", url, accept: [404] });
  return response.status === 200 && isOurs(readAnswer(messageSchema, response), input, known);
}
