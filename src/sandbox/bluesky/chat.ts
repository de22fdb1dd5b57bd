import * as z from "zod";
import { countBytes } from "../../text/bytes.ts";
import { countGraphemes } from "../../text/graphemes.ts";
import type { JsonObject } from "../../wire/json.ts";
import { jsonBody, ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { createLag } from "../parts/listing.ts";
import type { Accounts, SandboxAccount } from "./accounts.ts";
import { linkFacets } from "./hand-posts.ts";
import { invalidRequest, refusal } from "./refusal.ts";

/** A message between accounts. */
export interface StoredChatMessage {
  /** Its id. */
  id: string;
  /** The conversation's id. */
  convo: string;
  /** The author's DID. */
  did: string;
  /** Its text. */
  text: string;
  /** When it was sent, milliseconds since 1970. */
  sent_at: number;
  /** The accounts that have deleted it for themselves, by DID. */
  deleted_for: readonly string[];
}

interface Message extends Omit<StoredChatMessage, "deleted_for"> {
  facets: JsonObject[];
  rev: string;
  reactions: { did: string; value: string; at: number }[];
  /** The accounts that have deleted it for themselves, by DID. */
  deletedFor: Set<string>;
}

interface Convo {
  id: string;
  members: readonly SandboxAccount[];
  /** The group's name; null: a conversation of two accounts. */
  group: string | null;
  /** The members that have accepted it, by DID. */
  accepted: Set<string>;
  /** The members that have left it, by DID. */
  left: Set<string>;
  messages: Message[];
  rev: string;
}

/** One event in an account's conversations. */
interface LogEntry {
  rev: string;
  did: string;
  written_at: number;
  entry: JsonObject;
}

/** The service for messages: api.bsky.chat, to which the accounts' servers forward requests. */
export interface ChatService extends SandboxChat {
  /** The response of a method of `chat.bsky.convo`; null: there is no such method. @throws Refusal */
  answer(account: SandboxAccount, method: string, request: SandboxRequest): SandboxAnswer | null;
}

/** Messages that users write without the library. Accounts are identified by their DIDs. */
export interface SandboxChat {
  /** An account writes in Bluesky's own app, to one or several others; returns the message's id. */
  write(
    from: string,
    to: readonly string[],
    written: { text: string; group?: string; links?: Readonly<Record<string, string>> },
  ): string;
  /** An account adds or removes a reaction to a message. */
  react(by: string, id: string, reaction: { value: string; gone?: boolean }): void;
  /** An account deletes a message for itself. */
  remove(by: string, id: string): void;
  /** An account leaves a conversation. */
  leave(by: string, convo: string): void;
  /** True: the account has accepted the conversation. */
  hasAccepted(did: string, convo: string): boolean;
  /** All messages, in the order of writing. */
  messages(): StoredChatMessage[];
  /** Delays what the log and the lists show, seconds. */
  lag(seconds: number): void;
  /** Removes all present entries from the log, returned or not. */
  forgetLog(): void;
  /**
   * Sets the maximum number of new entries on a page of the log, and whether a page begins with the last entry of the
   * previous page.
   */
  turnLogBy(entries: number, overlaps: boolean): void;
  /** Sets the error with which the service rejects messages to this account; null: it accepts them. */
  refuseWith(did: string, code: string | null): void;
}

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/chat/bsky/convo/defs.json (2026-08) */
const limits = { graphemes: 1_000, bytes: 10_000 };

const messageInput = z.object({
  convoId: z.string(),
  message: z.object({ text: z.string().min(1), facets: z.array(z.looseObject({})).optional() }),
});
const convoInput = z.object({ convoId: z.string() });

export function createChatService({ clock }: SandboxPorts, accounts: Accounts): ChatService {
  const convos: Convo[] = [];
  const log: LogEntry[] = [];
  const lag = createLag(clock);
  const refusals = new Map<string, string>();
  let page = { entries: 100, overlaps: false };
  let count = 0;

  /** Sorts as text. */
  function nextRev(): string {
    count += 1;
    return `2${String(count).padStart(12, "0")}`;
  }

  function tell(convo: Convo, kind: string, fields: JsonObject, to: readonly SandboxAccount[] = convo.members): void {
    convo.rev = nextRev();
    const entry = { $type: `chat.bsky.convo.defs#${kind}`, rev: convo.rev, convoId: convo.id, ...fields };
    for (const { did } of to)
      if (!convo.left.has(did)) log.push({ rev: convo.rev, did, written_at: clock.now(), entry });
  }

  function view({ id, rev, text, facets, did, sent_at, reactions, deletedFor }: Message, viewer: string): JsonObject {
    const common = { id, rev, sender: { did }, sentAt: new Date(sent_at).toISOString() };
    if (deletedFor.has(viewer)) return { $type: "chat.bsky.convo.defs#deletedMessageView", ...common };
    const given = reactions.map((each) => ({
      value: each.value,
      sender: { did: each.did },
      createdAt: new Date(each.at).toISOString(),
    }));
    return {
      $type: "chat.bsky.convo.defs#messageView",
      ...common,
      text,
      ...(facets.length === 0 ? {} : { facets }),
      ...(given.length === 0 ? {} : { reactions: given }),
    };
  }

  function convoView(convo: Convo, { did }: SandboxAccount): JsonObject {
    const last = convo.messages.findLast(({ sent_at }) => lag.shows(sent_at));
    const { id, rev, members, group } = convo;
    return {
      $type: "chat.bsky.convo.defs#convoView",
      id,
      rev,
      members: members.map(profileOf),
      muted: false,
      unreadCount: 0,
      ...(last === undefined ? {} : { lastMessage: view(last, did) }),
      status: convo.accepted.has(did) ? "accepted" : "request",
      kind:
        group === null
          ? { $type: "chat.bsky.convo.defs#directConvo" }
          : {
              $type: "chat.bsky.convo.defs#groupConvo",
              name: group,
              memberCount: members.length,
              memberLimit: 50,
              createdAt: "2026-11-20T12:00:00.000Z",
              lockStatus: "unlocked",
              lockStatusModerationOverride: false,
            },
    };
  }

  function add(convo: Convo, { did }: SandboxAccount, written: { text: string; facets?: JsonObject[] }): Message {
    const rev = nextRev();
    const message: Message = {
      id: `3l${rev}`,
      convo: convo.id,
      did,
      rev,
      text: written.text,
      facets: written.facets ?? [],
      sent_at: clock.now(),
      reactions: [],
      deletedFor: new Set<string>(),
    };
    convo.messages.push(message);
    const relatedProfiles = convo.members.filter((member) => member.did === did).map(profileOf);
    tell(convo, "logCreateMessage", { message: view(message, did), relatedProfiles });
    return message;
  }

  function convoOf(members: readonly SandboxAccount[], group: string | null): Convo {
    const found = convos.find(
      (each) =>
        each.group === group &&
        each.members.length === members.length &&
        members.every((member) => each.members.includes(member)),
    );
    if (found !== undefined) return found;
    const rev = nextRev();
    const convo: Convo = {
      id: `3k${rev}`,
      members,
      group,
      rev,
      messages: [],
      accepted: new Set<string>(),
      left: new Set<string>(),
    };
    convos.push(convo);
    tell(convo, "logBeginConvo", {});
    return convo;
  }

  function memberConvo({ did }: SandboxAccount, id: string | null | undefined): Convo {
    const convo = convos.find((each) => each.id === id && each.members.some((member) => member.did === did));
    if (convo === undefined || convo.left.has(did)) throw refusal(400, "InvalidConvo", "Convo not found");
    return convo;
  }

  function messageOf(id: string): { convo: Convo; message: Message } {
    for (const convo of convos) {
      const message = convo.messages.find((each) => each.id === id);
      if (message !== undefined) return { convo, message };
    }
    throw new Error(`The sandbox has no message ${id}.`);
  }

  function getLog({ did }: SandboxAccount, { url }: SandboxRequest): SandboxAnswer {
    const cursor = url.searchParams.get("cursor");
    const own = log.filter((each) => each.did === did && lag.shows(each.written_at));
    if (cursor === null) return ok({ logs: [], cursor: own.at(-1)?.rev ?? "2000000000000" });
    const later = own.filter(({ rev }) => (page.overlaps ? rev >= cursor : rev > cursor));
    const shown = later.slice(0, page.entries + (page.overlaps ? 1 : 0));
    // A page without new entries is the last.
    const isNew = shown.some(({ rev }) => rev > cursor);
    const logs = isNew ? shown.map(({ entry }) => entry) : [];
    return ok({ logs, cursor: isNew ? (shown.at(-1)?.rev ?? cursor) : cursor });
  }

  function list(account: SandboxAccount, status: string | null): Convo[] {
    return convos
      .filter(({ members, left }) => members.includes(account) && !left.has(account.did))
      .filter(({ accepted }) => status === null || accepted.has(account.did) === (status === "accepted"))
      .sort((one, other) => (one.rev < other.rev ? 1 : -1));
  }

  function getMessages(account: SandboxAccount, { url }: SandboxRequest): SandboxAnswer {
    const convo = memberConvo(account, url.searchParams.get("convoId"));
    const { limit, offset } = pageIn(url);
    const newestFirst = convo.messages.filter(({ sent_at }) => lag.shows(sent_at)).reverse();
    const messages = newestFirst.slice(offset, offset + limit);
    const cursor = offset + limit < newestFirst.length ? { cursor: String(offset + limit) } : {};
    const relatedProfiles = convo.members.filter(({ did }) => messages.some((each) => each.did === did)).map(profileOf);
    return ok({ messages: messages.map((each) => view(each, account.did)), relatedProfiles, ...cursor });
  }

  function sendMessage(account: SandboxAccount, request: SandboxRequest): SandboxAnswer {
    const { data } = messageInput.safeParse(jsonBody(request));
    if (data === undefined) throw invalidRequest("Input must have a convoId and a message with a text");
    const convo = memberConvo(account, data.convoId);
    const { text, facets = [] } = data.message;
    if (countGraphemes(text) > limits.graphemes || countBytes(text) > limits.bytes)
      throw invalidRequest(`Input/message/text must not be longer than ${limits.graphemes} graphemes`);
    const closed = convo.members.map(({ did }) => refusals.get(did)).find((code) => code !== undefined);
    if (closed !== undefined) throw refusal(400, closed, closed);
    return ok(view(add(convo, account, { text, facets: facets as JsonObject[] }), account.did));
  }

  function acceptConvo(account: SandboxAccount, request: SandboxRequest): SandboxAnswer {
    const convo = memberConvo(account, convoInput.safeParse(jsonBody(request)).data?.convoId);
    if (convo.accepted.has(account.did)) return ok({});
    convo.accepted.add(account.did);
    tell(convo, "logAcceptConvo", {}, [account]);
    return ok({ rev: convo.rev });
  }

  const methods: Readonly<Record<string, (account: SandboxAccount, request: SandboxRequest) => SandboxAnswer>> = {
    "GET chat.bsky.convo.getLog": getLog,
    "GET chat.bsky.convo.listConvos"(account, { url }) {
      const { limit, offset } = pageIn(url);
      const found = list(account, url.searchParams.get("status")).slice(offset, offset + limit);
      return ok({ convos: found.map((convo) => convoView(convo, account)) });
    },
    "GET chat.bsky.convo.listConvoRequests"(account, { url }) {
      const { limit, offset } = pageIn(url);
      const found = list(account, "request").slice(offset, offset + limit);
      return ok({ requests: found.map((convo) => convoView(convo, account)) });
    },
    "GET chat.bsky.convo.getConvo": (account, { url }) =>
      ok({ convo: convoView(memberConvo(account, url.searchParams.get("convoId")), account) }),
    "GET chat.bsky.convo.getMessages": getMessages,
    "POST chat.bsky.convo.sendMessage": sendMessage,
    "POST chat.bsky.convo.acceptConvo": acceptConvo,
  };

  return {
    answer: (account, method, request) => methods[method]?.(account, request) ?? null,
    write(from, to, { text, group = null, links = {} }) {
      const convo = convoOf([from, ...to].map(accounts.named), group);
      convo.accepted.add(from);
      return add(convo, accounts.named(from), { text, facets: linkFacets(text, links) }).id;
    },
    react(did, id, { value, gone = false }) {
      const { convo, message } = messageOf(id);
      const before = message.reactions.find((each) => each.did === did && each.value === value);
      const reaction = gone ? before : { did, value, at: clock.now() };
      if (reaction === undefined || gone === (before === undefined)) return;
      message.reactions = [...message.reactions.filter((each) => each !== before), ...(gone ? [] : [reaction])];
      tell(convo, gone ? "logRemoveReaction" : "logAddReaction", {
        message: view(message, did),
        reaction: { value, sender: { did }, createdAt: new Date(reaction.at).toISOString() },
      });
    },
    remove(by, id) {
      const { convo, message } = messageOf(id);
      message.deletedFor.add(by);
      tell(convo, "logDeleteMessage", { message: view(message, by) }, [accounts.named(by)]);
    },
    leave(by, id) {
      const convo = memberConvo(accounts.named(by), id);
      tell(convo, "logLeaveConvo", {}, [accounts.named(by)]);
      convo.left.add(by);
    },
    hasAccepted: (did, id) => convos.some((convo) => convo.id === id && convo.accepted.has(did)),
    messages: () =>
      convos
        .flatMap(({ messages }) => messages)
        .sort((one, other) => (one.rev < other.rev ? -1 : 1))
        .map(({ deletedFor, id, convo, did, text, sent_at }) => ({
          id,
          convo,
          did,
          text,
          sent_at,
          deleted_for: [...deletedFor],
        })),
    lag: lag.take,
    forgetLog() {
      log.length = 0;
    },
    turnLogBy(entries, overlaps) {
      page = { entries, overlaps };
    },
    refuseWith(did, code) {
      if (code === null) refusals.delete(did);
      else refusals.set(did, code);
    },
  };
}

function profileOf({ did, handle, display_name: displayName }: SandboxAccount): JsonObject {
  return { did, handle, displayName };
}

function pageIn({ searchParams }: URL): { limit: number; offset: number } {
  const limit = Number(searchParams.get("limit") ?? "50");
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalidRequest("limit must be 1 to 100");
  return { limit, offset: Number(searchParams.get("cursor") ?? "0") };
}
