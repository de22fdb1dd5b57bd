import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { graphTime } from "../parts/graph.ts";
import { tokenIn } from "../parts/graph-tokens.ts";
import { takeOut, withId } from "../parts/known.ts";
import type { Fan } from "./comments.ts";
import { createHooks } from "./hooks.ts";
import { sandboxApp } from "./logins.ts";
import { type Besides, createMessenger, type StoredMessage } from "./messenger.ts";
import type { Pages, SandboxPage } from "./pages.ts";
import type { Posts } from "./posts.ts";
import type { StoredComment } from "./state.ts";

/**
 * How long the Page may reply to a person who writes through an ad, hours.
 * https://developers.facebook.com/documentation/business-messaging/messenger-platform/policy/ (2026-09)
 */
const adHours = 7 * 24;

/** Where a post of a person that concerns the Page is listed. */
export type Edge = "tagged" | "visitor_posts";
/** A person's post that mentions a Page, or is on the Page. */
interface Mention {
  id: string;
  page: string;
  edge: Edge;
  message: string;
  from: Fan;
  created_at: number;
  attachments: readonly object[];
}

/** What people do on Facebook, and what a Page's owner does in Facebook's own app. */
export interface AudienceSwitches {
  /** Creates a person who likes the Page; returns their id. */
  addFan(name: string): string;
  /** A person writes to the Page, through the ad with this id if given; returns the message's id. */
  messageAs(fan: string, externalId: string, text: string, ad?: string): string;
  /** A person sends a message with more than a text to the Page; returns the message's id. */
  sendAs(fan: string, externalId: string, message: { text?: string } & Besides): string;
  /** A person has read the Page's messages to them. */
  readAs(fan: string, externalId: string): void;
  /** A person opened the thread through a link with this `ref`. */
  referAs(fan: string, externalId: string, ref: string): void;
  /** A person reacts to the message with this id. */
  reactAs(fan: string, externalId: string, message: string, emoji: string): void;
  /** A person presses a button, which Facebook reports without an id. */
  pressAs(fan: string, externalId: string, button: { title: string; payload: string }): void;
  /** A person comments on a post, or replies to a comment; returns the comment's id. */
  commentAs(fan: string, id: string, message: string, attachment?: object): string;
  /** Changes the comment's text. */
  editComment(id: string, message: string): void;
  /** The comment's author deletes it. */
  removeComment(id: string): void;
  /** A person's post mentions the Page, or is on the Page; returns the post's id. */
  mentionAs(fan: string, externalId: string, message: string, edge?: Edge, attachments?: readonly object[]): string;
  /** The Page's owner replies in Facebook's own app; returns the message's id. */
  answerByHand(fan: string, externalId: string, text: string): string;
}

export type Audience = ReturnType<typeof createAudience>;

/** The people who write to Pages, and the webhooks about that. */
export function createAudience(
  ports: SandboxPorts,
  { pages, posts, nextId }: { pages: Pages; posts: Posts; nextId: () => string },
) {
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

  function tellThread(page: SandboxPage, fan: string, field: string, said: object): void {
    const parties = { sender: { id: fanOf(fan).id }, recipient: { id: page.id } };
    hooks.tell(page, { field, messaging: { ...parties, timestamp: ports.clock.now(), ...said } });
  }

  function write(
    fan: string,
    externalId: string,
    { ad, ...said }: { text: string; ad?: string | undefined; besides?: Besides },
  ): string {
    const page = pages.named(externalId);
    const message = messenger.add(page, fanOf(fan).id, { ...said, isOwn: false });
    if (ad !== undefined) messenger.open(page, fan, adHours);
    tellMessage(page, message, ad);
    return message.id;
  }

  /** An act of a person in their thread with a Page, after which the Page may write to them. */
  function act(fan: string, externalId: string, field: string, said: object): void {
    const page = pages.named(externalId);
    messenger.open(page, fan);
    tellThread(page, fan, field, said);
  }

  const switches: AudienceSwitches = {
    addFan(name) {
      const fan = { id: nextId(), name };
      messenger.fans.push(fan);
      return fan.id;
    },
    messageAs: (fan, externalId, text, ad) => write(fan, externalId, { text, ad }),
    sendAs: (fan, externalId, { text = "", ...besides }) => write(fan, externalId, { text, besides }),
    readAs(fan, externalId) {
      const page = pages.named(externalId);
      const own = messenger.stored.filter((each) => each.page === page.id && each.person === fan && each.isOwn);
      const watermark = own.at(-1)?.created_at;
      if (watermark === undefined) return;
      const delivery = { mids: own.map(({ id }) => id), watermark };
      tellThread(page, fan, "message_deliveries", { delivery });
      tellThread(page, fan, "message_reads", { read: { watermark } });
    },
    referAs(fan, externalId, ref) {
      const referral = { ref, source: "SHORTLINK", type: "OPEN_THREAD" };
      act(fan, externalId, "messaging_referrals", { referral });
    },
    reactAs(fan, externalId, mid, emoji) {
      const reaction = { mid, action: "react", emoji, reaction: "other" };
      act(fan, externalId, "message_reactions", { reaction });
    },
    pressAs: (fan, externalId, postback) => act(fan, externalId, "messaging_postbacks", { postback }),
    commentAs(fan, id, message, attachment) {
      const above = posts.comments.stored.find((each) => each.id === id);
      const page = pages.named(above?.page ?? id.split("_")[0] ?? "");
      const comment = posts.comments.add(page, id, { message, from: fanOf(fan), attachment });
      messenger.open(page, fan);
      tellComment(page, comment, "add");
      return comment.id;
    },
    editComment(id, message) {
      const comment = commentOf(id);
      comment.message = message;
      tellComment(pages.named(comment.page), comment, "edited");
    },
    removeComment(id) {
      const comment = takeOut(posts.comments.stored, id, "comment");
      tellComment(pages.named(comment.page), comment, "remove");
    },
    mentionAs(fan, externalId, message, edge = "tagged", attachments = []) {
      const page = pages.named(externalId);
      const from = fanOf(fan);
      const id = `${from.id}_${nextId()}`;
      const created_at = ports.clock.now();
      mentions.push({ id, page: page.id, edge, message, from, created_at, attachments });
      if (edge === "visitor_posts") messenger.open(page, fan);
      const created_time = Math.floor(created_at / 1000);
      const sender = { sender_id: from.id, sender_name: from.name };
      if (edge === "tagged")
        hooks.tell(page, {
          field: "mention",
          value: { item: "post", verb: "add", post_id: id, ...sender, message, created_time },
        });
      return id;
    },
    answerByHand(fan, externalId, text) {
      const page = pages.named(externalId);
      const message = messenger.add(page, fanOf(fan).id, { text, isOwn: true });
      tellMessage(page, message);
      return message.id;
    },
  };

  return {
    messenger,
    hooks,
    switches,
    knows: (request: SandboxRequest) => tokenIn(request).startsWith(`${sandboxApp.client_id}|`),
    listMentions(page: SandboxPage, edge: Edge, url: URL): SandboxAnswer {
      const shown = mentions.filter(
        (each) => each.page === page.id && each.edge === edge && posts.lag.shows(each.created_at),
      );
      const data = shown.reverse().map(mentionEntity);
      return ok(posts.lists.page(data, url));
    },
    /** Null: no post with this id mentions the Page. */
    showMention(page: SandboxPage, id: string): SandboxAnswer | null {
      const mention = mentions.find((each) => each.id === id && each.page === page.id);
      return mention === undefined ? null : ok(mentionEntity(mention));
    },
    /** The Page comments, or replies to a comment. */
    async comment(page: SandboxPage, id: string, request: SandboxRequest): Promise<SandboxAnswer> {
      const answer = await posts.comments.answer(page, id, request);
      const made = posts.comments.stored.at(-1);
      if (made !== undefined) tellComment(page, made, "add");
      return answer;
    },
    /** The Page sends a message. */
    async send(page: SandboxPage, request: SandboxRequest): Promise<SandboxAnswer> {
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
