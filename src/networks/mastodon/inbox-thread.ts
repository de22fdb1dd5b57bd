import * as z from "zod";
import type { InboxContext, KnownMessage, Person, Thread } from "../contract/inbox.ts";
import { type InboxStatus, inboxStatusSchema } from "./inbox-status.ts";
import { knownAccount } from "./known.ts";

/** The key is the post's URI, because small servers change its id when it is edited (2026-11). */
export function keyOf({ uri, id }: Pick<InboxStatus, "uri" | "id">): string {
  return `post:${uri ?? id}`;
}

export function isOwn(context: InboxContext, { account }: InboxStatus): boolean {
  return account.id === knownAccount(context.profile).account_id;
}

/** Each server counts its accounts itself, so the id names the server, too. */
function personId({ profile }: InboxContext, id: string): string {
  return `${profile.host}:${id}`;
}

/** The server's own id in a person's id. */
export function accountIdOf({ profile }: InboxContext, personId: string): string {
  return personId.slice(`${profile.host}:`.length);
}

export function personOf(context: InboxContext, { id, display_name, acct, avatar }: InboxStatus["account"]): Person {
  return {
    id: personId(context, id),
    name: display_name || acct || null,
    handle: acct ?? null,
    avatar_url: avatar ?? null,
  };
}

/** The thread of a status. */
export interface Place {
  thread: Thread;
  /** False: the account replied to someone who did not write to it. Such conversations stay out of the inbox. */
  isOurs: boolean;
  /** `NewMessage.reply_to`. Absent: it replies to no message, or is already stored. */
  answers?: string | undefined;
}

/**
 * Finds the thread of a status. A direct status belongs to the thread with its recipients. Any other belongs to the
 * thread of the nearest stored status above it, otherwise to one that begins with the first post by another user below
 * the account's own post.
 */
export async function placeOf(context: InboxContext, status: InboxStatus): Promise<Place> {
  const above = status.in_reply_to_id == null ? [] : await readAncestors(context, status.id);
  const answers = answeredAmong(context, above, status);
  const isAmongFew = above.every(({ visibility }) => visibility === "private" || visibility === "direct");
  if (status.visibility === "direct" || (isForOne(context, status) && isAmongFew))
    return { thread: await directThread(context, status), isOurs: true, answers };
  const known = await context.known(above.map(keyOf));
  const nearest = above.map((each) => known.get(keyOf(each))).findLast((each) => each !== undefined);
  const firstOwn = above.findIndex((each) => isOwn(context, each));
  const isBelowOwn = firstOwn >= 0 || status.in_reply_to_account_id === knownAccount(context.profile).account_id;
  const begins = [...above, status].find((each, index) => index > firstOwn && !isOwn(context, each));
  const begun = publicThread(context, begins ?? status, isBelowOwn ? "comment" : "mention");
  if (nearest !== undefined) return { thread: { ...begun, key: nearest.thread }, isOurs: true, answers };
  // The account has written to another user, who has not written back yet.
  const isUnanswered = isOwn(context, status) && (begins === undefined || !isBelowOwn);
  return { thread: begun, isOurs: !isUnanswered, answers };
}

/** The key of the message that a status replies to. Undefined: none, because posts that the account publishes are not messages. */
function answeredAmong(
  context: InboxContext,
  above: readonly InboxStatus[],
  { in_reply_to_id: id }: InboxStatus,
): string | undefined {
  const answered = above.find((each) => each.id === id);
  if (answered === undefined) return undefined;
  const isForFew = answered.visibility === "direct" || isForOne(context, answered);
  const isPublished = isOwn(context, answered) && answered.in_reply_to_id == null && !isForFew;
  return isPublished ? undefined : keyOf(answered);
}

/** The thread of a stored status. Only its key is used. */
export function placeOfKnown(context: InboxContext, status: InboxStatus, { thread }: KnownMessage): Place {
  return { thread: { ...publicThread(context, status, "mention"), key: thread }, isOurs: true };
}

function publicThread(context: InboxContext, root: InboxStatus, kind: "comment" | "mention"): Thread {
  return {
    kind,
    key: keyOf(root),
    external_id: root.id,
    participant: personOf(context, root.account),
    url: root.url ?? root.uri ?? null,
    referral: null,
  };
}

/** True: only one user may read the status. Some servers call this `private`, which on Mastodon means followers (2026-11). */
export function isForOne(context: InboxContext, status: InboxStatus): boolean {
  if (status.visibility !== "private" || knownAccount(context.profile).is_mastodon) return false;
  const own = namesOf(context);
  const others = (status.mentions ?? []).filter(({ id, acct }) => !own.has(id ?? "") && !own.has(acct ?? ""));
  return new Set(others.map(({ acct }) => acct)).size === (isOwn(context, status) ? 1 : 0);
}

/** The names that a status may mention the account by. */
function namesOf(context: InboxContext): ReadonlySet<string> {
  const handle = context.profile.handle ?? "";
  return new Set([knownAccount(context.profile).account_id, handle, handle.split("@", 1)[0] ?? ""]);
}

/** Maximum number of users in a key. A larger conversation has the key of its first status. */
const maxPeople = 20;

/** A recipient of a direct status. `id`: the user's name, if the server returns no id. */
interface Reader {
  id: string;
  acct: string | null;
}

async function directThread(context: InboxContext, status: InboxStatus): Promise<Thread> {
  const people = await readersOf(context, status);
  const others = [...new Set(people.map(({ id }) => id))].sort();
  const isGroup = others.length > 1;
  const key = others.length > maxPeople ? keyOf(status) : `dm:${others.join(",")}`;
  return {
    kind: "dm",
    key,
    external_id: status.id,
    participant:
      isGroup || isOwn(context, status) ? groupOf(context, people, others) : personOf(context, status.account),
    url: status.url ?? status.uri ?? null,
    referral: null,
  };
}

/** The author and the mentioned users, without the account itself. */
async function readersOf(context: InboxContext, { account, mentions }: InboxStatus): Promise<Reader[]> {
  const own = namesOf(context);
  const people: Reader[] = [{ id: account.id, acct: account.acct ?? null }];
  for (const { id, acct } of mentions ?? []) {
    const isKnown = id != null && id !== unresolved;
    if (isKnown || acct == null || acct === "") people.push({ id: id ?? "", acct: acct ?? null });
    else if (!own.has(acct)) people.push({ id: (await lookUp(context, acct)) ?? acct, acct });
  }
  return people.filter(({ id }) => id !== "" && id !== unresolved && id !== knownAccount(context.profile).account_id);
}

/** The id that small servers return for a mentioned user whose id they do not state (2026-11). */
const unresolved = "0";

const foundSchema = z.object({ id: z.string().min(1) });

/** The id of the user with this name. Null: the server does not say. https://docs.joinmastodon.org/methods/accounts/#lookup (2026-07) */
async function lookUp(context: InboxContext, acct: string): Promise<string | null> {
  const url = `https://${context.profile.host}/api/v1/accounts/lookup?${new URLSearchParams({ acct })}`;
  const response = await context.request({ method: "GET", url, accept: unanswered });
  return response.status === 200 ? (foundSchema.safeParse(response.body).data?.id ?? null) : null;
}

/** Name such as "ann, bob +2". */
function groupOf(context: InboxContext, people: readonly Reader[], others: readonly string[]): Person {
  const names = [...new Set(people.map(({ acct }) => acct ?? ""))].filter((name) => name !== "");
  const isOne = others.length === 1;
  const more = names.length > 2 ? ` +${names.length - 2}` : "";
  const name = `${names.slice(0, 2).join(", ")}${more}` || null;
  const id = others.map((each) => personId(context, each)).join(",");
  return { id, name, handle: isOne ? name : null, avatar_url: null };
}

/** Statuses of servers without this method, or without a result. */
const unanswered = [400, 404, 405, 410, 422, 500, 501];

const contextSchema = z.object({ ancestors: z.array(inboxStatusSchema.nullable().catch(null)) });

/**
 * Reads the statuses above one, topmost first. Empty: the server does not show them.
 * https://docs.joinmastodon.org/methods/statuses/#context (2026-07)
 */
async function readAncestors(context: InboxContext, id: string): Promise<InboxStatus[]> {
  const url = `https://${context.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/context`;
  const response = await context.request({ method: "GET", url, accept: unanswered });
  const parsed = contextSchema.safeParse(response.status === 200 ? response.body : null);
  return parsed.success ? parsed.data.ancestors.filter((each) => each !== null) : [];
}
