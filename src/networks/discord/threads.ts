import * as z from "zod";
import type { AccountList, ListedPost, LookInput } from "../contract/look.ts";
import type { NetworkContext } from "../contract/request.ts";
import { endpoint, getAnswer, permalink, readAnswer } from "./api.ts";
import type { KnownBot } from "./known.ts";
import { isByBot, messageSchema, toSeen } from "./match.ts";
import type { DiscordOptions } from "./options.ts";
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

/** Maximum number of threads per look whose first message is read. */
const maxFirstMessages = 20;

/** Finds the bot's own threads in a forum or media channel, back to `since`. */
export async function findThreads(
  context: NetworkContext,
  input: LookInput<DiscordOptions>,
  known: KnownBot,
): Promise<AccountList> {
  const lowerBound = snowflakeAt(input.since);
  const active = await readThreads(context, endpoint(["guilds", known.guild_id, "threads", "active"]));
  const archived = await readArchived(context, input, known);
  const own = new Map(
    [...active.threads, ...archived.threads]
      .filter((thread) => thread.parent_id === known.channel_id && thread.owner_id === known.bot_user_id)
      .filter((thread) => BigInt(thread.id) >= lowerBound)
      .map((thread) => [thread.id, thread]),
  );
  const read = [...own.values()].slice(0, maxFirstMessages);
  const posts: ListedPost[] = [];
  for (const thread of read) {
    const post = await readFirst(context, input, { known, thread });
    if (post !== null) posts.push(post);
  }
  return { posts, isWhole: archived.complete && read.length === own.size, showsSuch: true, name: "forum" };
}

/** https://docs.discord.com/developers/resources/channel, "List Public Archived Threads" (2026-08) */
const pageSize = 100;
const maxPages = 10;

/** Reads archived threads, most recently archived first. Discord archives an inactive thread after an hour at the earliest. */
async function readArchived(
  context: NetworkContext,
  input: LookInput<DiscordOptions>,
  known: KnownBot,
): Promise<{ threads: Thread[]; complete: boolean }> {
  const threads: Thread[] = [];
  let before: string | undefined;
  for (let page = 0; page < maxPages; page++) {
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
  return await getAnswer(threadsSchema, context, url);
}

/** Reads a thread's first message, which has the thread's id. Null: it was deleted. */
async function readFirst(
  context: NetworkContext,
  input: LookInput<DiscordOptions>,
  { known, thread }: { known: KnownBot; thread: Thread },
): Promise<ListedPost | null> {
  const { id } = thread;
  const url = endpoint(["channels", id, "messages", id]);
  const response = await context.request({ method: "GET", url, accept: [404] });
  if (response.status === 404) return null;
  const message = readAnswer(messageSchema, response);
  if (!isByBot(message, known)) return null;
  return toSeen(message, input, { id, url: permalink(known.guild_id, id, id), ref: { channel_id: id } }, thread.name);
}
