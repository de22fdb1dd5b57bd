import * as z from "zod";
import { ok, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts } from "../network.ts";
import { type GraphLists, graphRefusal, graphTime } from "../parts/graph.ts";
import { fieldsOf } from "../parts/graph-fields.ts";
import { createLag, type Lag } from "../parts/listing.ts";
import { demand } from "./body.ts";
import type { Fan } from "./comments.ts";
import type { SandboxPage } from "./pages.ts";

/**
 * A message's content besides its text.
 * https://developers.facebook.com/docs/messenger-platform/reference/webhook-events/messages (2026-09)
 */
export interface Besides {
  /** Files and other attachments, as Facebook sends them. */
  attachments?: readonly { type: string; payload?: Record<string, unknown>; [field: string]: unknown }[];
  /** The payload of a quick reply that the person chose. */
  quick_reply?: { payload: string };
  /** The message, or the Page's story, that it replies to. */
  reply_to?: { mid: string } | { story: { url: string; id: string } };
  /** True: Facebook does not show its content to programs. */
  is_unsupported?: boolean;
}

/** A message in Messenger. */
export interface StoredMessage {
  /** Its id. */
  id: string;
  /** The id of the Page. */
  page: string;
  /** The id of the person. */
  person: string;
  /** Its text. */
  text: string;
  /** True: the Page wrote it. */
  isOwn: boolean;
  /** Milliseconds since 1970. */
  created_at: number;
  /** Its other content, as Facebook sends it. */
  besides?: Besides;
  /** Marks a reply that was written by a human. */
  tag?: "HUMAN_AGENT";
}

export interface Messenger {
  lag: Lag;
  fans: Fan[];
  stored: StoredMessage[];
  add(
    page: SandboxPage,
    person: string,
    written: { text: string; isOwn: boolean; besides?: Besides | undefined },
  ): StoredMessage;
  send(page: SandboxPage, request: SandboxRequest): Promise<{ answer: SandboxAnswer; message: StoredMessage }>;
  list(page: SandboxPage, url: URL): SandboxAnswer;
  /** A person's act that lets the Page reply for this long, hours. */
  open(page: SandboxPage, person: string, hours?: number): void;
  /** The person with this id; null: there is none. */
  showFan(page: SandboxPage, id: string): SandboxAnswer | null;
}

const hourMs = 3_600_000;
/** https://developers.facebook.com/docs/messenger-platform/send-messages (2026-09) */
const openHours = 24;
const humanHours = 7 * 24;
/**
 * Only this many messages are shown with details. https://developers.facebook.com/docs/messenger-platform/conversations
 * (2026-02)
 */
const newestShown = 20;

const sendSchema = z
  .strictObject({
    recipient: z.strictObject({ id: z.string() }),
    messaging_type: z.enum(["RESPONSE", "MESSAGE_TAG"]),
    tag: z.literal("HUMAN_AGENT").optional(),
    message: z.strictObject({ text: z.string().min(1).max(2_000) }),
  })
  .refine(({ messaging_type, tag }) => (messaging_type === "MESSAGE_TAG") === (tag !== undefined));

export function createMessenger({ clock }: SandboxPorts, lists: GraphLists): Messenger {
  const fans: Fan[] = [];
  const stored: StoredMessage[] = [];
  const lag = createLag(clock);
  /** Until when automated replies, and those by humans, are allowed, by Page and person. */
  const opened = new Map<string, { until: number; humanUntil: number }>();

  const open: Messenger["open"] = (page, person, hours = openHours) => {
    const key = `${page.id} ${person}`;
    const { until, humanUntil } = opened.get(key) ?? { until: 0, humanUntil: 0 };
    const ends = (after: number): number => clock.now() + after * hourMs;
    opened.set(key, { until: Math.max(until, ends(hours)), humanUntil: Math.max(humanUntil, ends(humanHours)) });
  };

  const add: Messenger["add"] = (page, person, { text, isOwn, besides }) => {
    if (!isOwn) open(page, person);
    const id = `m_${page.id.slice(-6)}${String(stored.length + 1).padStart(6, "0")}`;
    const message = { id, page: page.id, person, text, isOwn, created_at: clock.now(), ...(besides && { besides }) };
    stored.push(message);
    return message;
  };

  function between(page: SandboxPage, person: string): StoredMessage[] {
    return stored.filter((each) => each.page === page.id && each.person === person);
  }

  function assertOpen(page: SandboxPage, person: string, isHuman: boolean): void {
    if (between(page, person).length === 0) throw graphRefusal("100/2018001", "(#100) No matching user found");
    const { until, humanUntil } = opened.get(`${page.id} ${person}`) ?? { until: 0, humanUntil: 0 };
    if (clock.now() > (isHuman ? humanUntil : until))
      throw graphRefusal("10/2018278", "(#10) This message is sent outside of allowed window.", { status: 403 });
  }

  function conversation(page: SandboxPage, { id: person, name }: Fan): Record<string, unknown> | null {
    const shown = between(page, person).filter(({ created_at }) => lag.shows(created_at));
    const last = shown.at(-1);
    if (last === undefined) return null;
    const parties = { page: { id: page.id, name: page.name }, person: { id: person, name } };
    const messages = shown.slice(-newestShown).reverse();
    return {
      id: `t_${person}`,
      updated_time: graphTime(last.created_at),
      link: `/${page.id}/inbox/${person}/`,
      participants: { data: [parties.person, parties.page] },
      messages: {
        data: messages.map(({ id, text, isOwn, created_at, besides }) => ({
          id,
          created_time: graphTime(created_at),
          message: text,
          ...filesOf(besides),
          from: isOwn ? parties.page : parties.person,
          to: { data: [isOwn ? parties.person : parties.page] },
        })),
      },
    };
  }

  function lastOf(page: SandboxPage, { id }: Fan): number {
    return between(page, id).at(-1)?.created_at ?? 0;
  }

  return {
    lag,
    fans,
    stored,
    add,
    open,
    async send(page, request) {
      const { recipient, message, tag } = demand(sendSchema, await fieldsOf(request));
      assertOpen(page, recipient.id, tag !== undefined);
      const sent = add(page, recipient.id, { text: message.text, isOwn: true });
      if (tag !== undefined) sent.tag = tag;
      return { answer: ok({ recipient_id: recipient.id, message_id: sent.id }), message: sent };
    },
    list(page, url) {
      const person = url.searchParams.get("user_id");
      const newestFirst = [...fans]
        .filter(({ id }) => person === null || id === person)
        .sort((one, other) => lastOf(page, other) - lastOf(page, one));
      const data = newestFirst.flatMap((fan) => conversation(page, fan) ?? []);
      return ok(lists.page(data, url));
    },
    showFan(page, id) {
      const fan = fans.find((each) => each.id === id);
      if (fan === undefined || between(page, id).length === 0) return null;
      const [first_name, last_name] = fan.name.split(" ");
      return ok({ id, first_name, last_name, profile_pic: `https://scontent.xx.fbcdn.net/${id}.jpg` });
    },
  };
}

/** A message's attachments, as in the list of messages. */
function filesOf({ attachments = [] }: Besides = {}): object {
  const links = attachments.flatMap(({ type, title, url }) =>
    type === "fallback" ? [{ link: url, name: title }] : [],
  );
  const files = attachments.flatMap(({ type, payload }): object[] => {
    if (type === "image") return [{ mime_type: "image/jpeg", image_data: { url: payload?.url } }];
    return type === "file" ? [{ mime_type: "application/pdf", name: payload?.name, file_url: payload?.url }] : [];
  });
  return {
    ...(links.length > 0 && { shares: { data: links } }),
    ...(files.length > 0 && { attachments: { data: files } }),
  };
}
