import { z } from "zod";
import type { JsonObject } from "../../json.ts";
import { countText } from "../../text/count.ts";
import { countGraphemes } from "../../text/graphemes.ts";
import { jsonBody, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import type { SandboxPorts, SandboxPost } from "../network.ts";
import type { SandboxAccount } from "./accounts.ts";
import { type Poll, pollSchema, type StoredStatus, statusEntity } from "./entities.ts";
import { pollLimits } from "./instances.ts";
import type { MediaStore } from "./media.ts";
import { invalid, notFound, Refusal } from "./refusal.ts";

/** What the server reads of the body; anything else it ignores. */
const bodySchema = z.object({
  status: z.string().default(""),
  media_ids: z.array(z.string()).default([]),
  poll: pollSchema.optional(),
  in_reply_to_id: z.string().nullish(),
  visibility: z.string().nullish(),
  spoiler_text: z.string().default(""),
  sensitive: z.boolean().optional(),
  language: z.string().nullish(),
  quoted_status_id: z.string().nullish(),
  scheduled_at: z.unknown().optional(),
});

type Body = z.infer<typeof bodySchema>;

/** The key is kept for an hour. https://docs.joinmastodon.org/methods/statuses/ (2026-07) */
const keyKeptMs = 3_600_000;
/** 4.5. */
const firstApiWithQuotes = 7;
const visibilities = ["public", "unlisted", "private", "direct"];

export interface Statuses {
  create(account: SandboxAccount, request: SandboxRequest): SandboxAnswer;
  show(account: SandboxAccount, id: string): SandboxAnswer;
  timeline(reader: SandboxAccount, accountId: string, parameters: URLSearchParams): SandboxAnswer;
  posts(): SandboxPost[];
  count(account: SandboxAccount): number;
  /** The author deletes it. */
  remove(id: string): void;
  lagReads(seconds: number): void;
}

export function createStatuses(
  ports: SandboxPorts,
  options: { nextId: () => string; media: MediaStore; accounts: () => readonly SandboxAccount[] },
): Statuses {
  const { media } = options;
  let stored: StoredStatus[] = [];
  const keys = new Map<string, { id: string; until: number }>();
  let lagMs = 0;

  const find = (account: SandboxAccount, id: string | null | undefined): StoredStatus | undefined =>
    stored.find(
      (status) =>
        status.id === id &&
        status.account.instance === account.instance &&
        (status.account === account || status.visibility === "public" || status.visibility === "unlisted"),
    );

  function entity(status: StoredStatus): JsonObject {
    return statusEntity(status, {
      accounts: options.accounts(),
      media: status.media.map(media.entity),
      quoted: status.quoted === null ? null : entity(status.quoted),
      replies: stored.filter(({ reply_to }) => reply_to === status).length,
      statusesCount: count(status.account),
      now: ports.clock.now(),
    });
  }

  function count(account: SandboxAccount): number {
    return stored.filter((status) => status.account === account).length;
  }

  function create(account: SandboxAccount, request: SandboxRequest): SandboxAnswer {
    const parsed = bodySchema.safeParse(jsonBody(request));
    if (!parsed.success) throw new Refusal(400, "Error occurred while parsing request parameters");
    const body = parsed.data;
    // This sandbox publishes at once or not at all, as its users do.
    if (body.scheduled_at !== undefined) throw invalid("Scheduled at is not simulated");
    const replyTo = body.in_reply_to_id == null ? null : find(account, body.in_reply_to_id);
    if (replyTo === undefined) throw new Refusal(404, "The post you are trying to reply to does not appear to exist.");
    const key = request.headers.get("idempotency-key");
    const first = key === null || account.instance.ignores_keys ? undefined : keys.get(`${account.id}/${key}`);
    if (first !== undefined && ports.clock.now() < first.until) return show(account, first.id);
    const status = toStatus(account, body, replyTo);
    stored.push(status);
    for (const each of status.media) each.attached = true;
    if (key !== null) keys.set(`${account.id}/${key}`, { id: status.id, until: ports.clock.now() + keyKeptMs });
    return { status: 200, json: entity(status) };
  }

  function toStatus(account: SandboxAccount, body: Body, replyTo: StoredStatus | null): StoredStatus {
    const { instance } = account;
    if (body.media_ids.length > instance.max_media || (body.media_ids.length > 0 && body.poll !== undefined))
      throw new Refusal(422, `Cannot attach more than ${instance.max_media} files`);
    const files = media.forPost(account, body.media_ids);
    // A content warning without a text becomes the text.
    const isWarningOnly = body.status.trim() === "" && body.spoiler_text !== "";
    const text = isWarningOnly ? body.spoiler_text : body.status;
    const spoiler_text = isWarningOnly ? "" : body.spoiler_text;
    if (text.trim() === "" && files.length === 0) throw invalid("Text can't be blank");
    assertLength(account, spoiler_text, text);
    if (body.visibility != null && !visibilities.includes(body.visibility))
      throw invalid("Visibility is not included in the list");
    if (body.poll !== undefined) assertPoll(body.poll);
    return {
      id: options.nextId(),
      account,
      text,
      spoiler_text,
      sensitive: body.sensitive ?? spoiler_text !== "",
      // The account's own default, which differs from what callers expect.
      visibility: body.visibility ?? "unlisted",
      language: body.language ?? null,
      media: files,
      poll: body.poll ?? null,
      reply_to: replyTo,
      quoted: quotedBy(account, body),
      created_at: ports.clock.now(),
    };
  }

  /** An older server ignores what it does not know. */
  function quotedBy(account: SandboxAccount, { quoted_status_id }: Body): StoredStatus | null {
    if (quoted_status_id == null || (account.instance.api_version ?? 0) < firstApiWithQuotes) return null;
    const quoted = find(account, quoted_status_id);
    if (quoted === undefined) throw new Refusal(404, "The post you are trying to quote does not appear to exist.");
    return quoted;
  }

  function show(account: SandboxAccount, id: string): SandboxAnswer {
    const status = find(account, id);
    if (status === undefined) throw notFound();
    return { status: 200, json: entity(status) };
  }

  return {
    create,
    show,
    timeline(reader, accountId, parameters) {
      if (!options.accounts().some(({ id, instance }) => id === accountId && instance === reader.instance))
        throw notFound();
      const limit = Math.min(Number(parameters.get("limit") ?? 20), 40);
      const maxId = parameters.get("max_id");
      // What is no number is read as far as it is one.
      const below = maxId === null ? null : BigInt(/^\d+/.exec(maxId)?.[0] ?? "0");
      const newest = stored
        .filter(({ account, created_at }) => account.id === accountId && created_at + lagMs <= ports.clock.now())
        .filter(({ id }) => find(reader, id) !== undefined)
        .filter(({ id }) => below === null || BigInt(id) < below)
        .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
      return { status: 200, json: newest.slice(0, limit).map(entity) };
    },
    posts: () => stored.map(toPost),
    count,
    remove(id) {
      stored = stored.filter((status) => status.id !== id);
    },
    lagReads(seconds) {
      lagMs = seconds * 1000;
    },
  };
}

/** https://docs.joinmastodon.org/user/posting/ (2026-07) */
function assertLength({ instance }: SandboxAccount, spoilerText: string, text: string): void {
  const { max_characters: max, url_length } = instance;
  const length = countText(spoilerText + text, { max, unit: "graphemes", url_length, bare_mentions: true });
  if (length > max) throw invalid(`Text character limit of ${max} exceeded`);
}

function assertPoll({ options, expires_in }: Poll): void {
  const { max_options, max_characters_per_option: longest, min_expiration, max_expiration } = pollLimits;
  if (options.length < 2) throw invalid("Options must have more than one item");
  if (options.length > max_options) throw invalid(`Options can't contain more than ${max_options} items`);
  if (options.some((option) => countGraphemes(option) > longest))
    throw invalid(`Options cannot be longer than ${longest} characters each`);
  if (expires_in < min_expiration) throw invalid("Expires at is too soon");
  if (expires_in > max_expiration) throw invalid("Expires at is too far into the future");
}

function toPost(status: StoredStatus): SandboxPost {
  const { host } = status.account.instance;
  return {
    id: status.id,
    account: `${host}:${status.account.id}`,
    text: status.text,
    media: status.media.length,
    alt: status.media.map(({ description }) => description ?? ""),
    reply_to: status.reply_to?.id ?? null,
    url: `https://${host}/@${status.account.username}/${status.id}`,
    created_at: new Date(status.created_at).toISOString(),
  };
}
