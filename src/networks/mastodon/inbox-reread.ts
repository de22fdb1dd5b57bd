import * as z from "zod";
import type { InboxContext, MessageFact, Rereading, StoredMessage } from "../contract/inbox.ts";
import type { NetworkResponse } from "../contract/request.ts";
import { factsOf } from "./inbox-facts.ts";
import { type InboxStatus, inboxStatusSchema } from "./inbox-status.ts";
import { accountIdOf, keyOf } from "./inbox-thread.ts";
import { knownAccount } from "./known.ts";

/** Statuses of servers that do not have this method. */
const unknownMethod = [400, 403, 404, 405, 410, 422, 500, 501];

/**
 * Finds changed and deleted statuses. If the author is not visible either, the status is hidden and may come back. An
 * author who blocks the account also hides their statuses from it.
 */
export async function readAgain(context: InboxContext, messages: readonly StoredMessage[]): Promise<Rereading> {
  const together = await readTogether(context, messages);
  const met = new Set(together.map(keyOf));
  const found = [...together];
  const missing: StoredMessage[] = [];
  // Some servers do not return all requested statuses, so missing ones are requested one by one.
  for (const message of messages.filter(({ key }) => !met.has(key))) {
    const { status, body } = await read(context, "statuses", message.external_id);
    if (status !== 200) missing.push(message);
    else found.push(...[inboxStatusSchema.safeParse(body).data].filter((each) => each !== undefined));
  }
  const authors = new Map<string | null, boolean>();
  for (const { author_id } of missing)
    if (!authors.has(author_id)) authors.set(author_id, await isThere(context, author_id));
  const gone = missing.filter(({ author_id }) => authors.get(author_id) === true).map(({ key }) => key);
  const asked = new Set(messages.map(({ key }) => key));
  const answered = found.filter((status) => asked.has(keyOf(status)));
  return { facts: (await factsOf(context, answered)).map((fact) => withoutTime(context, fact)), gone };
}

/**
 * Small servers do not state when a message was edited (2026-11), so the time of reading counts. Except for the
 * account's own messages, whose text these servers show converted.
 */
function withoutTime(context: InboxContext, fact: MessageFact): MessageFact {
  const { own, edited_at } = fact.message;
  const isTimed = own || edited_at !== null || knownAccount(context.profile).is_mastodon;
  return isTimed ? fact : { ...fact, at: null };
}

/** Reads all of them in one request. Empty: a server before 4.3, or a smaller one. https://docs.joinmastodon.org/methods/statuses/#index (2026-07) */
async function readTogether(context: InboxContext, messages: readonly StoredMessage[]): Promise<InboxStatus[]> {
  const url = new URL(`https://${context.profile.host}/api/v1/statuses`);
  for (const { external_id } of messages) url.searchParams.append("id[]", external_id);
  const response = await context.request({ method: "GET", url: url.href, accept: unknownMethod });
  const list = z.array(inboxStatusSchema.nullable().catch(null)).safeParse(response.body);
  return response.status === 200 && list.success ? list.data.filter((each) => each !== null) : [];
}

function read(context: InboxContext, kind: "accounts" | "statuses", id: string): Promise<NetworkResponse> {
  const url = `https://${context.profile.host}/api/v1/${kind}/${encodeURIComponent(id)}`;
  return context.request({ method: "GET", url, accept: [404, 410] });
}

async function isThere(context: InboxContext, authorId: string | null): Promise<boolean> {
  return authorId !== null && (await read(context, "accounts", accountIdOf(context, authorId))).status === 200;
}
