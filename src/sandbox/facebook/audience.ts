import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphTime } from "../parts/graph.ts";
import { tokenIn } from "../parts/graph-tokens.ts";
import { takeOut, withId } from "../parts/known.ts";
import type { Fan } from "./comments.ts";
import { createHooks, type Hooks } from "./hooks.ts";
import { sandboxApp } from "./logins.ts";
import { type Besides, createMessenger, type Messenger, type StoredMessage } from "./messenger.ts";
import type { SandboxPage } from "./pages.ts";
import type { Posts } from "./posts.ts";
import type { StoredComment } from "./state.ts";

/** Who writes by an ad may be answered for so long. https://developers.facebook.com/documentation/business-messaging/messenger-platform/policy/ (2026-09) */
const adHours = 7 * 24;

export type Edge = "tagged" | "visitor_posts";
type Named = (id: string) => SandboxPage;

/** Somebody's post that names a Page, or stands on it. */
interface Mention {
  id: string;
  page: string;
  edge: Edge;
  message: string;
  from: Fan;
  created_at: number;
  attachments: readonly object[];
}

/** The people who write to Pages, and the webhooks about it. */
export interface Audience {
  messenger: Messenger;
  hooks: Hooks;
  knows(request: SandboxRequest): boolean;
  addFan(name: string): string;
  messageAs(
    page: SandboxPage,
    fan: string,
    written: { text: string; ad?: string | undefined; besides?: Besides },
  ): string;
  answerByHand(page: SandboxPage, fan: string, text: string): string;
  /** Somebody has read what the Page wrote to them. */
  readAs(page: SandboxPage, fan: string): void;
  /** Somebody came to the thread by a link. */
  referAs(page: SandboxPage, fan: string, ref: string): void;
  /** Somebody puts a reaction on a message. */
  reactAs(page: SandboxPage, fan: string, message: string, emoji: string): void;
  /** Somebody presses a button, of which Facebook tells without an id. */
  pressAs(page: SandboxPage, fan: string, button: { title: string; payload: string }): void;
  commentAs(named: Named, fan: string, id: string, written: { message: string; attachment?: object }): string;
  editComment(named: Named, id: string, message: string): void;
  removeComment(named: Named, id: string): void;
  mentionAs(
    page: SandboxPage,
    mention: { fan: string; message: string; edge: Edge; attachments: readonly object[] },
  ): string;
  /** Null: the Page is named in no post of this id. */
  showMention(page: SandboxPage, id: string): SandboxAnswer | null;
  listMentions(page: SandboxPage, edge: Edge, url: URL): SandboxAnswer;
  /** The Page comments, or answers a comment. */
  comment(page: SandboxPage, id: string, request: SandboxRequest): Promise<SandboxAnswer>;
  /** The Page sends a message. */
  send(page: SandboxPage, request: SandboxRequest): Promise<SandboxAnswer>;
}

export function createAudience(ports: SandboxPorts, posts: Posts, nextId: () => string): Audience {
  const messenger = createMessenger(ports, posts.lists);
  const hooks = createHooks(ports);
  const mentions: Mention[] = [];

  const fanOf = (id: string): Fan => withId(messenger.fans, id, "fan");
  const commentOf = (id: string): StoredComment => withId(posts.comments.stored, id, "comment");

  function tellComment(page: SandboxPage, comment: StoredComment, verb: "add" | "edited" | "remove"): void {
    const { id, post, parent, from, message, created_at } = comment;
    const said = verb === "remove" ? {} : { message };
    const created_time = Math.floor(created_at / 1000);
    const value = {
      item: "comment",
      verb,
      comment_id: id,
      post_id: post,
      parent_id: parent ?? post,
      from,
      created_time,
    };
    hooks.tell(page, { field: "feed", value: { ...value, ...said } });
  }

  function tellMessage(page: SandboxPage, said: StoredMessage, ad?: string): void {
    const { id, person, text, isOwn, created_at, besides } = said;
    const parties = isOwn
      ? { sender: { id: page.id }, recipient: { id: person } }
      : { sender: { id: person }, recipient: { id: page.id } };
    // https://developers.facebook.com/docs/messenger-platform/reference/webhook-events/messages (2026-09)
    const referral = ad === undefined ? {} : { referral: { ad_id: ad, source: "ADS", type: "OPEN_THREAD" } };
    const echo = isOwn ? { is_echo: true, app_id: Number(sandboxApp.client_id) } : {};
    const message = { mid: id, ...(text !== "" && { text }), ...referral, ...echo, ...besides };
    const field = isOwn ? "message_echoes" : "messages";
    hooks.tell(page, { field, messaging: { ...parties, timestamp: created_at, message } });
  }

  function tellThread(page: SandboxPage, fan: string, { field, said }: { field: string; said: object }): void {
    const parties = { sender: { id: fanOf(fan).id }, recipient: { id: page.id } };
    hooks.tell(page, { field, messaging: { ...parties, timestamp: ports.clock.now(), ...said } });
  }

  return {
    messenger,
    hooks,
    knows: (request) => tokenIn(request).startsWith(`${sandboxApp.client_id}|`),
    addFan(name) {
      const fan = { id: nextId(), name };
      messenger.fans.push(fan);
      return fan.id;
    },
    messageAs(page, fan, { text, ad, besides }) {
      const message = messenger.add(page, fanOf(fan).id, { text, isOwn: false, besides });
      if (ad !== undefined) messenger.open(page, fan, adHours);
      tellMessage(page, message, ad);
      return message.id;
    },
    answerByHand(page, fan, text) {
      const message = messenger.add(page, fanOf(fan).id, { text, isOwn: true });
      tellMessage(page, message);
      return message.id;
    },
    readAs(page, fan) {
      const own = messenger.stored.filter((each) => each.page === page.id && each.person === fan && each.isOwn);
      const watermark = own.at(-1)?.created_at;
      if (watermark === undefined) return;
      const delivery = { mids: own.map(({ id }) => id), watermark };
      tellThread(page, fan, { field: "message_deliveries", said: { delivery } });
      tellThread(page, fan, { field: "message_reads", said: { read: { watermark } } });
    },
    referAs(page, fan, ref) {
      messenger.open(page, fan);
      const referral = { ref, source: "SHORTLINK", type: "OPEN_THREAD" };
      tellThread(page, fan, { field: "messaging_referrals", said: { referral } });
    },
    reactAs(page, fan, mid, emoji) {
      messenger.open(page, fan);
      const reaction = { mid, action: "react", emoji, reaction: "other" };
      tellThread(page, fan, { field: "message_reactions", said: { reaction } });
    },
    pressAs(page, fan, postback) {
      messenger.open(page, fan);
      tellThread(page, fan, { field: "messaging_postbacks", said: { postback } });
    },
    commentAs(named, fan, id, { message, attachment }) {
      const above = posts.comments.stored.find((each) => each.id === id);
      const page = named(above?.page ?? id.split("_")[0] ?? "");
      const comment = posts.comments.add(page, id, { message, from: fanOf(fan), attachment });
      messenger.open(page, fan);
      tellComment(page, comment, "add");
      return comment.id;
    },
    editComment(named, id, message) {
      const comment = commentOf(id);
      comment.message = message;
      tellComment(named(comment.page), comment, "edited");
    },
    removeComment(named, id) {
      const comment = takeOut(posts.comments.stored, id, "comment");
      tellComment(named(comment.page), comment, "remove");
    },
    mentionAs(page, { fan, message, edge, attachments }) {
      const from = fanOf(fan);
      const mention = {
        id: `${from.id}_${nextId()}`,
        page: page.id,
        edge,
        message,
        from,
        created_at: ports.clock.now(),
        attachments,
      };
      mentions.push(mention);
      if (edge === "visitor_posts") messenger.open(page, fan);
      const created_time = Math.floor(mention.created_at / 1000);
      const sender = { sender_id: from.id, sender_name: from.name };
      if (edge === "tagged")
        hooks.tell(page, {
          field: "mention",
          value: { item: "post", verb: "add", post_id: mention.id, ...sender, message, created_time },
        });
      return mention.id;
    },
    listMentions(page, edge, url) {
      const shown = mentions.filter(
        (each) => each.page === page.id && each.edge === edge && posts.lag.shows(each.created_at),
      );
      const data = shown.reverse().map(mentionEntity);
      return ok(posts.lists.page(data, url));
    },
    showMention(page, id) {
      const mention = mentions.find((each) => each.id === id && each.page === page.id);
      return mention === undefined ? null : ok(mentionEntity(mention));
    },
    async comment(page, id, request) {
      const answer = await posts.comments.answer(page, id, request);
      const made = posts.comments.stored.at(-1);
      if (made !== undefined) tellComment(page, made, "add");
      return answer;
    },
    async send(page, request) {
      const { answer, message } = await messenger.send(page, request);
      tellMessage(page, message);
      return answer;
    },
  };
}

function mentionEntity({ id, message, from, created_at, attachments }: Mention): object {
  return {
    id,
    message,
    from,
    created_time: graphTime(created_at),
    permalink_url: `https://www.facebook.com/${id.replace("_", "/posts/")}`,
    ...(attachments.length > 0 && { attachments: { data: attachments } }),
  };
}
