import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { HookSetup } from "../networks/contract/hooks.ts";
import { windowAt } from "../networks/runtime/budgets.ts";
import { isoTime } from "../ports/clock.ts";
import { readProfile } from "../profiles/read.ts";
import type { ProfileRow } from "../profiles/rows.ts";
import type { CollectionName } from "../storage/schema.ts";
import type { Row } from "../storage/storage.ts";
import { fromRow } from "../storage/typed.ts";
import { SocialError } from "../wire/errors.ts";
import { type Page, toPage } from "../wire/pagination.ts";
import { parseInput } from "../wire/parse.ts";
import { withRemedy } from "../wire/remedy.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { type FollowOptions, followAccount, followProfile } from "./follow.ts";
import { forgetPerson } from "./forget.ts";
import { openHookSetup } from "./hook-subscription.ts";
import { eventSource } from "./hook-work.ts";
import { budgetsOf } from "./list-budgets.ts";
import type { AnswerPorts } from "./ports.ts";
import { type HookState, type InboxRow, type InboxState, inboxIdOf, toConversation, toMessage } from "./rows.ts";
import {
  type FollowAccount,
  type ForgetPerson,
  type ForgottenPerson,
  followAccountSchema,
  forgetSchema,
  type InboxChanges,
  type InboxStatus,
  type ListChanges,
  type ListStatus,
  listChangesSchema,
  listStatusSchema,
  type OwnInboxStatus,
  type ProfileChanges,
} from "./schema.ts";

/** The messages, comments and mentions that users send to an account's profiles. */
export interface AccountInbox {
  /** Lists, reads and answers conversations. */
  conversations: Conversations;
  /**
   * Returns the rows of a profile's inbox that changed after a sequence number, in their current state. A caller that
   * passes `next` to the following call misses nothing.
   *
   * @throws SocialError `not_found` for another account's profile; `unsupported` for a profile without an inbox
   */
  changes(query: ListChanges): Promise<InboxChanges>;
  /**
   * Polls `changes` and yields each result that is not empty, whichever process has stored the rows. To continue after
   * a restart, store `next` together with your processed rows.
   *
   * @throws SocialError as `changes`
   */
  follow(query: ListChanges, options?: FollowOptions): AsyncGenerator<InboxChanges>;
  /**
   * Follows all profiles of the account, including those connected later, with one query per second for all of them.
   * To continue after a restart, store `next` by `profile_id`.
   *
   * @throws SocialError `invalid_request`
   */
  follow(query: FollowAccount, options?: FollowOptions): AsyncGenerator<ProfileChanges>;
  /** Returns the status of each profile's inbox, the newest profile first. */
  status(query?: ListStatus): Promise<Page<OwnInboxStatus>>;
  /**
   * Erases a person's stored data, which laws may require: their messages, name and reactions, and direct messages to
   * them. Messages that they wrote until now are not stored again; later ones are. The network keeps its copies.
   * Repeatable; repeat it after an error.
   *
   * @throws SocialError `invalid_request` naming the field; `conflict` while a reply to them is being sent
   */
  forget(person: ForgetPerson): Promise<ForgottenPerson>;
}

export function createInbox(ports: AnswerPorts, accountId: string): AccountInbox {
  const { storage } = ports;

  async function changedRows(
    collection: Extract<CollectionName, "conversations" | "messages">,
    { profile_id, after, until, limit }: { profile_id: string; after: number; until: number; limit: number },
  ): Promise<Row[]> {
    const { rows } = await storage.find(collection, {
      where: { profile_id, seq: { gte: after + 1, lte: until }, ...(collection === "messages" && { state: "live" }) },
      order: { column: "seq", direction: "asc" },
      limit,
      isCounted: false,
    });
    return rows;
  }

  async function changes(query: ListChanges): Promise<InboxChanges> {
    const { profile_id, after, limit } = parseInput(listChangesSchema, query);
    const profile = await readProfile(ports, accountId, profile_id);
    // Read before the rows: concurrent writes have later numbers, and the next call returns them.
    const inbox = await storage.get("inboxes", inboxIdOf(profile_id));
    if (inbox === null) assertHasInbox(ports, profile);
    const until = Number(inbox?.seq ?? 0);
    // Beyond the end, for example after a restored backup: the caller continues from the end and misses no later
    // change.
    if (after >= until) return { conversations: [], messages: [], next: until, has_more: false };
    const bounds = { profile_id, after, until, limit };
    const [conversations, messages] = await Promise.all([
      changedRows("conversations", bounds),
      changedRows("messages", bounds),
    ]);
    const numbers = [...conversations, ...messages].map(({ seq }) => Number(seq)).sort((one, other) => one - other);
    const hasMore = numbers.length > limit || conversations.length === limit || messages.length === limit;
    const next = hasMore ? (numbers[Math.min(limit, numbers.length) - 1] ?? until) : until;
    const isShown = ({ seq }: Row): boolean => Number(seq) <= next;
    return {
      conversations: conversations.filter(isShown).map((row) => toConversation(fromRow(row))),
      messages: messages.filter(isShown).map((row) => toMessage(fromRow(row))),
      next,
      has_more: hasMore && next < until,
    };
  }

  function follow(query: ListChanges, options?: FollowOptions): AsyncGenerator<InboxChanges>;
  function follow(query: FollowAccount, options?: FollowOptions): AsyncGenerator<ProfileChanges>;
  async function* follow(
    query: ListChanges | FollowAccount,
    options: FollowOptions = {},
  ): AsyncGenerator<InboxChanges> {
    if ("profile_id" in query) return yield* followProfile(ports, changes, query, options);
    const given = parseInput(followAccountSchema, query);
    return yield* followAccount(ports, accountId, changes, { ...given, ...options });
  }

  return {
    conversations: createConversations(ports, accountId),
    changes,
    follow,
    async status(query = {}) {
      const { limit, offset } = parseInput(listStatusSchema, query);
      const { rows, total } = await storage.find("inboxes", { where: { account_id: accountId }, limit, offset });
      const now = await storage.now();
      return toPage(
        rows.map((row) => toStatus(ports, fromRow(row), now)),
        total,
        { limit, offset },
      );
    },
    forget: async (person) => forgetPerson(ports, accountId, parseInput(forgetSchema, person)),
  };
}

/** Throws if the profile has no inbox. Otherwise an inbox without its scope would stay empty without a reason. */
function assertHasInbox({ adapter }: AnswerPorts, { network }: ProfileRow): void {
  const known = adapter(network);
  if (known === undefined || known.inbox !== undefined) return;
  const message = `This profile has no inbox: the service does not read one on ${known.spec.name}.`;
  const remedy = `If the adapter has the scope "inbox", request it, ${network}({ scopes: ["publish", "inbox"] }), and reconnect the profile.`;
  throw new SocialError("unsupported", withRemedy(message, remedy));
}

function toStatus(ports: AnswerPorts, row: InboxRow, now: number): OwnInboxStatus {
  const { profile_id, network, seq } = row;
  const { sources, hooks, gaps = [], rests_until = 0 } = row.private;
  // Pauses of the lists do not delay the network's events.
  const nextAt = (name: string, due_at: number) => (name === eventSource.name ? due_at : Math.max(due_at, rests_until));
  const shown = Object.entries(sources).map(([name, { read_at, due_at, failure }]) => ({
    name,
    read_at: read_at === null ? null : isoTime(read_at),
    next_at: isoTime(nextAt(name, due_at)),
    failure,
  }));
  const missing = gaps.map(({ from, until }) => ({ from: isoTime(from), until: isoTime(until) }));
  const told = hooks === undefined ? null : { ...toHookStatus(hooks), ...setupOf(ports, row, hooks) };
  const budgets = toBudgetStatus(ports.adapter(network), row.private, now);
  return { profile_id, network, seq, hooks: told, gaps: missing, sources: shown, budgets };
}

function toBudgetStatus(
  adapter: NetworkAdapter | undefined,
  { budgets: used = {} }: InboxState,
  now: number,
): InboxStatus["budgets"] {
  const limits = adapter?.inbox === undefined ? [] : budgetsOf(adapter.inbox, adapter.spec);
  return limits.map((budget) => {
    const { name, limit } = budget;
    const { from, until } = windowAt(budget, now);
    const state = used[name];
    const rest = state?.rests_until ?? 0;
    const spent = state?.from === from ? state.spent : 0;
    return { name, limit, spent, until: isoTime(until), rests_until: rest > now ? isoTime(rest) : null };
  });
}

/** The other fields are shown also where the key for it is missing. */
function setupOf({ vault, logger }: AnswerPorts, row: InboxRow, hooks: HookState): { setup?: HookSetup } {
  try {
    const setup = openHookSetup(vault, row, hooks);
    return setup === null ? {} : { setup };
  } catch (error) {
    logger.error("what is to be set by hand at a network cannot be read", { inbox: row.id, error: String(error) });
    return {};
  }
}

function toHookStatus({ subscribed_at, received_at, failure }: HookState): NonNullable<InboxStatus["hooks"]> {
  const shown = (at: number | null): string | null => (at === null ? null : isoTime(at));
  return { subscribed_at: shown(subscribed_at), received_at: shown(received_at), failure };
}
