import * as z from "zod";
import type { InboxContext, KnownMessage, Person, Thread } from "../contract/inbox.ts";
import { type InboxStatus, inboxStatusSchema } from "./inbox-status.ts";
import { knownAccount } from "./known.ts";

/** Small servers change the id when a post is edited; the address of the post itself stays (2026-11). */
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
export function accountIdOf(personId: string): string {
  return personId.slice(personId.lastIndexOf(":") + 1);
}

export function personOf(context: InboxContext, { id, display_name, acct, avatar }: InboxStatus["account"]): Person {
  return {
    id: personId(context, id),
    name: display_name || acct || null,
    handle: acct ?? null,
    avatar_url: avatar ?? null,
  };
}

/** Where a status stands. */
export interface Place {
  thread: Thread;
  /** False: the account answers people who did not write to it, and nobody awaits that in its inbox. */
  isOurs: boolean;
  /** `NewMessage.reply_to`. Absent: it answers none of the messages, or they are stored already. */
  answers?: string | undefined;
}

/**
 * Where a status stands: one for some people alone with the people that it is
 * for; any other where the nearest status above it stands that is known, else
 * below the first of what others wrote under a post of the account's own.
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
  // Nobody has written to the account yet, though it has written to somebody.
  const isUnanswered = isOwn(context, status) && (begins === undefined || !isBelowOwn);
  return { thread: begun, isOurs: !isUnanswered, answers };
}

/** Undefined: none that could be a message, for what the account publishes is none. */
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

/** The thread of a status that is stored already, of which only the key is looked at. */
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

/** Some servers call private what only one person may read, as Mastodon calls what followers may (2026-11). */
export function isForOne(context: InboxContext, status: InboxStatus): boolean {
  if (status.visibility !== "private" || knownAccount(context.profile).is_mastodon) return false;
  const own = namesOf(context);
  const others = (status.mentions ?? []).filter(({ id, acct }) => !own.has(id ?? "") && !own.has(acct ?? ""));
  return new Set(others.map(({ acct }) => acct)).size === (isOwn(context, status) ? 1 : 0);
}

/** What the account may be called among those whom a status names. */
function namesOf(context: InboxContext): ReadonlySet<string> {
  const handle = context.profile.handle ?? "";
  return new Set([knownAccount(context.profile).account_id, handle, handle.split("@", 1)[0] ?? ""]);
}

/** People beyond this are too many to name in a key; such a conversation goes by its first status. */
const maxPeople = 20;

/** Somebody whom a direct status is for. `id`: where the server tells none, what they are called. */
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

/** Its author and those whom it names, but for the account itself. */
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

/** How small servers name somebody in a post whose id they do not tell there (2026-11). */
const unresolved = "0";

const foundSchema = z.object({ id: z.string().min(1) });

/** The id of whom the server calls so; null: it does not tell. https://docs.joinmastodon.org/methods/accounts/#lookup (2026-07) */
async function lookUp(context: InboxContext, acct: string): Promise<string | null> {
  const url = `https://${context.profile.host}/api/v1/accounts/lookup?${new URLSearchParams({ acct })}`;
  const response = await context.request({ method: "GET", url, accept: unanswered });
  return response.status === 200 ? (foundSchema.safeParse(response.body).data?.id ?? null) : null;
}

/** "ann, bob +2" */
function groupOf(context: InboxContext, people: readonly Reader[], others: readonly string[]): Person {
  const names = [...new Set(people.map(({ acct }) => acct ?? ""))].filter((name) => name !== "");
  const isOne = others.length === 1;
  const more = names.length > 2 ? ` +${names.length - 2}` : "";
  const name = `${names.slice(0, 2).join(", ")}${more}` || null;
  const id = others.map((each) => personId(context, each)).join(",");
  return { id, name, handle: isOne ? name : null, avatar_url: null };
}

/** How servers answer that do not have a question, or not for this. */
const unanswered = [400, 404, 405, 410, 422, 500, 501];

const contextSchema = z.object({ ancestors: z.array(inboxStatusSchema.nullable().catch(null)) });

/**
 * The statuses above one, the topmost first; none where the server does not show them.
 * https://docs.joinmastodon.org/methods/statuses/#context (2026-07)
 */
async function readAncestors(context: InboxContext, id: string): Promise<InboxStatus[]> {
  const url = `https://${context.profile.host}/api/v1/statuses/${encodeURIComponent(id)}/context`;
  const response = await context.request({ method: "GET", url, accept: unanswered });
  const parsed = contextSchema.safeParse(response.status === 200 ? response.body : null);
  return parsed.success ? parsed.data.ancestors.filter((each) => each !== null) : [];
}
